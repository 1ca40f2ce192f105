/** Raw SQL: sums over lines of the journal, and the events that granted lots. */
import type { MarginReport, MonthsQuery } from '../../../application/ledger/reports/margin-contract.js';
import type { AgeingReport, DeferredReport } from '../../../application/ledger/reports/report-contract.js';
import { ReportQueries, type Turnover } from '../../../application/ledger/reports/month-journal.js';
import { chartLineOf } from '../../../domain/ledger/accounts.js';
import { DatabaseAdapter } from '../../platform/database/database.js';
import { boundsOf } from '../../../domain/ledger/period.js';
import type { LedgerFact } from '../../../domain/ledger/entry.js';
import { MONTH, monthsFrom } from '../month-terms.js';
import { quoted } from '../proof/check-terms.js';
import { DEFERRED } from './lots-by-plan.js';
import { marginOf } from './margin.js';

const among = (...facts: LedgerFact[]): string => `fact in (${quoted(facts)})`;

const REFUNDS = among('invoice-refunded', 'refund-undone');
// If we win a lost dispute on appeal, `dispute-won` restores the credits that the dispute took from an unredeemed
// gift.
const CHARGEBACKS = among('dispute-lost', 'dispute-won');
const ADJUSTMENTS = among('adjustment');

/**
 * Lines of deferred revenue and its forfeited part. Leaves out entries of the fact `adjusting-entry`, because they
 * forfeit money of other accounts.
 */
const DEFERRED_LINES = `select at, fact, delta, account <> 'forfeited' as deferred from journal_line
   where ${DEFERRED} or account = 'forfeited' and (${REFUNDS} or ${CHARGEBACKS} or ${ADJUSTMENTS})`;

/**
 * Sums by kind of movement. Kinds that `DeferredMonth` subtracts are positive when they reduce deferred
 * revenue. The value that a refund forfeits counts as forfeited, not as
 * refunded, because the customer did not get it back.
 */
const DEFERRED_MOVES = {
  invoicedMicroUsd: { sign: '-', where: among('invoice-paid') },
  promotionsMicroUsd: { sign: '-', where: among('promotion') },
  returnedMicroUsd: { sign: '-', where: among('return') },
  recognisedMicroUsd: { sign: '', where: among('credits-spent') },
  refundedMicroUsd: { sign: '', where: REFUNDS },
  chargedBackMicroUsd: { sign: '', where: CHARGEBACKS },
  forfeitedMicroUsd: { sign: '-', where: 'not deferred' },
  adjustedMicroUsd: { sign: '-', where: ADJUSTMENTS },
} as const;

/** The maximum age in days of each group of lots. One more group has all older lots. */
const AGES = [30, 90, 180, 365];

export class PostgresLedgerReports extends DatabaseAdapter implements ReportQueries {
  async deferred(now: Date, { from = '', to = '9' }: MonthsQuery = {}): Promise<DeferredReport> {
    const moves = Object.entries(DEFERRED_MOVES).map(
      ([step, { sign, where }]) =>
        `coalesce(${sign}sum(delta) filter (where ${where}), 0)::bigint as "${step}"`,
    );
    const { rows } = await this.database.long.query({
      name: 'deferred-months',
      text: `select to_char(month, 'YYYY-MM') as name, months.*
               from (select ${MONTH} as month, coalesce(-sum(delta) filter (where deferred), 0)::bigint as moved, ${moves.join(', ')}
                       from (${DEFERRED_LINES}) as line group by 1) as months order by months.month`,
    });
    type Moves = Record<keyof typeof DEFERRED_MOVES, number> & { moved: number };
    const byMonth = new Map((rows as (Moves & { name: string })[]).map((row) => [row.name, row]));
    let closingMicroUsd = 0;
    return {
      items: monthsFrom((rows[0] as { name: string } | undefined)?.name, now)
        .map((month) => {
          const openingMicroUsd = closingMicroUsd;
          const found = byMonth.get(month);
          closingMicroUsd += found?.moved ?? 0;
          const steps = Object.fromEntries(
            Object.keys(DEFERRED_MOVES).map((step) => [step, found?.[step as keyof Moves] ?? 0]),
          ) as Omit<Moves, 'moved'>;
          return { month, openingMicroUsd, ...steps, closingMicroUsd };
        })
        .filter(({ month }) => from <= month && month <= to),
    };
  }

  margin({ from, to }: MonthsQuery): Promise<MarginReport> {
    return marginOf(this.database, {
      from: from === undefined ? new Date(0) : boundsOf(from).from,
      to: to === undefined ? new Date('2100-01-01') : boundsOf(to).to,
    });
  }

  async ageing(asOf: Date): Promise<AgeingReport> {
    const { rows } = await this.database.long.query({
      name: 'deferred-ages',
      // The first journal line of a lot belongs to the event that granted the lot.
      text: `select width_bucket(floor(extract(epoch from $1 - (e.data->>'grantedAt')::timestamptz) / 86400)::int, $2::int[]) as bucket,
                    count(*)::int as lots, sum(worth)::bigint as total,
                    coalesce(sum(worth) filter (where e.data->>'kind' = 'paid'), 0)::bigint as paid
               from (select min(position) as position, -sum(delta)::bigint as worth from journal_line
                      where ${DEFERRED} and at <= $1
                      group by account having sum(delta) <> 0) as lot
               join readable_event e using (position) group by 1`,
      values: [asOf, AGES.map((last) => last + 1)],
    });
    const found = new Map(
      (rows as { bucket: number; lots: number; total: number; paid: number }[]).map((row) => [
        row.bucket,
        row,
      ]),
    );
    return {
      asOf: asOf.toISOString(),
      items: [...AGES, undefined].map((last, at) => {
        const { lots = 0, total = 0, paid = 0 } = found.get(at) ?? {};
        const first = at === 0 ? 0 : (AGES[at - 1] ?? 0) + 1;
        return {
          age: last === undefined ? `over ${first - 1}` : `${first}–${last}`,
          lots,
          paidMicroUsd: paid,
          promotionalMicroUsd: total - paid,
          totalMicroUsd: total,
        };
      }),
    };
  }

  async turnover({ from, to }: { from: Date; to: Date }): Promise<Turnover[]> {
    const sums = (condition: string) =>
      `json_build_object('from', coalesce(sum(abs(delta)) filter (where ${condition} and at < $1), 0),
                         'to', coalesce(sum(abs(delta)) filter (where ${condition}), 0))`;
    const { rows } = await this.database.long.query({
      name: 'turnover',
      text: `select account, ${sums('delta > 0')} as debit, ${sums('delta < 0')} as credit
               from journal_line where commodity = 'usd' and at < $2 group by account`,
      values: [from, to],
    });
    const groups = new Map<string, Turnover>();
    for (const row of rows as Turnover[]) {
      // Tax is filed per jurisdiction, so the tax account of each jurisdiction has its own sums.
      const account = row.account.startsWith('tax:') ? row.account : chartLineOf(row.account);
      const sum = groups.get(account) ?? { account, debit: { from: 0, to: 0 }, credit: { from: 0, to: 0 } };
      groups.set(account, sum);
      for (const side of ['debit', 'credit'] as const) {
        sum[side].from += row[side].from;
        sum[side].to += row[side].to;
      }
    }
    return [...groups.values()];
  }
}
