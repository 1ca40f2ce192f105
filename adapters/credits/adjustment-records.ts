import { Injectable } from '@nestjs/common';
import { AdjustmentRecords } from '../../application/administration/readers.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresAdjustmentRecords extends AdjustmentRecords {
  constructor(private readonly database: Database) {
    super();
  }

  override async boughtFrom(asked: { buyerId: string; creatorId: string; since: Date }): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `select 1 from owned_sample where buyer_id = $1 and creator_id = $2 and purchased_at >= $3 limit 1`,
      [asked.buyerId, asked.creatorId, asked.since],
    );
    return rowCount === 1;
  }

  override async isTheirs(userId: string, lotOrPurchaseId: string): Promise<boolean> {
    const { rows } = await this.database.pool.query(
      `select exists (select 1 from credit_grant where user_id = $1 and lot_id = $2)
           or exists (select 1 from owned_sample where buyer_id = $1 and purchase_id = $2) as found`,
      [userId, lotOrPurchaseId],
    );
    return (rows[0] as { found: boolean }).found;
  }

  override async undone(adjustmentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.database.pool.query(
      `select adjustment_id as id from adjustment
        where adjustment_id = any($1) and status in ('declined', 'failed')`,
      [adjustmentIds],
    );
    return new Set((rows as { id: string }[]).map(({ id }) => id));
  }
}
