import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { HttpClient } from '../support/http-client.js';
import { allowLog, expectLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';

let behind: TestDatabase;
let product: TestProduct;
let listener: HttpClient;
let sampleIds: string[];

beforeAll(async () => {
  behind = await startTestDatabase();
  product = await startTestProduct({ DATABASE_URL: behind.url });
  const sounds = ['Hum', 'Drip'].map((name) => ({ name, creditCost: 1 }));
  await openShop(product, [{ name: 'Demoted', genre: 'Trap', mood: 'Dark', sounds }]);
  listener = await listenerWith(product, 2);
  const { body } = await listener.get('/api/samples');
  sampleIds = (body.items as { id: string }[]).map(({ id }) => id);
  expect(sampleIds).toHaveLength(2);
});
afterAll(async () => {
  await product?.stop();
  await behind?.close();
});

/** Replaces a pool's connections with as many new ones. */
async function renewed(pool: pg.Pool, count: number): Promise<void> {
  const taken = async () => Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const client of await taken()) client.release(true);
  for (const client of await taken()) client.release();
}

it('[OPS-257] kept connections to a server that takes no writes any more are left with the first answer that says so: who asks hears 503, and asks again', async () => {
  const { pool, pipelines } = product.resources.database;
  const { pathname } = new URL(behind.url);
  const name = pathname.slice(1);
  // Imitates a switchover: connections opened at this moment lead to a replica.
  await behind.database.pool.query(`alter database ${name} set default_transaction_read_only = on`);
  await renewed(pipelines, 2);
  await renewed(pool, 8);
  await behind.database.pool.query(`alter database ${name} reset default_transaction_read_only`);
  expectLog(/^error \[Http\].*cannot execute .* in a read-only transaction.*"status":503/);
  allowLog(/^warn \[(LogSubscriptions|Jobs)\].*in a read-only transaction/);

  const key = { headers: { 'idempotency-key': randomUUID() } };
  const order = { sampleId: sampleIds[0], expectedCredits: 1 };
  const refused = await listener.post('/api/downloads', order, key);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  // All kept connections for purchases are closed, not only the one that failed.
  const others = await Promise.all([
    listener.post('/api/downloads', order, key),
    listener.post(
      '/api/downloads',
      { ...order, sampleId: sampleIds[1] },
      { headers: { 'idempotency-key': randomUUID() } },
    ),
  ]);
  expect(others.map(({ status }) => status)).toEqual([201, 201]);
  expect((await listener.get('/api/credits')).body.balance).toBe(0);

  const named = (displayName: string) => listener.patch('/api/me', { displayName });
  const answers = [await named('Ada'), await named('Bea'), await named('Cleo')].map(({ status }) => status);
  // Another part of the node may have met such a connection first.
  expect(answers.slice(1)).toEqual([200, 200]);
  for (const { rows } of await Promise.all(
    Array.from({ length: 8 }, () =>
      pool.query(`select current_setting('transaction_read_only') as readOnly`),
    ),
  ))
    expect(rows).toEqual([{ readonly: 'off' }]);
});
