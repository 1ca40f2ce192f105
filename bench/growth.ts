/**
 * Measures a shop with many sales: the start of a node, purchases compared to those on an empty log, the sizes of
 * tables, and the time of a full `offcut doctor`.
 *
 *   npm run build:server && npm run bench -- bench/growth.ts <folder> [events, 10000000 by default] [--fill] [--no-doctor]
 *
 * An empty folder is filled first and kept; `--fill` only fills it. Ten million events take about ten minutes and
 * 25 GB. TEST_POSTGRES_BIN names the programs of another PostgreSQL than the embedded one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Database } from '../adapters/platform/database/database.js';
import { freePort } from '../adapters/platform/database/embedded/launch.js';
import { credits } from '../adapters/credits/credits.js';
import { ownedSamples } from '../adapters/purchases/owned-samples.js';
import { readConfig } from '../bootstrap/config.js';
import { PROJECTIONS } from '../bootstrap/projections.js';
import { openResources } from '../bootstrap/resources.js';
import { executorOn, stock } from '../test/support/stock.js';
import { purchasesOn, theExecutor } from './support/credit-executor.js';
import { keepInFlight, print, sideBySide, type Contender } from './support/measure.js';
import { saleAt, SALES_SAMPLES, writeSalesLog } from './support/sales-log.js';
import { withServer } from './support/with-server.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { fill: { type: 'boolean', default: false }, doctor: { type: 'boolean', default: true } },
});
const [given, size = '10000000'] = positionals;
if (!given) {
  console.error('The folder of the data is missing.');
  process.exit(2);
}
const folder = resolve(given);
const EVENTS = Number(size);
/** At ten million events, each user has bought fifty samples. */
const USERS = Math.round(EVENTS / 100);
const GOAL = 0.8;
const SMALLEST_SHOWN = 10_000_000;
const WARM_UP_S = 48;
const WARM_UP_STEP_S = 8;

await withServer(
  async ({ url, emptyDatabase }) => {
    const database = new Database(url);
    try {
      if (!(await isFilled(database))) await fill(database, url);
      if (!values.fill) await measure(database, url, await emptyDatabase(`empty_${process.pid}`));
    } finally {
      await database.close();
    }
  },
  {
    keptIn: folder,
    programs: process.env.TEST_POSTGRES_BIN,
    settings: ['shared_buffers=2GB', 'max_wal_size=8GB', 'maintenance_work_mem=512MB'],
  },
);

function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}

function settingsFor(url: string): Record<string, string> {
  return { NODE_ENV: 'test', DATA_DIR: join(folder, 'product'), DATABASE_URL: url, DEMO_CONTENT: 'off' };
}

async function isFilled(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query(`select to_regclass('certificate') is not null as made`);
  if (!rows[0].made) return false;
  const { rowCount } = await database.pool.query('select from certificate limit 1');
  return rowCount === 1;
}

/** Writes the log as the product chains it, and rebuilds its read models concurrently. */
async function fill(database: Database, url: string): Promise<void> {
  const resources = await openResources(readConfig(settingsFor(url)));
  await resources.close();
  const readModels = [credits, ownedSamples, ...PROJECTIONS.async].map(({ name }) => name);
  const steps: [name: string, work: () => Promise<unknown>][] = [
    ['the log', () => writeSalesLog(database, EVENTS, { users: USERS })],
    ['read models', () => Promise.all(readModels.map((name) => offcut(url, 'projections', 'rebuild', name)))],
    ['certificates', () => writeCertificates(database)],
    ['vacuum', () => database.long.query('vacuum analyze')],
  ];
  for (const [name, work] of steps) {
    const startedAt = performance.now();
    await work();
    console.log(`filled: ${name.padEnd(20)} ${secondsSince(startedAt).padStart(9)}`);
  }
}

async function offcut(url: string, ...command: string[]): Promise<void> {
  const child = spawn(process.execPath, ['dist/server/cli/cli.js', ...command], {
    env: { ...process.env, ...settingsFor(url) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`offcut ${command.join(' ')} ended with ${code}`);
}

/** Writes rows as large as the product's, with fake signatures. */
async function writeCertificates(database: Database): Promise<void> {
  await database.long.query(
    `insert into certificate (certificate_id, buyer_id, sample_id, document, signature)
     select certificate_id, buyer_id, sample_id,
            json_build_object('id', certificate_id, 'sample', json_build_object('id', sample_id, 'title', sample_id, 'pack', 'Pack'),
                              'creator', json_build_object('id', creator_id, 'displayName', 'Former creator'),
                              'licensee', json_build_object('id', buyer_id, 'displayName', 'Former member'),
                              'licenceVersion', '1.1', 'aiTraining', false, 'issuedAt', purchased_at, 'fileSha256', repeat('a', 64)),
            repeat('s', 86)
       from owned_sample`,
  );
}

async function measure(database: Database, url: string, emptyUrl: string): Promise<void> {
  const { rows } = await database.pool.query(
    `select (select max(position) from log_end) as events, (select count(*)::int from credit_account) as users`,
  );
  const { events, users } = rows[0] as { events: number; users: number };
  const named = `${events.toLocaleString('en')} events`;
  console.log(`\n${named}, load ${loadavg()[0]?.toFixed(1)}`);
  await printSizes(database);
  const empty = await theExecutor(emptyUrl);
  await stock(database, SALES_SAMPLES);
  for (const [log, address] of [
    ['an empty log', emptyUrl],
    [named, url],
  ] as const)
    console.log(`a node is ready behind ${log}: ${await startUp(address)}`);
  const { rows: sold } = await database.pool.query('select count(*)::int as sales from owned_sample');
  const grown = contenderOn(database, sold[0].sales, users, named);
  await warmUp(grown(256));
  for (const inFlight of [256, 1]) {
    const both = [empty(inFlight), grown(inFlight)];
    const results = await sideBySide(both, { rounds: 5, durationMs: 2_000 });
    print(results, both[0]?.name as string);
    const [before, after] = results.map(({ perSecond }) => perSecond) as [number, number];
    if (inFlight > 1)
      console.log(
        `goal: ${GOAL} of the rate on an empty log: ${after >= GOAL * before ? 'reached' : 'missed'}`,
      );
  }
  // These samples are in no event, so the doctor would report them.
  await database.pool.query('delete from sample; delete from pack');
  if (!values.doctor) return;
  console.log();
  const startedAt = performance.now();
  await offcut(url, 'doctor');
  console.log(`offcut doctor: ${secondsSince(startedAt)}, load ${loadavg()[0]?.toFixed(1)}`);
}

/** Continues the purchases of the log's buyers with samples that they do not have. @param made purchases so far */
function contenderOn(
  database: Database,
  made: number,
  users: number,
  named: string,
): (inFlight: number) => Contender {
  const { executor } = executorOn(database);
  let n = made;
  const buy = purchasesOn(executor, () => saleAt(n++, users));
  return (inFlight) => ({
    name: `Offcut's executor, ${inFlight} in flight, behind ${named}`,
    run: (durationMs) => keepInFlight(inFlight, durationMs, buy),
  });
}

/** A new database server reads each page from disk once. A server that has run for days has them in memory. */
async function warmUp({ run }: Contender): Promise<void> {
  const rates: string[] = [];
  for (let second = 0; second < WARM_UP_S; second += WARM_UP_STEP_S) {
    const { done } = await run(WARM_UP_STEP_S * 1_000);
    rates.push(Math.round(done / WARM_UP_STEP_S).toLocaleString('en'));
  }
  console.log(
    `purchases a second while the database gets warm, ${WARM_UP_STEP_S} s each: ${rates.join(', ')}`,
  );
}

async function startUp(url: string): Promise<string> {
  const port = await freePort();
  const startedAt = performance.now();
  const node = spawn(process.execPath, ['dist/server/bootstrap/main.js'], {
    env: { ...process.env, ...settingsFor(url), ROLE: 'api', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (answer?.ok) return secondsSince(startedAt);
      if (node.exitCode !== null) throw new Error('the node did not start');
      await pause(20);
    }
  } finally {
    if (node.exitCode === null) {
      node.kill();
      await once(node, 'exit');
    }
  }
}

/** Prints tables and indexes, the largest first. */
async function printSizes(database: Database): Promise<void> {
  const { rows } = await database.long.query<{ name: string; rows: number; bytes: number }>(
    `select relname as name, reltuples::float8 as rows, pg_relation_size(oid)::float8 as bytes
       from pg_class where relkind in ('r', 'i') and pg_relation_size(oid) >= $1 order by bytes desc`,
    [SMALLEST_SHOWN],
  );
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log();
  for (const { name, rows: count, bytes } of [...rows, { name: 'together', rows: 0, bytes: total }])
    console.log(
      `${name.padEnd(36)} ${count.toLocaleString('en').padStart(14)} rows ${(bytes / 1e6).toFixed(0).padStart(8)} MB`,
    );
}
