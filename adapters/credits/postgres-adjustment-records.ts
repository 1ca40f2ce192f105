import { Injectable } from '@nestjs/common';
import { AdjustmentQueries } from '../../application/credits/queries.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresAdjustmentQueries implements AdjustmentQueries {
  constructor(private readonly database: Database) {}

  async boughtFrom(asked: { buyerId: string; creatorId: string; since: Date }): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('owned_sample')
      .select('sample_id')
      .where('buyer_id', '=', asked.buyerId)
      .where('creator_id', '=', asked.creatorId)
      .where('purchased_at', '>=', asked.since)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async undone(adjustmentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.db
      .selectFrom('adjustment')
      .select('adjustment_id as id')
      .where(({ eb, fn, val }) => eb('adjustment_id', '=', fn.any(val(adjustmentIds))))
      .where('status', 'in', ['declined', 'failed'])
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}
