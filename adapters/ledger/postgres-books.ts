/** Raw SQL: the books are sums over all lines of the journal, with the JSON of the log. */
import type {
  AccountStatement,
  ClosedPeriods,
  Rollforward,
  Span,
  TrialBalance,
} from '../../application/ledger/contract.js';
import { BookQueries, type JournalLine } from '../../application/ledger/queries.js';
import { chartedAccount } from '../../domain/ledger/accounts.js';
import type { LedgerFact } from '../../domain/ledger/entry.js';
import { GENESIS_HASH } from '../../application/shared/proof/hash-chain.js';
import type { ClosedPeriod } from '../../domain/ledger/period.js';
import { COLUMNS } from '../platform/event-log/postgres-event-store.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { balances, otherCurrencies, sumOf, type BalanceSql } from './balance-rows.js';
import { FIRST_MONTH } from './month-terms.js';
import { CLOSINGS, nameOf, quoted } from './proof/check-terms.js';
import { CREDIT_MOVES, creditAccountsOf } from './credit-moves.js';

const PAGE_LINES = 5_000;
/** Movements at the payment provider. They may precede the first month of the books, as part of the opening balance. */
const FACTS_OF_MOVEMENTS: readonly LedgerFact[] = [
  'stripe-fee',
  'movement-in-suspense',
  'bank-payout-sent',
  'bank-payout-arrived',
  'bank-payout-failed',
];
const BEGINNING = new Date(0);
const END = new Date(Date.UTC(9999, 0));

export class PostgresBookQueries extends DatabaseAdapter implements BookQueries {
  async position(): Promise<number> {
    const checkpoint = await this.database.db
      .selectFrom('checkpoint')
      .select('position')
      .where('name', '=', 'journal')
      .executeTakeFirst();
    return checkpoint?.position ?? 0;
  }

  async trialBalance({ asOf, grouped }: { asOf: Date; grouped: boolean }): Promise<TrialBalance> {
    const { rows } = await this.database.long.query({
      name: 'trial-balance',
      text: `select moved.*, case when $2 then ${nameOf('account')} end as name
               from (select account, commodity, sum(delta)::bigint as balance, max(position) as position
                       from journal_line where at <= $1 group by account, commodity) as moved`,
      values: [asOf, !grouped],
    });
    const sums = rows as BalanceSql[];
    const usd = balances(sums, 'usd', grouped);
    const credits = balances(sums, 'credits', true);
    return {
      asOf: asOf.toISOString(),
      position: sums.reduce((newest, { position }) => Math.max(newest, position), 0),
      accounts: usd.map(({ balance, ...row }) => ({
        ...row,
        debitMicroUsd: Math.max(balance, 0),
        creditMicroUsd: Math.max(-balance, 0),
      })),
      totals: { debitMicroUsd: sumOf(usd, 1), creditMicroUsd: sumOf(usd, -1) },
      credits: {
        accounts: credits.map(({ balance, ...row }) => ({
          ...row,
          debitCredits: Math.max(balance, 0),
          creditCredits: Math.max(-balance, 0),
        })),
        totals: { debitCredits: sumOf(credits, 1), creditCredits: sumOf(credits, -1) },
      },
      otherCurrencies: otherCurrencies(sums),
    };
  }

  async statement(
    account: string,
    page: Span & { limit: number; cursor?: string; order?: 'oldest' | 'newest' },
  ): Promise<AccountStatement> {
    const { from = BEGINNING, to = END, limit, cursor, order } = page;
    const [beyond, falling, start] = order === 'newest' ? ['<', 'desc', END] : ['>', '', BEGINNING];
    const [seenAt, seen] = decodeCursor(cursor, ['time', 'integer']) ?? [start, 0];
    const { rows } = await this.database.long.query({
      name: `account-statement ${falling}`,
      text: `with running as (
               select position, at, fact, delta,
                      sum(delta) over (order by at, position rows unbounded preceding)::bigint as balance
                 from (select position, min(at) as at, min(fact) as fact, sum(delta)::bigint as delta
                         from journal_line where account = $1 and at < $3 group by position) as moved)
             select r.at, r.fact, r.delta, r.balance,
                    (select balance from running order by at desc, position desc limit 1) as closing, ${nameOf('$1')} as name, e.*
               from (select * from running where at >= $2 and (at, position) ${beyond} ($4::timestamptz, $6::bigint) order by at ${falling}, position ${falling} limit $5) as r
               right join (select 1) as always on true
               left join (select ${COLUMNS} from event) as e on e.position = r.position
              order by r.at ${falling}, r.position ${falling}`,
      values: [account, from, to, seenAt, limit + 1, seen],
    });
    const [first] = rows as { closing: number | null; name: string | null }[];
    const { commodity, kind } = chartedAccount(account) ?? { commodity: 'usd', kind: 'asset' as const };
    const inUsd = (amount: number): number => (commodity === 'usd' ? amount : 0);
    const inCredits = (amount: number): number => (commodity === 'credits' ? amount : 0);
    const found = (rows as StatementSql[]).filter(({ position }) => position !== null);
    const { shown, nextCursor } = pageOf(found, limit, ({ at, position }) => [at, position]);
    const entries = shown.map(({ at, fact, delta, balance, closing: _closing, name: _name, ...event }) => ({
      position: event.position,
      at: at.toISOString(),
      fact,
      deltaMicroUsd: inUsd(delta),
      balanceMicroUsd: inUsd(balance),
      deltaCredits: inCredits(delta),
      balanceCredits: inCredits(balance),
      event: auditedEvent(event),
    }));
    const closing = first?.closing ?? 0;
    return {
      account,
      kind,
      ...(first?.name && { name: first.name }),
      balanceMicroUsd: inUsd(closing),
      balanceCredits: inCredits(closing),
      ...(commodity === 'usd' || commodity === 'credits'
        ? {}
        : { other: { currency: commodity, balanceMicro: closing } }),
      entries,
      nextCursor,
    };
  }

  async rollforward(span: Span & { userId?: string }): Promise<Rollforward> {
    const { from = BEGINNING, to = END, userId } = span;
    const moves = Object.entries(CREDIT_MOVES).map(
      ([step, { sign, facts }]) =>
        `coalesce(${sign}sum(delta) filter (where at >= $2 and fact in (${facts})), 0)::bigint as ${step}`,
    );
    const { rows } = await this.database.long.query({
      name: `credit-rollforward${userId === undefined ? '' : '-of-user'}`,
      text: `select coalesce(sum(delta) filter (where at < $2), 0)::bigint as opening, ${moves.join(', ')},
                    coalesce(sum(delta), 0)::bigint as closing
               from journal_line where at < $3 and ${creditAccountsOf(userId, '$1')}`,
      values: [userId ?? null, from, to],
    });
    return rows[0] as Rollforward;
  }

  async atEndOf(end: Date): Promise<Pick<ClosedPeriod, 'lastPosition' | 'hash' | 'balances'>> {
    return this.database.longTransaction(async (client) => {
      await client.query('set transaction isolation level repeatable read, read only');
      const last = await client.query(
        // The month's last line may come from an event recorded after the month: an adjusting entry, or a fact that
        // the provider reported late, can be posted into a past month.
        `select position as "lastPosition", encode(hash, 'hex') as hash from event
          where position = greatest((select max(position) from event where recorded_at < $1),
                                    (select max(position) from journal_line where at < $1))`,
        [end],
      );
      const sums = await client.query(
        `select account, commodity, sum(delta)::bigint as balance from journal_line
          where at < $1 group by account, commodity having sum(delta) <> 0 order by account`,
        [end],
      );
      const { lastPosition, hash } = (last.rows[0] as { lastPosition: number; hash: string } | undefined) ?? {
        lastPosition: 0,
        hash: GENESIS_HASH,
      };
      return { lastPosition, hash, balances: sums.rows as ClosedPeriod['balances'] };
    });
  }

  async turn(): Promise<{ firstMonth: string | undefined; closedMonths: string[] }> {
    const first = await this.database.long.query<{ month: string | null }>(
      `select coalesce(${FIRST_MONTH}, (select to_char(min(at) at time zone 'UTC', 'YYYY-MM') from journal_line)) as month`,
    );
    const { rows } = await this.database.long.query<{ month: string }>(
      `select data->>'month' as month from ${CLOSINGS} closing`,
    );
    return { firstMonth: first.rows[0]?.month ?? undefined, closedMonths: rows.map(({ month }) => month) };
  }

  async firstOwnMonth(): Promise<string | undefined> {
    const { rows } = await this.database.long.query<{ month: string }>(
      `select to_char(at at time zone 'UTC', 'YYYY-MM') as month from journal_line
        where fact not in (${quoted(FACTS_OF_MOVEMENTS)}) order by at limit 1`,
    );
    return rows[0]?.month;
  }

  async closedPeriods(): Promise<ClosedPeriods> {
    const { rows } = await this.database.long.query(
      `select data->>'month' as month, (data->>'lastPosition')::bigint as "lastPosition", data->>'hash' as hash, data->>'by' as "closedBy",
              coalesce(u.display_name, case when data->>'by' like 'system:%' then 'The command line' else 'Former member' end) as "closedByName",
              data->>'at' as "closedAt", signed.by as "signedBy", signed.at as "signedAt",
              case when signed.by is not null then coalesce(signed.name, 'Former member') end as "signedByName",
              (select coalesce(sum(greatest((b->>'balance')::bigint, 0)), 0)::bigint from json_array_elements(data->'balances') b
                where b->>'commodity' = 'usd') as "totalDebitMicroUsd"
         from ${CLOSINGS} closing left join user_account u on u.user_id = data->>'by' and u.erased_at is null
              left join lateral (
                select s.data->>'by' as by, s.data->>'at' as at, p.display_name as name from readable_event s
                  left join user_account p on p.user_id = s.data->>'by' and p.erased_at is null
                 where s.stream = closing.stream and s.version > closing.version and s.type = 'PeriodSigned') signed on true
        order by data->>'month' desc`,
    );
    return { items: rows as ClosedPeriods['items'] };
  }

  async *accounts({ from = BEGINNING, to = END }: Span): AsyncGenerator<string[]> {
    let after = '';
    for (;;) {
      const { rows } = await this.database.long.query({
        name: 'journal-accounts',
        text: `select distinct account from journal_line where account > $1 and at >= $2 and at < $3
                order by account limit $4`,
        values: [after, from, to, PAGE_LINES],
      });
      const page = (rows as { account: string }[]).map(({ account }) => account);
      if (page.length > 0) yield page;
      after = page.at(-1) ?? '';
      if (page.length < PAGE_LINES) return;
    }
  }

  async *lines({ from = BEGINNING, to = END }: Span): AsyncGenerator<JournalLine[]> {
    let after = [0, -1];
    for (;;) {
      const { rows } = await this.database.long.query({
        name: 'journal-lines',
        text: `select l.position, l.line, l.at, l.fact, l.account, l.commodity, l.delta, e.stream, e.type
                 from (select * from journal_line
                        where (position, line) > ($1, $2) and at >= $3 and at < $4 order by position, line limit $5) as l
                 join event e on e.position = l.position order by l.position, l.line`,
        values: [...after, from, to, PAGE_LINES],
      });
      const page = rows as JournalLine[];
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE_LINES) return;
      after = [last.position, last.line];
    }
  }
}

interface EventSql {
  position: number;
  stream: string;
  version: number;
  type: string;
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
  recorded_at: Date;
  hash: string;
}

type StatementSql = EventSql & {
  at: Date;
  fact: string;
  delta: number;
  balance: number;
  closing: number;
  name: string | null;
};

export const auditedEvent = ({ recorded_at, ...event }: EventSql) => ({
  ...event,
  recordedAt: recorded_at.toISOString(),
});
