/**
 * Compares four ways to search the same catalogue in one run: ILIKE with the trigram index and without it, the
 * product's index in memory, and MiniSearch. Then measures filters by 50 concurrent users, and how long a node takes to load its index from a snapshot. With TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID
 * and TEST_S3_SECRET_ACCESS_KEY, the snapshot is in a bucket.
 *
 *   npm run bench -- bench/search.ts [goals] [sizes, by default 10000 100000; 1000000 takes some minutes]
 *
 * `goals` omits measurements without a goal.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import MiniSearch from 'minisearch';
import { Database } from '../adapters/platform/database/database.js';
import { createDatabase, startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { migrate } from '../adapters/platform/database/migrate.js';
import { IndexFinder } from '../adapters/catalogue/search/index-finder.js';
import { IndexSnapshots } from '../adapters/catalogue/search/index-snapshots.js';
import { IndexSubscription } from '../adapters/catalogue/search/index-subscription.js';
import { PostgresCatalogueVersionQueries } from '../adapters/catalogue/postgres-catalogue-version.js';
import { SampleQueries } from '../adapters/catalogue/sample-queries.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { DiskObjectStorage } from '../adapters/vendors/disk/disk-object-storage.js';
import { S3ObjectStorage } from '../adapters/vendors/s3/s3-object-storage.js';
import { SamplesQuery } from '../application/catalogue/contract.js';
import type { CatalogueIndex } from '../adapters/platform/search/catalogue-index.js';
import { SystemClock } from '../application/shared/clock.js';
import { EVERY_TRACK } from '../domain/catalogue/filter.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS } from '../domain/catalogue/vocabulary.js';
import { growCatalogue, SAMPLES_OF_PACK } from './support/big-catalogue.js';
import { keepInFlight, sideBySide, type Contender, type Result } from './support/measure.js';

const [GOALS_ONLY, TOLD] =
  process.argv[2] === 'goals' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
const SIZES = TOLD.length > 0 ? TOLD.map(Number) : [10_000, 100_000];
const LIMIT = 50;
const ROUND = { rounds: 3, durationMs: 1_500 };
const AT_ONCE = 50;
/** Goals for a million samples, on a machine without other work. */
const GOALS = { p50Ms: 12, p99Ms: 40, readySeconds: 3 };
/** The most changes that an index of a million samples takes before it is rebuilt. */
const CHANGED_PACKS = 399;
const LEAST_CHANGED = 500_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Listed {
  id: string;
  title: string;
  text: string;
}
type Ask = (text: string) => Promise<unknown>;

const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(folder, { settings: ['shared_buffers=1GB', 'max_wal_size=4GB'] });
await createDatabase(server.url, 'search');
const url = new URL(server.url);
url.pathname = '/search';
const database = new Database(url.href);
const disk = {
  root: join(folder, 'storage'),
  publicUrl: 'http://localhost',
  signingKey: Buffer.alloc(32, 1),
};
const s3 =
  TEST_S3_ENDPOINT === undefined
    ? undefined
    : new S3ObjectStorage({
        endpoint: TEST_S3_ENDPOINT,
        region: 'us-east-1',
        bucket: `bench-${process.pid}`,
        credentials: {
          accessKeyId: TEST_S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? '',
        },
        clock: new SystemClock(),
      });
const common = new Map<number, { memory: number; trigram: number }>();
try {
  await migrate(database);
  let size = 0;
  for (const next of SIZES.toSorted((a, b) => a - b)) {
    await growCatalogue(database, size, next);
    size = next;
    await measure(size);
  }
  if (!GOALS_ONLY) summary();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function measure(size: number): Promise<void> {
  console.log(`\n${size.toLocaleString('en')} samples`);
  const subscription = new IndexSubscription(database, console, 60_000);
  await weighed('index in memory', async () => {
    subscription.onApplicationBootstrap();
    await subscription.built();
    if (!(await subscription.current())) throw new Error('the index was not built');
  });
  const version = new PostgresCatalogueVersionQueries(database);
  const memory = new SampleQueries(database, subscription, version);
  if (!GOALS_ONLY) {
    await measureTexts(memory, (await subscription.current()) as CatalogueIndex);
    await measureFilters(memory);
  }
  await measureTogether(memory);
  if (size >= LEAST_CHANGED) {
    await changePacks(CHANGED_PACKS);
    console.log(`  the same after ${CHANGED_PACKS * SAMPLES_OF_PACK} samples have changed`);
    await measureTogether(memory);
  }
  await measureIndexAlone((await subscription.current()) as CatalogueIndex);
  await subscription.onApplicationShutdown();
  await measureSnapshot();
}

async function measureTexts(memory: SampleQueries, index: CatalogueIndex): Promise<void> {
  const mini = await miniSearch();
  const finder = new IndexFinder(database, index);
  const asked: Ask = (q) => memory.search(SamplesQuery.parse({ q, limit: LIMIT }), undefined);
  const texts: Record<string, string[]> = {
    'selective, "vinyl crackle"': ['vinyl crackle', 'tape piano', 'night rain', 'soft choir', 'cold brass'],
    'common, "drum"': ['drum', 'loop', 'kick', 'snare', 'bass'],
    'two letters, "dr"': ['dr', 'ka', 'lo', 'an', 'pi'],
  };
  for (const [name, queries] of Object.entries(texts)) {
    const results = await sideBySide(
      [
        contender('ILIKE, no index', queries, ilike(false)),
        contender('ILIKE, pg_trgm', queries, ilike(true)),
        contender('MiniSearch (ids only)', queries, async (text) => mini.search(text).slice(0, LIMIT)),
        contender('Offcut, whole samples', queries, asked),
        contender('Offcut, ids and facets', queries, (text) => finder.byText(text, EVERY_TRACK, {})),
      ],
      ROUND,
    );
    report(name, results);
    if (name.startsWith('common'))
      common.set(index.size, { memory: last(results), trigram: results[1]?.p50Ms ?? Number.NaN });
  }
}

async function measureFilters(memory: SampleQueries): Promise<void> {
  for (const [name, query] of [
    ['filters, 50 of them, exact count and facets', randomFilter],
    ['everything, 50 of them, exact count and facets', () => SamplesQuery.parse({ limit: LIMIT })],
  ] as const)
    report(
      name,
      await sideBySide(
        [
          {
            name: 'Offcut, whole samples',
            run: (durationMs) => keepInFlight(1, durationMs, () => memory.search(query(), undefined)),
          },
        ],
        ROUND,
      ),
    );
  const letters = ['dr', 'vin', 'ka', 'tape', 'soul'];
  report(
    'suggestions',
    await sideBySide([contender('Offcut', letters, (text) => memory.suggestions(text))], ROUND),
  );
}

/** All users search again as soon as they have an answer. */
async function measureTogether(memory: SampleQueries): Promise<void> {
  const together = (name: string, query: () => SamplesQuery, viewerId?: string): Contender => ({
    name,
    run: (durationMs) => keepInFlight(AT_ONCE, durationMs, () => memory.search(query(), viewerId)),
  });
  const results = await sideBySide(
    [
      together('filters, 50 of them, exact count and facets', randomFilter),
      together('the same for a signed-in listener', randomFilter, 'c1'),
      together('everything, the same for all', () => SamplesQuery.parse({ limit: LIMIT })),
    ],
    ROUND,
  );
  console.log(`  ${AT_ONCE} searches at once, index in memory, whole samples`);
  for (const { name, perSecond, p50Ms, p99Ms } of results)
    console.log(
      `    ${name.padEnd(44)} p50 ${p50Ms.toFixed(2).padStart(9)} ms   p99 ${p99Ms.toFixed(2).padStart(9)} ms   ${perSecond.toFixed(0)}/s`,
    );
  const [filters] = results as [Result];
  judge(`filters, ${AT_ONCE} at once, p50`, filters.p50Ms, GOALS.p50Ms, 'ms');
  judge(`filters, ${AT_ONCE} at once, p99`, filters.p99Ms, GOALS.p99Ms, 'ms');
}

/** Changes packs after the index was built. The index keeps such packs separately. */
async function changePacks(count: number): Promise<void> {
  await record(
    'PackDescribed',
    Array.from({ length: count }, (_, pack) => ({ packId: `p${pack}` })),
  );
}

/** Measures only the index: ids, order, count and facets, without reading a row. */
async function measureIndexAlone(index: CatalogueIndex): Promise<void> {
  const finder = new IndexFinder(null, index);
  const contenders: Contender[] = [
    {
      name: 'ids, order, exact count and facets',
      run: (durationMs) =>
        keepInFlight(1, durationMs, () => {
          const { mode, key, bpmMin, bpmMax, mood, genre, instrument, ...query } = randomFilter();
          const filter = { mode, bpmMin, bpmMax, moods: mood, genres: genre, instruments: instrument };
          return finder.browse(query, key === undefined ? filter : { ...filter, key }, {});
        }),
    },
  ];
  report('filters, one at a time, the index alone', await sideBySide(contenders, ROUND));
}

/** Measures a snapshot as a worker writes it and a node loads it. */
async function measureSnapshot(): Promise<void> {
  const clock = new SystemClock();
  const storage = s3 ?? new DiskObjectStorage({ ...disk, clock });
  // A snapshot needs an event to name as its position.
  await record('Noted', [{}]);
  const snapshots = new IndexSnapshots(database, storage, clock, console, 1);
  const writing = performance.now();
  await snapshots.write();
  const written = (performance.now() - writing) / 1_000;
  const { objects } = await storage.list({ prefix: 'search/' });
  const [snapshot] = objects.sort((a, b) => b.lastModified.getTime() - a.lastModified.getTime());
  if (!snapshot) throw new Error('no snapshot was written');
  const megabytes = (snapshot.sizeBytes / 1e6).toFixed(0);
  console.log(
    `  snapshot: written in ${written.toFixed(1)} s, ${megabytes} MB in ${s3 ? 'a bucket' : 'a folder'}`,
  );
  await settle();
  // Makes reading the table fail, so that only the snapshot is measured.
  const snapshotOnly = Object.create(database) as Database;
  snapshotOnly.longTransaction = () => Promise.reject(new Error('the table was read'));
  const node = new IndexSubscription(snapshotOnly, console, 60_000, snapshots);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const starting = performance.now();
  node.onApplicationBootstrap();
  await node.built();
  if (!(await node.current())) throw new Error('there is no index');
  const ready = (performance.now() - starting) / 1_000;
  delay.disable();
  console.log(`  others waited at most ${(delay.max / 1e6).toFixed(0)} ms meanwhile`);
  judge('ready from a snapshot', ready, GOALS.readySeconds, 's');
  await node.onApplicationShutdown();
}

/** Appends events and sets the checkpoint of the search to them. The catalogue itself was written without events. */
async function record(type: string, facts: readonly object[]): Promise<void> {
  const log = new PostgresEventStore(database, new SystemClock());
  const stream = `bench-${randomUUID()}`;
  const events = facts.map((data) => ({ type, data }));
  await log.append([{ stream, expectedVersion: 0, events }], { actor: 'bench', correlationId: 'bench' });
  const { position } = await log.head();
  await database.pool.query(`update checkpoint set position = $1 where name = 'catalogue-search'`, [
    position,
  ]);
}

function judge(what: string, measured: number, goal: number, unit: string): void {
  console.log(
    `  ${what}: ${measured.toFixed(1)} ${unit}, goal ${goal} ${unit}: ${measured <= goal ? 'met' : 'missed'}`,
  );
}

/** Returns a random filter, so that caches cannot answer. */
function randomFilter(): SamplesQuery {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
  const bpmMin = 60 + Math.floor(Math.random() * 80);
  return SamplesQuery.parse({
    limit: LIMIT,
    bpmMin,
    bpmMax: bpmMin + 1 + Math.floor(Math.random() * 59),
    ...(Math.random() < 0.5 ? { key: one(KEYS) } : {}),
    ...(Math.random() < 0.5 ? { genre: one(GENRES) } : {}),
    ...(Math.random() < 0.5 ? { mood: one(MOODS) } : {}),
    ...(Math.random() < 0.5 ? { instrument: one(INSTRUMENTS) } : {}),
  });
}

function contender(name: string, texts: readonly string[], ask: Ask): Contender {
  let turn = 0;
  return {
    name,
    run: (durationMs) => keepInFlight(1, durationMs, () => ask(texts[turn++ % texts.length] as string)),
  };
}

/** The obvious query: every column, best match first, without a count. */
function ilike(indexed: boolean): Ask {
  return (text) =>
    database.transaction(async (client) => {
      if (!indexed) await client.query('set local enable_bitmapscan = off; set local enable_indexscan = off');
      await client.query(
        `select sample_id from catalogue_sample where title_lower ilike $1 or text_lower ilike $1
          order by (title_lower = $2) desc, (title_lower ilike $1) desc, popularity desc, sample_id limit ${LIMIT}`,
        [`%${text}%`, text],
      );
    });
}

async function miniSearch(): Promise<MiniSearch<Listed>> {
  const mini = new MiniSearch<Listed>({
    fields: ['title', 'text'],
    searchOptions: { prefix: true, boost: { title: 10 }, combineWith: 'AND' },
  });
  await weighed('MiniSearch', async () => {
    for (let after = ''; ;) {
      const { rows } = await database.pool.query<Listed>(
        `select sample_id as id, title_lower as title, text_lower as text from catalogue_sample
          where sample_id > $1 order by sample_id limit 20000`,
        [after],
      );
      mini.addAll(rows);
      if (rows.length === 0) return;
      after = (rows.at(-1) as Listed).id;
    }
  });
  return mini;
}

/** The buffers of collected objects are freed with a short delay. */
async function settle(): Promise<void> {
  collectGarbage();
  await new Promise((resolve) => setTimeout(resolve, 200));
  collectGarbage();
}

async function weighed(name: string, work: () => Promise<void>): Promise<void> {
  await settle();
  const before = process.memoryUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  await settle();
  const after = process.memoryUsage();
  const mebibytes = (after.heapUsed + after.external - before.heapUsed - before.external) / 2 ** 20;
  console.log(
    `  ${name.padEnd(46)} built in ${seconds.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB, others waited at most ${(delay.max / 1e6).toFixed(0)} ms`,
  );
}

function last(results: Result[]): number {
  return results.at(-1)?.p50Ms ?? Number.NaN;
}

function report(title: string, results: Result[]): void {
  console.log(`  ${title}`);
  const base = last(results);
  for (const { name, p50Ms, p99Ms } of results)
    console.log(
      `    ${name.padEnd(44)} p50 ${p50Ms.toFixed(2).padStart(9)} ms   p99 ${p99Ms.toFixed(2).padStart(9)} ms   ×${(p50Ms / base).toFixed(1)}`,
    );
}

function summary(): void {
  console.log('\nThe common text, index in memory');
  let former: [number, number] | undefined;
  for (const [size, { memory, trigram }] of common) {
    const growth = former
      ? `, ×${(memory / former[1]).toFixed(1)} from ${former[0].toLocaleString('en')}`
      : '';
    console.log(
      `  ${size.toLocaleString('en').padStart(9)}: pg_trgm takes ×${(trigram / memory).toFixed(1)}${growth}`,
    );
    former = [size, memory];
  }
}
