/** Raw SQL: sums over all lines of the journal, month by month. */
import type { BalancesOverTime, MonthlyRollforward } from '../../application/ledger/contract.js';
import { CASH_ACCOUNTS } from '../../domain/ledger/accounts.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { CREDIT_MOVES, creditAccountsOf } from './credit-moves.js';
import { FIRST_MONTH, MONTH, monthsFrom } from './month-terms.js';
import { quoted } from './proof/check-terms.js';

const NAMED = `to_char(month, 'YYYY-MM') as month`;

export class MonthlyBookQueries extends DatabaseAdapter {
  async balances(now: Date): Promise<BalancesOverTime> {
    const { rows } = await this.database.long.query({
      name: 'balances-by-month',
      // Each range contains the accounts with one prefix, because ';' follows ':' in byte order.
      text: `select ${NAMED}, ${FIRST_MONTH} as begin, coalesce(sum(delta) filter (where side = 'cash'), 0)::bigint as cash,
                    -coalesce(sum(delta) filter (where side = 'deferred'), 0)::bigint as deferred,
                    -coalesce(sum(delta) filter (where side = 'creator'), 0)::bigint as creators
               from (select ${MONTH} as month, 'cash' as side, sum(delta)::bigint as delta from journal_line
                      where account in (${quoted(CASH_ACCOUNTS)}) group by 1
                     union all
                     select ${MONTH}, 'deferred', sum(delta)::bigint from journal_line
                      where account >= 'deferred:' and account < 'deferred;' group by 1
                     union all
                     select ${MONTH}, 'creator', sum(delta)::bigint from journal_line
                      where account >= 'creator:' and account < 'creator;' group by 1
                     union all
                     -- The books may begin with credits that are worth nothing.
                     (select ${MONTH}, 'first', 0 from journal_line order by position limit 1)) as moved
              group by moved.month order by 1`,
    });
    const moved = rows as {
      month: string;
      begin: string | null;
      cash: number;
      deferred: number;
      creators: number;
    }[];
    const byMonth = new Map(moved.map((row) => [row.month, row]));
    const begin = moved[0]?.begin ?? '';
    let [cashMicroUsd, deferredMicroUsd, creatorsMicroUsd] = [0, 0, 0];
    return {
      items: monthsFrom(moved[0]?.month, now)
        .map((month) => {
          const { cash = 0, deferred = 0, creators = 0 } = byMonth.get(month) ?? {};
          cashMicroUsd += cash;
          deferredMicroUsd += deferred;
          creatorsMicroUsd += creators;
          return { month, cashMicroUsd, deferredMicroUsd, creatorsMicroUsd };
        })
        .filter(({ month }) => month >= begin),
    };
  }

  async rollforward(now: Date, userId: string | undefined): Promise<MonthlyRollforward> {
    const moves = Object.entries(CREDIT_MOVES).map(
      ([step, { sign, facts }]) =>
        `coalesce(${sign}sum(delta) filter (where fact in (${facts})), 0)::bigint as ${step}`,
    );
    const { rows } = await this.database.long.query({
      name: `credit-months${userId === undefined ? '' : '-of-user'}`,
      text: `select ${NAMED}, moved, ${Object.keys(CREDIT_MOVES).join(', ')}
               from (select ${MONTH} as month, sum(delta)::bigint as moved, ${moves.join(', ')}
                       from journal_line where ${creditAccountsOf(userId, '$1')} group by 1) as months order by 1`,
      values: [userId ?? null],
    });
    const months = rows as (Record<keyof typeof CREDIT_MOVES, number> & { month: string; moved: number })[];
    const byMonth = new Map(months.map((row) => [row.month, row]));
    let closing = 0;
    return {
      items: monthsFrom(months[0]?.month, now).map((month) => {
        const opening = closing;
        const { moved, ...steps } = byMonth.get(month) ?? { moved: 0, ...NOTHING };
        closing += moved;
        return { ...steps, month, opening, closing };
      }),
    };
  }
}

const NOTHING = { granted: 0, spent: 0, returned: 0, revoked: 0, adjusted: 0 };
