/**
 * Measures what following the log costs, and whether it keeps up. Counts transactions of the whole database at
 * rest, and for each purchase at 150 a second. Then measures how late each subscription of the log is at 1,000
 * purchases a second.
 *
 *   npm run bench -- bench/log-subscriptions.ts [seconds of each part, 15 by default]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { AppModule } from '../bootstrap/app.module.js';
import { readConfig } from '../bootstrap/config.js';
import { PROJECTIONS } from '../bootstrap/projections.js';
import { openResources } from '../bootstrap/resources.js';
import { Reactors } from '../bootstrap/work.module.js';
import { purchaseOf } from '../test/support/stock.js';
import { pairs, theExecutor } from './support/credit-executor.js';
import { cpuMs } from './support/cpu.js';
import { quantile } from './support/measure.js';

const SECONDS = Number(process.argv[2] ?? 15);
/** After this time PostgreSQL has counted the transactions of idle connections. */
const COUNTED_MS = 11_000;
const TICK_MS = 10;
const BUSY = 150;
const GOALS = { idle: 5, perPurchase: 3, lagSeconds: 2 };

const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(join(folder, 'postgres'));
await theExecutor(server.url);
const config = readConfig({
  NODE_ENV: 'test',
  DATA_DIR: folder,
  DATABASE_URL: server.url,
  DEMO_CONTENT: 'off',
});
// The search index would read the log, too.
const resources = await openResources({ ...config, searchIndex: false });
try {
  const { database, creditExecutor, logSubscriptions } = resources;
  const app = await NestFactory.createApplicationContext(AppModule.with(resources), { logger: ['error'] });
  const reactors = app.get(Reactors).all;
  const followers = [...PROJECTIONS.async, ...reactors];
  const next = pairs();

  const transactions = async (): Promise<number> => {
    await pause(COUNTED_MS);
    const { rows } = await database.long.query(
      'select xact_commit::int as count from pg_stat_database where datname = current_database()',
    );
    return (rows[0] as { count: number }).count;
  };
  /** Starts purchases at a rate, even if earlier ones are still running. @returns how many */
  const buy = async (perSecond: number, meanwhile: () => void = () => {}): Promise<number> => {
    const begun: Promise<unknown>[] = [];
    const startedAt = performance.now();
    for (let elapsed = 0; elapsed < SECONDS; elapsed = (performance.now() - startedAt) / 1_000) {
      while (begun.length < elapsed * perSecond) {
        const { buyer, sample } = next();
        begun.push(creditExecutor.buy(purchaseOf(buyer, [sample])));
      }
      meanwhile();
      await pause(TICK_MS);
    }
    await Promise.all(begun);
    return begun.length;
  };
  /** Returns for each subscription how long its oldest unhandled event has waited, in seconds. */
  const lags = async (): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for (const { name, types } of followers) {
      const { rows } = await database.long.query(
        `select coalesce(extract(epoch from now() - min(e.recorded_at)), 0)::float8 as lag
           from checkpoint c, unnest($2::text[]) as wanted(type),
                lateral (select recorded_at from event where event.type = wanted.type and event.position > c.position
                          order by event.position limit 1) as e
          where c.name = $1`,
        [name, types],
      );
      found.set(name, (rows[0] as { lag: number }).lag);
    }
    return found;
  };
  const told = (what: string, count: number, goal?: number) => {
    const verdict = goal === undefined ? '' : `  goal ${goal}  ${count <= goal ? 'held' : 'missed'}`;
    console.log(`${what.padEnd(58)} ${count.toFixed(2).padStart(8)}${verdict}`);
  };

  /** Returns transactions of the whole database per purchase. @param idle transactions a second without purchases */
  const perPurchase = async (rate: number, idle = 0): Promise<{ each: number; cpuUs: number }> => {
    const [before, startedAt, cpuFrom] = [await transactions(), performance.now(), cpuMs(server.pid)];
    const bought = await buy(rate);
    const cpuUs = ((cpuMs(server.pid) - cpuFrom) * 1_000) / bought;
    const after = await transactions();
    return { each: (after - before - (idle * (performance.now() - startedAt)) / 1_000) / bought, cpuUs };
  };

  const alone = await perPurchase(BUSY);
  console.log(`transactions a purchase at ${BUSY}/s, without subscriptions: ${alone.each.toFixed(2)}`);
  await logSubscriptions.start(reactors);
  const { position } = await resources.eventStore.head();
  await logSubscriptions.caughtUp(
    position,
    120_000,
    followers.map(({ name }) => name),
  );

  const idleFrom = await transactions();
  const idleSince = performance.now();
  await pause(SECONDS * 1_000);
  const idle = ((await transactions()) - idleFrom) / ((performance.now() - idleSince) / 1_000);
  told(`transactions a second, ${followers.length} follow and nothing happens`, idle, GOALS.idle);
  for (const rate of [1, BUSY]) {
    const { each, cpuUs } = await perPurchase(rate, idle);
    told(
      `transactions a purchase at ${rate}/s, ${Math.round(cpuUs)} µs in all`,
      each,
      rate === BUSY ? GOALS.perPurchase : undefined,
    );
  }

  const samples: Map<string, number>[] = [];
  let sampling: Promise<void> | undefined;
  const startedAt = performance.now();
  const many = await buy(1_000, () => {
    sampling ??= lags().then((found) => {
      samples.push(found);
      sampling = undefined;
    });
  });
  const rate = many / ((performance.now() - startedAt) / 1_000);
  console.log(
    `lag in seconds at ${Math.round(rate)} purchases a second: median, largest of ${samples.length}`,
  );
  for (const { name } of followers) {
    const each = samples.map((found) => found.get(name) ?? 0);
    const most = Math.max(...each);
    if (most > 0) told(`  ${name.padEnd(24)} ${quantile(each, 0.5).toFixed(2)}`, most, GOALS.lagSeconds);
  }
  await logSubscriptions.stop();
  await app.close();
} finally {
  await resources.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
