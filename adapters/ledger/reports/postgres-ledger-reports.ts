/** Raw SQL: sums over lines of the journal, and the events that granted lots. */
import { Injectable } from '@nestjs/common';
import type {
  BreakageReport,
  MarginReport,
  MonthsQuery,
} from '../../../application/ledger/reports/margin-contract.js';
import type { AgeingReport, DeferredReport } from '../../../application/ledger/reports/report-contract.js';
import { ReportQueries, type Turnover } from '../../../application/ledger/reports/reports.js';
import { chartedAccount } from '../../../domain/ledger/accounts.js';
import { Database } from '../../platform/database/database.js';
import { boundsOf } from '../../../domain/ledger/period.js';
import { MONTH, monthsFrom } from '../month-terms.js';
import { breakageOf } from './breakage.js';
import { DEFERRED_LINES, DEFERRED_MOVES } from './deferred-moves.js';
import { marginOf } from './margin.js';

/** The last day of each age group. The last group is older. */
const AGES = [30, 90, 180, 365];

@Injectable()
export class PostgresLedgerReports implements ReportQueries {
  constructor(private readonly database: Database) {}

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

  breakage(asOf: Date): Promise<BreakageReport> {
    return breakageOf(this.database, asOf);
  }

  async ageing(asOf: Date): Promise<AgeingReport> {
    const { rows } = await this.database.long.query({
      name: 'deferred-ages',
      // The first line of a lot belongs to the event that granted it.
      text: `select width_bucket(floor(extract(epoch from $1 - (e.data->>'grantedAt')::timestamptz) / 86400)::int, $2::int[]) as bucket,
                    count(*)::int as lots, sum(worth)::bigint as total,
                    coalesce(sum(worth) filter (where e.data->>'kind' = 'paid'), 0)::bigint as paid
               from (select min(position) as position, -sum(delta)::bigint as worth from journal_line
                      where account >= 'deferred:' and account < 'deferred;' and at <= $1
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
    const sums = (side: string, condition: string) =>
      `coalesce(sum(abs(delta)) filter (where ${condition} and at < $1), 0)::bigint as "${side}From",
       coalesce(sum(abs(delta)) filter (where ${condition}), 0)::bigint as "${side}To"`;
    const { rows } = await this.database.long.query({
      name: 'turnover',
      text: `select account, ${sums('debit', 'delta > 0')}, ${sums('credit', 'delta < 0')}
               from journal_line where commodity = 'usd' and at < $2 group by account`,
      values: [from, to],
    });
    const groups = new Map<string, Turnover>();
    for (const row of rows as TurnoverSql[]) {
      const account = chartedAccount(row.account)?.group ?? row.account;
      const { debit, credit } = groups.get(account) ?? {
        debit: { from: 0, to: 0 },
        credit: { from: 0, to: 0 },
      };
      groups.set(account, {
        account,
        debit: { from: debit.from + row.debitFrom, to: debit.to + row.debitTo },
        credit: { from: credit.from + row.creditFrom, to: credit.to + row.creditTo },
      });
    }
    return [...groups.values()];
  }
}

interface TurnoverSql {
  account: string;
  debitFrom: number;
  debitTo: number;
  creditFrom: number;
  creditTo: number;
}
