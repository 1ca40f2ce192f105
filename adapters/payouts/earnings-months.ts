/** Raw SQL: sums over the lines of creators' accounts in the journal. */
import type { EarningsMonth, EarningsYear } from '../../application/payouts/contract.js';
import { EarningsYears, type CreatorMonth } from '../../application/payouts/earnings-years.js';
import { creatorAccount } from '../../domain/ledger/accounts.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { CREATOR_SUMS, sharesIn } from '../platform/database/shares.js';

const MONTH = `to_char(date_trunc('month', at at time zone 'UTC'), 'YYYY-MM')`;

/**
 * SQL: for each journal line of a sale or return, the creator's share and the creator's part of the sale's
 * value. If creators
 * share a sale, the value is divided like the share. Cumulative floors make the parts add up to the value.
 */
const VALUED = `
  select l.account, l.at, l.fact, -l.delta as share,
         (-sign(l.delta) * (div(value * upto, whole) - div(value * (upto - mine), whole)))::bigint as gross
    from journal_line l
    join event e using (position)
   cross join lateral (
     select each->>'creatorId' as who, (each->>'shareMicroUsd')::numeric as mine,
            sum((each->>'shareMicroUsd')::numeric) over (order by place) as upto,
            (e.data->>'valueMicroUsd')::numeric as value, (e.data->>'shareMicroUsd')::numeric as whole
       from json_array_elements(${sharesIn('e.data')}) with ordinality as part(each, place)) as part
   where l.fact in ('share-earned', 'share-returned') and part.who = substr(l.account, 9)`;

// ';' is the byte after ':', so the range selects the accounts of all creators.
const IN_YEAR = `account >= 'creator:' and account < 'creator;' and ($1::text is null or account = $1)
  and at >= make_timestamptz($2::int, 1, 1, 0, 0, 0, 'UTC') and at < make_timestamptz($2::int + 1, 1, 1, 0, 0, 0, 'UTC')`;

export class EarningsMonthQueries extends DatabaseAdapter implements EarningsYears {
  /**
   * Returns the months in which the creator's account has an entry or a promotion code gave samples, newest
   * first.
   */
  async of(creatorId: string): Promise<EarningsMonth[]> {
    const { rows } = await this.database.pool.query({
      name: 'earnings-months',
      text: `select ${MONTH} as month, ${CREATOR_SUMS}, -sum(delta)::bigint as moved, sum(free)::int as "freeDownloads"
               from (select at, fact, delta, 0 as free from journal_line where account = $1
                     union all
                     select e.recorded_at, 'free', 0, coalesce((e.data->>'samples')::int, json_array_length(e.data->'received'))
                       from promotion_code c join readable_event e on e.stream = 'promotion-' || c.code
                      where c.creator_id = $2 and e.type = 'PromotionCodeRedeemed') as entry
              group by 1 order by 1`,
      values: [creatorAccount(creatorId), creatorId],
    });
    let closingMicroUsd = 0;
    return (rows as (Omit<EarningsMonth, 'openingMicroUsd' | 'closingMicroUsd'> & { moved: number })[])
      .map(({ moved, ...month }) => {
        const openingMicroUsd = closingMicroUsd;
        closingMicroUsd += moved;
        return { ...month, openingMicroUsd, closingMicroUsd };
      })
      .toReversed();
  }

  async year(creatorId: string, year: string): Promise<EarningsYear> {
    const [all, moved] = await Promise.all([this.of(creatorId), this.moved(year, creatorId)]);
    const earlier = all.find(({ month }) => month < year)?.closingMicroUsd ?? 0;
    const items = all
      .filter(({ month }) => month.startsWith(`${year}-`))
      .toReversed()
      .map((month) => {
        const {
          grossMicroUsd = 0,
          grossReturnedMicroUsd = 0,
          feesMicroUsd = 0,
          returns = 0,
        } = moved.find((each) => each.month === month.month) ?? {};
        return { ...month, grossMicroUsd, grossReturnedMicroUsd, feesMicroUsd, returns };
      });
    return { year, items, ...balancesOf(items, earlier) };
  }

  async moved(year: string, creatorId?: string): Promise<CreatorMonth[]> {
    const { rows } = await this.database.long.query({
      name: 'creators-of-year',
      text: `with valued as (
               select account, ${MONTH} as month,
                      coalesce(sum(gross) filter (where fact = 'share-earned'), 0)::bigint as "grossMicroUsd",
                      coalesce(-sum(gross) filter (where fact = 'share-returned'), 0)::bigint as "grossReturnedMicroUsd",
                      count(*) filter (where fact = 'share-returned')::int as returns,
                      coalesce(sum(gross - share), 0)::bigint as "feesMicroUsd"
                 from (${VALUED}) as l where ${IN_YEAR} group by 1, 2
             ), moved as (
               select account, ${MONTH} as month, ${CREATOR_SUMS} from journal_line where ${IN_YEAR} group by 1, 2
             )
             select substr(account, 9) as "creatorId", month, sales, "earnedMicroUsd", "takenBackMicroUsd", "withdrawnMicroUsd",
                    coalesce("grossMicroUsd", 0) as "grossMicroUsd", coalesce("grossReturnedMicroUsd", 0) as "grossReturnedMicroUsd",
                    coalesce(returns, 0) as returns, coalesce("feesMicroUsd", 0) as "feesMicroUsd"
               from moved left join valued using (account, month) order by account, month`,
      values: [creatorId === undefined ? null : creatorAccount(creatorId), Number(year)],
    });
    return rows as CreatorMonth[];
  }
}

const balancesOf = (months: readonly EarningsMonth[], earlier: number) => ({
  openingMicroUsd: months[0]?.openingMicroUsd ?? earlier,
  closingMicroUsd: months.at(-1)?.closingMicroUsd ?? earlier,
});
