import type { CreditEvent } from '../../domain/credits/credit-account.js';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import { floorShare } from '../../domain/shared/micro-usd.js';
import { CURRENT_SHARE_POLICY, sharesOf } from '../../domain/shared/share-policy.js';
import { DEAREST_CREDIT_MICRO_USD } from '../../domain/subscriptions/products.js';
import { EarningsQueries, type EarningsSums } from '../../application/payouts/queries.js';
import { adding } from '../platform/projections/added-rows.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';
import type { AddedRows, AsyncProjection } from '../platform/projections/projection.js';

/** The events that change earnings. After `ShareTakenBack` the purchase stays valid: only its payment was lost. */
type OfShare =
  | Extract<PurchaseEvent, { type: 'SamplePurchased' | 'PurchaseReturned' }>
  | Extract<CreditEvent, { type: 'ShareTakenBack' }>;

const EARNINGS: AddedRows<OfShare> = {
  table: 'earning',
  columns: [
    ['position', 'bigint'],
    ['creator_id', 'text'],
    ['purchase_id', 'text'],
    ['sample_id', 'text'],
    ['buyer_id', 'text'],
    ['credits_used', 'int'],
    ['share_micro_usd', 'bigint'],
    ['sale_share_micro_usd', 'bigint'],
    ['at', 'timestamptz'],
  ],
  rowsOf({ position, type, data, recordedAt }) {
    const sign = type === 'SamplePurchased' ? 1 : -1;
    const { purchaseId, sampleId } = data;
    const { buyerId, priceCredits } =
      type === 'ShareTakenBack' ? { buyerId: data.userId, priceCredits: 0 } : data;
    const shares = sharesOf(data);
    // Null if only one creator earns from the sale. Earlier versions wrote null, and a rebuild must write the same
    // rows.
    const whole = shares.length > 1 ? sign * data.shareMicroUsd : null;
    return shares.map(({ creatorId, shareMicroUsd }) => [
      position,
      creatorId,
      purchaseId,
      sampleId,
      buyerId,
      sign * priceCredits,
      sign * shareMicroUsd,
      whole,
      recordedAt,
    ]);
  },
};

/**
 * One row for each creator who shares a sale. Undone purchases and shares that were taken back add negative rows. Only
 * undone purchases return credits.
 */
export const earnings: AsyncProjection<OfShare> = {
  name: 'earnings',
  version: 1,
  lifecycle: 'async', // Earnings are held for two weeks, so a delay does no harm.
  types: ['SamplePurchased', 'PurchaseReturned', 'ShareTakenBack'],
  ...adding(EARNINGS),
};

/** The share of a credit at the highest credit price, and a tolerance for rounding over several lots. */
const MOST_SHARE_MICRO_USD = floorShare(DEAREST_CREDIT_MICRO_USD, CURRENT_SHARE_POLICY);
const ROUNDED_MICRO_USD = 1_000;

/** SQL condition on an approval: it requests the release of the sale in the row `sale`. */
export const RELEASE = `work @> jsonb_build_object('kind', 'release-sale', 'purchaseId', sale.purchase_id)`;

/**
 * SQL condition: `sale` earned more than the credits of any product would, and is not released. The index
 * `earning_in_doubt` repeats the comparison, so a change needs a new index.
 */
export const SOLD_FOR_MORE = `sale.credits_used > 0
            and coalesce(sale.sale_share_micro_usd, sale.share_micro_usd) > sale.credits_used::bigint * ${MOST_SHARE_MICRO_USD} + ${ROUNDED_MICRO_USD}
            and not exists (select 1 from approval where status = 'carried out' and ${RELEASE})`;

/**
 * SQL: the country where the most valuable credits of `sale` were taxed, or else the country of their payer.
 * `CreditsSpent` is at the position before the sale, because a batch appends them together. Returned credits, and
 * credits that replace lost ones, have the country of the original paid lot.
 */
export const COUNTRY = `(
  select left(country, 2)
    from readable_event spent
    cross join lateral json_to_recordset(spent.data->'segments') as segment("lotId" text, "valueMicroUsd" bigint)
    join credit_grant lot on lot.lot_id = segment."lotId"
    join readable_event granted on granted.position = lot.position
    left join credit_grant behind
      on behind.lot_id = coalesce(granted.data->'returned'->>'lotId', granted.data->'adjustment'->>'paidLotId')
    join readable_event paid on paid.position = coalesce(behind.position, lot.position)
    cross join lateral coalesce(paid.data->'invoice'->'taxed'->>'place', paid.data->'invoice'->>'country') country
   where spent.position = sale.position - 1 and spent.type = 'CreditsSpent'
     and spent.data->>'purchaseId' = sale.purchase_id and country is not null
   order by segment."valueMicroUsd" desc, segment."lotId" limit 1)`;

export class PostgresEarningsQueries extends DatabaseAdapter implements EarningsQueries {
  async sums(creatorId: string, releasedBefore: Date): Promise<EarningsSums> {
    const { rows } = await this.database.pool.query(
      prepared(
        'earnings-sums', // A reversal is held and released together with its sale.
        `select coalesce(sum(share_micro_usd) filter (where share_micro_usd > 0 and sold_at <= $2), 0)::bigint as "releasedMicroUsd",
                    coalesce(sum(share_micro_usd) filter (where sold_at > $2), 0)::bigint as "heldMicroUsd",
                    coalesce(-sum(share_micro_usd) filter (where share_micro_usd < 0 and sold_at <= $2), 0)::bigint as "reversedMicroUsd",
                    max(sold_at) filter (where share_micro_usd > 0 and sold_at > $2) as "lastHeldAt"
               from (select share_micro_usd,
                            case when share_micro_usd < 0
                                 then (select sale.at from earning sale
                                        where sale.purchase_id = e.purchase_id and sale.creator_id = e.creator_id
                                          and sale.share_micro_usd > 0)
                                 else at end as sold_at
                       from earning e where creator_id = $1) as shares`,
        [creatorId, releasedBefore],
      ),
    );
    const inDoubtMicroUsd = await this.inDoubt(creatorId, releasedBefore);
    return { ...(rows[0] as Omit<EarningsSums, 'inDoubtMicroUsd'>), inDoubtMicroUsd };
  }

  private async inDoubt(creatorId: string, releasedBefore: Date): Promise<number> {
    const { rows } = await this.database.pool.query(
      prepared(
        'earnings-in-doubt',
        `select coalesce(sum(e.share_micro_usd), 0)::bigint as amount
           from earning sale join earning e on e.purchase_id = sale.purchase_id and e.creator_id = sale.creator_id
          where sale.creator_id = $1 and sale.at <= $2 and ${SOLD_FOR_MORE}`,
        [creatorId, releasedBefore],
      ),
    );
    return (rows[0] as { amount: number }).amount;
  }

  async movedBetween(from: Date, to: Date): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ creator_id: string }>(
      prepared(
        'creators-moved',
        `select distinct u.user_id as creator_id
           from journal_line l join user_account u on u.user_id = substr(l.account, 9) and u.erased_at is null
          where l.account >= 'creator:' and l.account < 'creator;' and l.at >= $1 and l.at < $2`,
        [from, to],
      ),
    );
    return rows.map((row) => row.creator_id);
  }

  async owingSince(before: Date): Promise<string[]> {
    const { rows } = await this.database.pool.query(
      prepared(
        'creators-owing', // A debit balance is a debt, which began after the last balance that was no debt.
        `with owing as (select account from journal_line where account >= 'creator:' and account < 'creator;'
                             group by account having sum(delta) > 0),
                  balance as (select account, at, position, sum(delta) over (partition by account order by position, line) as owed
                                 from journal_line join owing using (account)),
                  began as (select account, min(at) as at from balance s
                             where position > coalesce((select max(position) from balance t where t.account = s.account and t.owed <= 0), 0)
                             group by account)
             select substr(account, 9) as creator_id from began where at < $1 order by at limit 500`,
        [before],
      ),
    );
    return (rows as { creator_id: string }[]).map(({ creator_id }) => creator_id);
  }

  async firstOf<Sale extends { creatorId: string; position: number }>(
    sales: readonly Sale[],
  ): Promise<Sale[]> {
    if (sales.length === 0) return [];
    // Raw SQL: `earning` may lag behind and lack some of these sales, so the query also compares the sales with each
    // other.
    const { rows } = await this.database.pool.query<{ index: number }>(
      `with sale as (select s.*, index from json_array_elements($1) with ordinality as given(sale, index)
                      cross join lateral json_to_record(sale) as s("creatorId" text, position bigint))
       select index::int from sale
        where not exists (select from earning e where e.creator_id = "creatorId" and e.position < sale.position)
          and not exists (select from sale earlier where earlier."creatorId" = sale."creatorId" and earlier.position < sale.position)`,
      [JSON.stringify(sales)],
    );
    const first = new Set(rows.map(({ index }) => index));
    return sales.filter((_, index) => first.has(index + 1));
  }
}
