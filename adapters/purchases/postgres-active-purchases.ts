import { Injectable } from '@nestjs/common';
import {
  ActivePurchaseQueries,
  type PurchaseKey,
  type PurchasesOf,
} from '../../application/purchases/queries.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresActivePurchaseQueries implements ActivePurchaseQueries {
  constructor(private readonly database: Database) {}

  list(of: PurchasesOf, limit: number, after?: PurchaseKey): Promise<PurchaseKey[]> {
    return this.active(of)
      .select(['buyer_id as buyerId', 'sample_id as sampleId'])
      .where(({ eb, lit, refTuple, tuple }) =>
        after ? eb(refTuple('buyer_id', 'sample_id'), '>', tuple(after.buyerId, after.sampleId)) : lit(true),
      )
      .orderBy('buyer_id')
      .orderBy('sample_id')
      .limit(limit)
      .execute();
  }

  async count(of: PurchasesOf): Promise<number> {
    const { active } = await this.active(of)
      .select(({ fn }) => fn.countAll<number>().as('active'))
      .executeTakeFirstOrThrow();
    return active;
  }

  private active(of: PurchasesOf) {
    return this.database.db
      .selectFrom('owned_sample')
      .where('returned_at', 'is', null)
      .where('price_credits', '>', 0)
      .where(({ eb, selectFrom }) => {
        if ('packId' in of) return eb('pack_id', '=', of.packId);
        if ('sampleId' in of) return eb('sample_id', '=', of.sampleId);
        return eb('sample_id', 'in', selectFrom('sample').select('sample_id').where('taken_down', '=', true));
      });
  }
}
