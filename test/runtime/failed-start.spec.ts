import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../../adapters/platform/database/database.js';
import { BossJobQueue } from '../../adapters/platform/jobs/boss-job-queue.js';
import { readConfig } from '../../bootstrap/config.js';
import { startProduct } from '../../bootstrap/product.js';
import { allowLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let behind: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  behind = await startTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'offcut-failed-start-'));
});
afterAll(async () => {
  await behind?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('[DEV-11] a start that fails late ends within its time limit and logs nothing about the closed database', async () => {
  // Jobs may be running when the start fails.
  allowLog(/^warn \[Jobs\] .+ did not finish in time; it continues after the next start$/);
  const held: pg.PoolClient[] = [];
  jest.spyOn(BossJobQueue.prototype, 'repeat').mockImplementation(async function (this: BossJobQueue) {
    const { database } = this as unknown as { database: Database };
    // A connection that is still in use delays the end of its pool.
    held.push(await database.long.connect());
    await pause(1_000);
    throw new Error('timeout exceeded when trying to connect');
  });
  const config = readConfig({ NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, DATABASE_URL: behind.url });
  try {
    await expect(startProduct(config)).rejects.toThrow('timeout exceeded when trying to connect');
  } finally {
    for (const client of held) client.release(true);
  }
  // Long enough for each subscription to try again.
  await pause(2_000);
}, 90_000);
