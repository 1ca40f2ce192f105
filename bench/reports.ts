/**
 * Measures each report of finance on a journal of this many lines, the sales of a year.
 *
 *   npm run bench -- bench/reports.ts [lines, 1000000 by default]
 */
import { PostgresBookQueries } from '../adapters/ledger/postgres-books.js';
import { CreatorAccountQueries } from '../adapters/ledger/creator-accounts.js';
import { MonthlyBookQueries } from '../adapters/ledger/monthly-books.js';
import { journal } from '../adapters/ledger/journal.js';
import { stripeWords } from '../adapters/vendors/stripe/stripe-words.js';
import { PostgresOpenBookQueries } from '../adapters/ledger/postgres-open-books.js';
import { MarginMonths } from '../adapters/ledger/reports/margin-months.js';
import { PostgresLedgerReports } from '../adapters/ledger/reports/postgres-ledger-reports.js';
import { PostgresSalesUnderReview } from '../adapters/payouts/postgres-sales-under-review.js';
import { earnings } from '../adapters/payouts/postgres-earnings.js';
import { credits } from '../adapters/credits/credits.js';
import { Database } from '../adapters/platform/database/database.js';
import { migrate } from '../adapters/platform/database/migrate.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../adapters/platform/projections/projector.js';
import { SystemClock } from '../application/shared/clock.js';
import { boundsOf } from '../domain/ledger/period.js';
import { writeSalesLog } from './support/sales-log.js';
import { withServer } from './support/with-server.js';

const LINES = Number(process.argv[2] ?? 1_000_000);
/** A sale is two events and six lines. */
const EVENTS = Math.round(LINES / 3);
const YEAR_MS = 365 * 86_400_000;
const TIMES = 5;

/** Returns the milliseconds of the first run, with cold caches, and the median of the other runs. */
async function timed(work: () => Promise<unknown>): Promise<[first: number, then: number]> {
  const took: number[] = [];
  for (let n = 0; n <= TIMES; n += 1) {
    const startedAt = performance.now();
    await work();
    took.push(performance.now() - startedAt);
  }
  const [first = 0, ...others] = took;
  return [first, others.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0];
}

async function measure(database: Database): Promise<void> {
  await migrate(database);
  await writeSalesLog(database, EVENTS, { apartMs: Math.floor(YEAR_MS / EVENTS) });
  const projector = new Projector(database, new PostgresEventStore(database, new SystemClock()));
  for (const readModel of [journal, earnings, credits]) await projector.rebuild(readModel);
  await database.pool.query('vacuum analyze');
  const { rows } = await database.pool.query(
    'select count(*)::int as lines, max(at) as last from journal_line',
  );
  const { lines, last } = rows[0] as { lines: number; last: Date };
  const books = new PostgresBookQueries(database);
  const months = new MonthlyBookQueries(database);
  const reports = new PostgresLedgerReports(database);
  const month = last.toISOString().slice(0, 7);
  const REPORTS: Record<string, () => Promise<unknown>> = {
    'trial balance': () => books.trialBalance({ asOf: last, grouped: true }),
    'trial balance, account by account': () => books.trialBalance({ asOf: last, grouped: false }),
    'balances over time': () => months.balances(last),
    'roll-forward of credits': () => months.rollforward(last, undefined),
    'deferred revenue': () => reports.deferred(last),
    'ageing of lots': () => reports.ageing(last),
    'margin of all months': () => reports.margin({}),
    'margin of one month': () => reports.margin({ from: month, to: month }),
    'journal of a month': () => reports.turnover(boundsOf(month)),
    'accounts of creators': () => new CreatorAccountQueries(database).list({ search: '', limit: 50 }),
    'open items': () => new PostgresOpenBookQueries(database, stripeWords).openItems(last),
    'sales under review': () => new PostgresSalesUnderReview(database).list({ limit: 100 }),
  };
  const startedAt = performance.now();
  await new MarginMonths(database, { now: () => last }).settle();
  console.log(`margins added up up to a week ago in ${(performance.now() - startedAt).toFixed(0)} ms`);
  console.log(`${lines.toLocaleString('en')} lines of the journal\n${' '.repeat(36)} first ms   then ms`);
  for (const [name, report] of Object.entries(REPORTS)) {
    const [first, then] = await timed(report);
    console.log(`${name.padEnd(36)} ${first.toFixed(0).padStart(8)} ${then.toFixed(0).padStart(9)}`);
  }
}

await withServer(async ({ url }) => {
  const database = new Database(url);
  await measure(database).finally(() => database.close());
});
