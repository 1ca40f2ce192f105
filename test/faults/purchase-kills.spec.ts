import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../adapters/platform/database/database.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../adapters/platform/database/embedded/embedded.js';
import { migrate } from '../../adapters/platform/database/migrate.js';
import { orderOf, ORDERS, stockForKills, type BuyingOrders } from '../support/kill-orders.js';
import { expectBooksToAgree } from '../support/kills.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sizeOf } from '../support/sizes.js';
import { executorOn, purchaseOf } from '../support/stock.js';

const APP_KILLS = sizeOf('APP_KILLS');
const DATABASE_KILLS = sizeOf('DATABASE_KILLS');

/** Every statement of the purchase path, for single purchases and for batches. */
const STATEMENTS = [
  'read-credit-batch-unlocked',
  'write-credit-batch-at-once',
  'begin',
  'read-credit-batch-locked',
  'write-credit-batch-rows',
  'hold-head',
  'write-credit-batch-log',
  'commit',
];
/** How often a buyer retries, at intervals of 20 ms. */
const PATIENCE = 3_000;

const MOMENTS = ['before', 'sent', 'answered'] as const;

/** The rest that one node after another buys; each node is killed. */
interface Lane {
  open: number[];
  next: number;
  to: number;
}

describe('nodes of the batched executor killed in the middle of purchases', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await startTestDatabase();
    await stockForKills(test.database);
  });
  afterAll(() => test.close());

  it(`[FIN-29, OPS-06] ${APP_KILLS} kills: every answered purchase is in the log, none twice, and the books balance`, async () => {
    const answered = new Set<number>();
    let kills = 0;
    const lane = async (from: number, to: number): Promise<void> => {
      const rest: Lane = { open: [], next: from, to };
      while (kills < APP_KILLS) {
        const nth = kills++;
        await buyUntilKilled(test.url, rest, answered, crashPoint(nth));
      }
    };
    // Two at a time, so that one continues while the other is killed.
    await Promise.all([lane(0, ORDERS / 2), lane(ORDERS / 2, ORDERS)]);
    expect(answered.size).toBeGreaterThan(APP_KILLS);
    await expectBooksToAgree(test.database, answered);
  });
});

/** Cycles through the statements and moments. Every third crash comes from outside, at any time. */
function crashPoint(nth: number): BuyingOrders['crash'] {
  if (nth % 3 === 2) return undefined;
  const place = nth - Math.floor(nth / 3);
  const statement = STATEMENTS[place % STATEMENTS.length] as string;
  const moment = MOMENTS[Math.floor(place / STATEMENTS.length) % MOMENTS.length] as (typeof MOMENTS)[number];
  return { statement, moment, after: 1 + Math.floor(Math.random() * (isAlone(statement) ? 2 : 10)) };
}

const isAlone = (statement: string): boolean => STATEMENTS.indexOf(statement) < 2;

/** Runs one node until it dies. The next node gets its open orders. */
async function buyUntilKilled(
  url: string,
  rest: Lane,
  answered: Set<number>,
  crash: BuyingOrders['crash'],
): Promise<void> {
  const { open, next: from, to } = rest;
  const inFlight = crash && isAlone(crash.statement) ? 1 : 24;
  const orders: BuyingOrders = { url, open, from, to, inFlight, ...(crash ? { crash } : {}) };
  const support = join(process.cwd(), 'test/support');
  const child = spawn(
    process.execPath,
    [
      '--import',
      join(support, 'typescript.mjs'),
      join(support, 'buy-until-killed.ts'),
      JSON.stringify(orders),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  let failed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (failed += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!crash && said === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * 150);
    said += text;
  });
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
  expect([signal, failed]).toEqual(['SIGKILL', '']);
  // The last line may be cut off, so it does not count.
  const named = said.split('\n').slice(0, -1).map(Number);
  for (const n of named) answered.add(n);
  // Beyond the last answer, as many orders may have begun as are in flight.
  rest.next = Math.max(from, ...named.map((n) => n + 1)) + 50;
  rest.open = [...open, ...Array.from({ length: rest.next - from }, (_, n) => from + n)].filter(
    (n) => !answered.has(n),
  );
}

describe('the database killed in the middle of purchases', () => {
  let folder: string;
  let server: EmbeddedPostgres;
  let database: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'offcut-kills-'));
    server = await startEmbeddedPostgres(folder, { restart: true, programs: process.env.TEST_POSTGRES_BIN });
    database = new Database(server.url);
    await migrate(database);
    await stockForKills(database);
  });
  afterEach(async () => {
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`[FIN-29] ${DATABASE_KILLS} kills: every answered purchase is in the log, none twice, and the books balance`, async () => {
    const { executor } = executorOn(database);
    const answered = new Set<number>();
    let next = 0;
    let over = false;
    const buyer = async (): Promise<void> => {
      while (!over && next < ORDERS) {
        const n = next++;
        const { buyerId, sampleId, key } = orderOf(n);
        // A buyer without an answer retries with the same key until there is one.
        for (let attempt = 1; attempt <= PATIENCE && !answered.has(n); attempt += 1) {
          const answer = await executor.buy(purchaseOf(buyerId, [sampleId], { key })).catch(() => undefined);
          if (answer) {
            expect(answer.outcome.status).toBe('bought');
            answered.add(n);
          } else await pause(20);
        }
      }
    };
    const buyers = Promise.all(Array.from({ length: 64 }, buyer));
    try {
      for (let kill = 0; kill < DATABASE_KILLS; kill += 1) {
        await pause(50 + Math.random() * 250);
        const { pid } = server;
        process.kill(pid, 'SIGKILL');
        // Sometimes kills it again during recovery.
        if (kill % 4 === 3) {
          await pause(300 + Math.random() * 300);
          killNewest(folder);
        }
        const before = answered.size;
        while (server.pid === pid || answered.size <= before + 200) await pause(20);
      }
    } finally {
      over = true;
      await buyers;
    }
    await expectBooksToAgree(database, answered);
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills the server that is starting in the folder, if there is one. */
function killNewest(folder: string): void {
  try {
    const [pid] = readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
