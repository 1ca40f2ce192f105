/**
 * Rebuilding the books: the journal from the first event on, beside plain SQL that folds the same events in one
 * statement, and a trial balance of what came out.
 *
 *   npm run bench -- bench/replay.ts [events, 100000 unless told]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../adapters/postgres/database.js';
import { createDatabase, startEmbeddedPostgres } from '../adapters/postgres/embedded.js';
import { PostgresEventStore } from '../adapters/postgres/event-store.js';
import { migrate } from '../adapters/postgres/migrate.js';
import { Projector } from '../adapters/postgres/projector.js';
import { PostgresBooks } from '../adapters/postgres/read-models/books.js';
import { journal } from '../adapters/postgres/read-models/journal.js';
import { SystemClock } from '../application/ports/clock.js';

const EVENTS = Number(process.argv[2] ?? 100_000);
const USERS = 1_000;
const CREATORS = 200;

const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(folder);
await createDatabase(server.url, 'replay');
const url = new URL(server.url);
url.pathname = '/replay';
const database = new Database(url.href);
try {
  await migrate(database);
  await fill();
  const projector = new Projector(database, new PostgresEventStore(database, new SystemClock()));
  const fold = await timed(() =>
    database.pool.query(
      `select count(*) from (select stream, sum(credit_delta) from event group by stream) s`,
    ),
  );
  const before = process.memoryUsage().rss;
  const rebuild = await timed(() => projector.rebuild(journal));
  const grownMB = Math.round((process.memoryUsage().rss - before) / 1e6);
  const { rows } = await database.pool.query(`select count(*)::int as lines from journal_line`);
  await database.pool.query('vacuum analyze journal_line');
  const books = new PostgresBooks(database);
  const balance = await timed(() => books.trialBalance({ asOf: new Date(), grouped: true }));
  const rate = (ms: number) => Math.round(EVENTS / (ms / 1_000)).toLocaleString('en');
  console.log(`${EVENTS.toLocaleString('en')} events`);
  console.log(`plain SQL fold    ${rate(fold).padStart(12)} events/s   1.0`);
  console.log(
    `journal rebuilt   ${rate(rebuild).padStart(12)} events/s   ${(fold / rebuild).toFixed(3)}   memory +${grownMB} MB`,
  );
  console.log(`trial balance of ${rows[0].lines.toLocaleString('en')} lines: ${Math.round(balance)} ms`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** One lot a user, then purchases: a spend and a sale in turn. Hashes are left out: nothing here reads them. */
async function fill(): Promise<void> {
  await database.pool.query(
    `insert into event (position, stream, version, type, data, metadata, credit_delta, recorded_at, hash)
     select n, 'credits-u' || n, 1, 'CreditsGranted',
            json_build_object('userId', 'u' || n, 'lotId', 'l' || n, 'kind', 'paid', 'reason', 'monthly_grant', 'credits', 100000,
                              'valueMicroUsd', 15990000000, 'grantedAt', '2026-01-01',
                              'invoice', json_build_object('invoiceId', 'i' || n, 'invoiceLineId', 'il' || n, 'grossMicroUsd', 15990000000, 'taxMicroUsd', 0)),
            '{}', 100000, now(), sha256(n::text::bytea)
       from generate_series(1, $1::int) n`,
    [USERS],
  );
  await database.pool.query(
    `insert into event (position, stream, version, type, data, metadata, credit_delta, recorded_at, hash)
     select $1 + n,
            case n % 2 when 1 then 'credits-u' || (1 + n / 2 % $1) else 'purchase-u' || (1 + (n - 1) / 2 % $1) || '.s' || n end,
            case n % 2 when 1 then 2 + n / 2 / $1 else 1 end,
            case n % 2 when 1 then 'CreditsSpent' else 'SamplePurchased' end,
            case n % 2 when 1
              then json_build_object('userId', 'u' || (1 + n / 2 % $1), 'purchaseId', 'p' || n, 'credits', 1,
                                     'segments', json_build_array(json_build_object('lotId', 'l' || (1 + n / 2 % $1), 'credits', 1, 'valueMicroUsd', 159900)))
              else json_build_object('purchaseId', 'p' || (n - 1), 'buyerId', 'u' || (1 + (n - 1) / 2 % $1), 'sampleId', 's' || n, 'creatorId', 'c' || (n % $2),
                                     'priceCredits', 1, 'valueMicroUsd', 159900, 'shareMicroUsd', 95940, 'shareBps', 6000, 'policyVersion', 1) end,
            '{}', case n % 2 when 1 then -1 end, now(), sha256(n::text::bytea)
       from generate_series(1, $3::int) n`,
    [USERS, CREATORS, EVENTS - USERS],
  );
  await database.pool.query(`update log_head set position = $1`, [EVENTS]);
  await database.pool.query('vacuum analyze event');
}
