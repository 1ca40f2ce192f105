/**
 * Compares verifying and rebuilding the books from the log with plain SQL on the same events in the same run. SQL
 * folds the one integer column, and verifies the hashes and balances as far as it can.
 *
 *   npm run bench -- bench/replay.ts [events, such as 5000000; by default 100000 and then 1000000]
 */
import { Database } from '../adapters/platform/database/database.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { migrate } from '../adapters/platform/database/migrate.js';
import { Projector } from '../adapters/platform/projections/projector.js';
import { PostgresBookQueries } from '../adapters/ledger/postgres-books.js';
import { earnings } from '../adapters/payouts/postgres-earnings.js';
import { journal } from '../adapters/ledger/journal.js';
import { LogAudit } from '../application/ledger/audit-log.js';
import { verifyChain } from '../application/operations/verify-chain.js';
import { SystemClock } from '../application/shared/clock.js';
import { writeSalesLog } from './support/sales-log.js';
import { withServer } from './support/with-server.js';

const SIZES = process.argv[2] ? [Number(process.argv[2])] : [100_000, 1_000_000];

const FOLD = `select count(*) from (select stream, sum(credit_delta) from event group by stream) s`;

/** Verifies every hash against the one before, and sums balances from the JSON that the hashes cover. */
const PROOF = `
  with chained as (
    select hash, sha256(lag(hash, 1, decode(repeat('00', 32), 'hex')) over (order by position)
             || convert_to('[' || position || ',' || to_json(stream) || ',' || version || ',' || to_json(type) || ','
                           || (extract(epoch from recorded_at) * 1000)::bigint || ']' || E'\\n' || data || E'\\n' || metadata, 'UTF8')) as expected
      from event),
  balances as (
    select stream, sum(case type when 'CreditsGranted' then 1 else -1 end * (data->>'credits')::int)
      from event where type in ('CreditsGranted', 'CreditsSpent') group by stream)
  select (select count(*) from chained where hash <> expected)::int as broken, (select count(*) from balances) as balances`;

interface Timing {
  name: string;
  wallMs: number;
  /** Time of this process, without the database. */
  cpuMs: number;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<Timing> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { name, wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1_000 };
}

function expect(held: boolean, what: string): void {
  if (!held) throw new Error(what);
}

async function measure(database: Database, events: number): Promise<void> {
  await migrate(database);
  await writeSalesLog(database, events);
  const log = new PostgresEventStore(database, new SystemClock());
  const projector = new Projector(database, log);
  const fold = await timed('plain SQL: one integer column', () => database.pool.query(FOLD));
  const timings = [
    fold,
    await timed('plain SQL: hashes and balances', async () => {
      const { rows } = await database.pool.query(PROOF);
      expect(rows[0].broken === 0, `${rows[0].broken} hashes are wrong`);
    }),
    await timed('code: hashes, audit, one reading', async () => {
      const audit = new LogAudit();
      const verdict = await verifyChain(log, { witness: audit.witness });
      expect(verdict.verified && audit.finish().length === 0, JSON.stringify(verdict));
    }),
    await timed('journal rebuilt', () => projector.rebuild(journal)),
    await timed('earnings rebuilt', () => projector.rebuild(earnings)),
    await timed('journal refolded and compared', async () => {
      const drift = await projector.drift(journal);
      expect(
        drift.every(({ rows }) => rows === 0),
        JSON.stringify(drift),
      );
    }),
  ];
  await database.pool.query('vacuum analyze journal_line');
  const { rows } = await database.pool.query(`select count(*)::int as lines from journal_line`);
  const books = new PostgresBookQueries(database);
  const balance = await timed('', () => books.trialBalance({ asOf: new Date(), grouped: true }));
  console.log(`\n${events.toLocaleString('en')} events`);
  console.log(`${' '.repeat(34)}     events/s  of plain SQL  own CPU/event`);
  for (const { name, wallMs, cpuMs } of timings) {
    const rate = Math.round((events / wallMs) * 1_000).toLocaleString('en');
    const own = `${((cpuMs * 1_000) / events).toFixed(1)} µs`;
    console.log(
      `${name.padEnd(34)} ${rate.padStart(12)} ${(fold.wallMs / wallMs).toFixed(3).padStart(13)} ${own.padStart(14)}`,
    );
  }
  console.log(
    `trial balance of ${rows[0].lines.toLocaleString('en')} lines: ${Math.round(balance.wallMs)} ms`,
  );
  console.log(`most memory of this process so far: ${Math.round(process.resourceUsage().maxRSS / 1_000)} MB`);
}

await withServer(async ({ emptyDatabase }) => {
  for (const events of SIZES) {
    const database = new Database(await emptyDatabase(`replay_${events}`));
    await measure(database, events).finally(() => database.close());
  }
});
