/** Raw SQL: journal lines, each divided among the plans of the lots behind its entry. */
import {
  MARGIN_PLANS,
  type Margin,
  type MarginReport,
} from '../../../application/ledger/reports/margin-contract.js';
import { CHART } from '../../../domain/ledger/accounts.js';
import type { LedgerFact } from '../../../domain/ledger/entry.js';
import type { Database } from '../../platform/database/database.js';
import { MONTH } from '../month-terms.js';
import { quoted } from '../proof/check-terms.js';
import { DEFERRED, LOT_OF_ACCOUNT, LOTS_BY_PLAN } from './lots-by-plan.js';

type Earning = (typeof CHART)[number] & { kind: 'income' | 'expense' };
type Column = Exclude<keyof Margin, 'month' | 'plan' | 'marginMicroUsd'>;

const COLUMN_OF: Record<Earning['name'], Column> = {
  credits: 'recognisedMicroUsd',
  forfeited: 'forfeitedMicroUsd',
  refunds: 'refundsMicroUsd',
  royalties: 'sharesMicroUsd',
  'stripe-fees': 'feesMicroUsd',
  'dispute-fees': 'chargebacksMicroUsd',
  'chargeback-loss': 'chargebacksMicroUsd',
  promotions: 'goodwillMicroUsd',
  'creator-losses': 'lossesMicroUsd',
};

const among = (...facts: LedgerFact[]): string => quoted(facts);
/** Facts whose journal lines name their lots. */
const OF_LINES = among('credits-spent', 'return', 'promotion', 'adjustment');
/** Facts whose events name the lot. */
const OF_EVENTS = among(
  'invoice-refunded',
  'refund-undone',
  'dispute-opened',
  'dispute-adjusted',
  'dispute-won',
  'dispute-lost',
  'share-taken-back',
);

/** The maximum number of events in a transaction, and so the maximum distance from `CreditsSpent` to its sale. */
const AT_ONCE = 2_000;

export const MARGIN_ACCOUNTS = Object.keys(COLUMN_OF);

/**
 * Divides each line of income or expense among plans, in proportion to the lots behind the entry. Each part is the
 * difference of two rounded running totals, so that the plans of a month sum to the trial
 * balance. A line without a lot belongs to `none`.
 * @param after, upto SQL of the positions between which entries count
 */
export const gains = (after: string, upto: string): string => `
  with ${LOTS_BY_PLAN},
  -- The entries that touch income or expenses.
  moved as (
    select position, at, fact, account, delta from journal_line
     where account = any($1::text[]) and commodity = 'usd' and at >= $2 and at < $3
       and position > ${after} and position <= ${upto}),
  entry_of as (select distinct position, fact from moved),
  -- By position and lot.
  source as (
    select e.position, l.lot_id, abs(l.delta) as weight
      from entry_of e
      join (select position, ${LOT_OF_ACCOUNT} as lot_id, delta from journal_line where ${DEFERRED}) l using (position)
     where e.fact in (${OF_LINES})
    union all
    select e.position, event.data->>'lotId', 1 from entry_of e join readable_event event using (position)
     where e.fact in (${OF_EVENTS})
    union all
    select e.position, l.lot_id, abs(l.delta)
      from entry_of e
      join readable_event event using (position)
      -- A sale is recorded in the transaction of its CreditsSpent.
      join (select position, data->>'purchaseId' as purchase_id from readable_event
             where type = 'CreditsSpent' and position > ${after} - ${AT_ONCE} and position <= ${upto}) spent
        on spent.purchase_id = event.data->>'purchaseId'
      join (select position, ${LOT_OF_ACCOUNT} as lot_id, delta from journal_line where ${DEFERRED}) l
        on l.position = spent.position
     where e.fact = 'share-earned'
    union all
    select e.position, l.lot_id, abs(l.delta)
      from entry_of e
      join readable_event event using (position)
      join readable_event spent on spent.stream = 'credits-' || (event.data->>'buyerId')
       and spent.type = 'CreditsSpent' and spent.data->>'purchaseId' = event.data->>'purchaseId'
      join (select position, ${LOT_OF_ACCOUNT} as lot_id, delta from journal_line where ${DEFERRED}) l
        on l.position = spent.position
     where e.fact = 'share-returned'
    union all
    select e.position, lot.lot_id, lot.gross
      from entry_of e join balance_transaction t using (position) join lot on lot.invoice_id = t.about
     where e.fact = 'stripe-fee'),
  part as (
    select position, plan, sum(weight) as weight, sum(sum(weight)) over (partition by position order by plan) as upto,
           sum(sum(weight)) over (partition by position) as whole
      from source join lot using (lot_id) group by position, plan)
  select to_char(${MONTH}, 'YYYY-MM') as month, coalesce(plan, 'none') as plan, account,
         -sum(case when whole > 0 then sign(delta) * (floor(abs(delta) * upto / whole) - floor(abs(delta) * (upto - weight) / whole))
                   else delta end)::bigint as gain
    from moved left join part on part.position = moved.position and part.whole > 0
   group by 1, 2, 3`;

/** The sums that `margin-months.ts` has stored cover events up to this position. */
const SETTLED = '(select upto from margin_progress)';
const END = '9223372036854775807';

export async function marginOf(
  database: Database,
  { from, to }: { from: Date; to: Date },
): Promise<MarginReport> {
  const { rows } = await database.long.query({
    name: 'margin',
    text: `select month, plan, account, sum(gain)::bigint as gain
             from (select month, plan, account, gain from margin_month where month >= $4 and month <= $5
                   union all select * from (${gains(SETTLED, END)}) as newest) as all_of_them
            group by 1, 2, 3`,
    values: [
      MARGIN_ACCOUNTS,
      from,
      to,
      from.toISOString().slice(0, 7),
      new Date(to.getTime() - 1).toISOString().slice(0, 7),
    ],
  });
  const items = new Map<string, Margin>();
  for (const { month, plan, account, gain } of rows as Gain[]) {
    const item = items.get(`${month} ${plan}`) ?? nothing(month, plan);
    items.set(`${month} ${plan}`, item);
    item[COLUMN_OF[account]] += gain;
    item.marginMicroUsd += gain;
  }
  const order = ({ plan }: Margin) => MARGIN_PLANS.indexOf(plan);
  return {
    items: [...items.values()].toSorted((a, b) => a.month.localeCompare(b.month) || order(a) - order(b)),
  };
}

interface Gain {
  month: string;
  plan: Margin['plan'];
  account: Earning['name'];
  gain: number;
}

const nothing = (month: string, plan: Margin['plan']): Margin => ({
  month,
  plan,
  recognisedMicroUsd: 0,
  forfeitedMicroUsd: 0,
  refundsMicroUsd: 0,
  sharesMicroUsd: 0,
  feesMicroUsd: 0,
  chargebacksMicroUsd: 0,
  goodwillMicroUsd: 0,
  lossesMicroUsd: 0,
  marginMicroUsd: 0,
});
