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

  /** Raw SQL: it reads amounts in the JSON of events. */
  async leftToMakeGood(userId: string, lotOrPurchaseId: string): Promise<number | undefined> {
    const { rows } = await this.database.pool.query(
      `with named as (
         select value_micro_usd as worth from credit_grant where user_id = $1 and lot_id = $2
         union all
         select coalesce((select (e.data->>'valueMicroUsd')::bigint from readable_event e
                           where e.stream = 'purchase-' || o.buyer_id || '.' || o.sample_id
                             and e.type = 'SamplePurchased' and e.data->>'purchaseId' = $2), 0)
           from owned_sample o where o.buyer_id = $1 and o.purchase_id = $2
       ), paid as (
         select coalesce(sum(value_micro_usd), 0) as amount
           from credit_grant where user_id = $1 and kind = 'paid' and reason = 'monthly_grant'
       ), given_back as (
         select coalesce(sum(case e.type when 'InvoiceRefunded' then (e.data->>'netMicroUsd')::bigint
                                         when 'DisputeOpened' then (e.data->>'amountMicroUsd')::bigint
                                         else -(e.data->>'amountMicroUsd')::bigint end), 0) as amount
           from readable_event e
          where e.stream = 'credits-' || $1 and e.type in ('InvoiceRefunded', 'DisputeOpened', 'DisputeWon')
       ), made_good as (
         select coalesce(sum(value_micro_usd) filter (where makes_good = $2), 0) as of_this,
                coalesce(sum(value_micro_usd), 0) as of_all
           from adjustment where user_id = $1 and value_micro_usd > 0 and status in ('waiting', 'approved')
       )
       select greatest(0, least(worth - of_this, paid.amount - given_back.amount - of_all))::bigint as left_micro_usd
         from named, paid, given_back, made_good`,
      [userId, lotOrPurchaseId],
    );
    return (rows[0] as { left_micro_usd: number } | undefined)?.left_micro_usd;
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
