/** Raw SQL: it reads the JSON of the events behind a few sales. */
import type { SalesUnderReview, SaleUnderReview } from '../../application/payouts/contract.js';
import { SalesUnderReviewQueries } from '../../application/payouts/queries.js';
import type { GrantReason } from '../../domain/credits/credit-account.js';
import { DEAREST_CREDIT_MICRO_USD } from '../../domain/subscriptions/products.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';
import { RELEASE, SOLD_FOR_MORE } from './postgres-earnings.js';

const REASONS: Record<GrantReason, string> = {
  admin_adjustment: 'An administrator gave the credits this value',
  monthly_grant: 'The credits were paid for at more than any product asks now',
  top_up: 'The credits were paid for at more than any product asks now',
  promotion: 'The credits were a promotion of the shop with this value',
  refund: 'The credits came back from another purchase with this value',
};

const nameOf = (user: string): string =>
  `coalesce(case when ${user}.erased_at is null then ${user}.display_name end, 'Former member')`;

/** Selects one row for each sale: that of the creator of the pack, who always has a share. */
const SOLD_AS = `
  join readable_event sold on sold.position = sale.position and sold.data->>'creatorId' = sale.creator_id`;

/** The sum of all creators' shares of a sale that were not taken back. */
const STANDS = `
  cross join lateral (select sum(share_micro_usd)::bigint as share from earning of_sale
                       where of_sale.purchase_id = sale.purchase_id) stands`;

type Row = Omit<SaleUnderReview, 'soldAt' | 'perCreditMicroUsd' | 'dearestMicroUsd' | 'reason'> & {
  position: number;
  soldAt: Date;
  source: GrantReason;
};

export class PostgresSalesUnderReview extends DatabaseAdapter implements SalesUnderReviewQueries {
  async list({ limit, cursor }: { limit: number; cursor?: string }): Promise<SalesUnderReview> {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { shown, nextCursor } = pageOf(await this.sales(before, null, limit + 1), limit, ({ position }) => [
      position,
    ]);
    return { items: shown.map(itemOf), nextCursor, ...(await this.sums()) };
  }

  async find(purchaseId: string): Promise<SaleUnderReview | undefined> {
    const [sale] = await this.sales(null, purchaseId, 1);
    return sale && itemOf(sale);
  }

  private async sums(): Promise<{ total: number; shareMicroUsd: number }> {
    const { rows } = await this.database.pool.query<{ total: number; shareMicroUsd: number }>(
      prepared(
        'sums-of-sales-under-review',
        `select count(*)::int as total, coalesce(sum(stands.share), 0)::bigint as "shareMicroUsd"
           from earning sale
           ${SOLD_AS}
           ${STANDS}
          where ${SOLD_FOR_MORE} and stands.share > 0`,
      ),
    );
    return rows[0] ?? { total: 0, shareMicroUsd: 0 };
  }

  private async sales(before: unknown, purchaseId: string | null, limit: number): Promise<Row[]> {
    const { rows } = await this.database.pool.query(
      prepared(
        'sales-under-review',
        `select sale.position, sale.purchase_id as "purchaseId", sale.at as "soldAt", sale.creator_id as "creatorId",
                ${nameOf('creator')} as "creatorName", sale.buyer_id as "buyerId", ${nameOf('buyer')} as "buyerName",
                array(select of_sale.creator_id from earning of_sale
                       where of_sale.position = sale.position and sale.sale_share_micro_usd is not null) as "sharedBy",
                sale.sample_id as "sampleId", sample.title as "sampleTitle", sale.credits_used as credits,
                (sold.data->>'valueMicroUsd')::bigint as "valueMicroUsd", stands.share as "shareMicroUsd", dearest.source,
                (select approval_id from approval where status = 'waiting' and ${RELEASE} limit 1) as "requestId"
           from earning sale
           ${SOLD_AS}
           ${STANDS}
           cross join lateral (
             select g.reason as source
               from readable_event spent
               cross join lateral json_to_recordset(spent.data->'segments')
                 as segment("lotId" text, credits int, "valueMicroUsd" bigint)
               join credit_grant g on g.lot_id = segment."lotId"
              where spent.stream = 'credits-' || sale.buyer_id and spent.type = 'CreditsSpent'
                and spent.data->>'purchaseId' = sale.purchase_id
              order by segment."valueMicroUsd"::numeric / segment.credits desc limit 1) dearest
           left join user_account creator on creator.user_id = sale.creator_id
           left join user_account buyer on buyer.user_id = sale.buyer_id
           left join sample on sample.sample_id = sale.sample_id
          where ${SOLD_FOR_MORE} and stands.share > 0 and ($1::bigint is null or sale.position < $1)
            and ($2::text is null or sale.purchase_id = $2)
          order by sale.position desc limit $3`,
        [before, purchaseId, limit],
      ),
    );
    return rows as Row[];
  }
}

const itemOf = ({ position: _, source, sharedBy, ...sale }: Row): SaleUnderReview => ({
  ...withIsoTimes(sale),
  ...(sharedBy && sharedBy.length > 0 && { sharedBy }),
  perCreditMicroUsd: Math.floor(sale.valueMicroUsd / sale.credits),
  dearestMicroUsd: DEAREST_CREDIT_MICRO_USD,
  reason: REASONS[source],
});
