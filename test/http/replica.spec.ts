import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({}, { replica: true });
});
afterAll(() => product.stop());

it('reads search and the public pages from the replica, and everything that a purchase needs from the database itself', async () => {
  const [path] = await openShop(product, [
    { name: 'Replica', genre: 'Trap', mood: 'Dark', sounds: [{ name: 'Second Hand' }] },
  ]);
  const listener = await listenerWith(product, 2);
  const [, , slug, handle] = (path as string).split('/');
  const page = await listener.get(`/api/packs/${handle}/${slug}`);
  const found = await listener.get('/api/samples?q=second');
  expect(found.body.items).toEqual([expect.objectContaining({ title: 'Second Hand', owned: false })]);
  expect(page.body.samples[0].id).toBe(found.body.items[0].id);

  const bought = await listener.post(
    '/api/downloads',
    { sampleId: found.body.items[0].id, expectedCredits: found.body.items[0].creditCost },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  expect(bought.status).toBe(201);
  expect((await listener.get('/api/library/downloads')).body.items).toHaveLength(1);

  const { rows } = await product.resources.database.pool.query<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and application_name = 'replica'`,
  );
  expect(rows.map(({ query }) => query).join('\n')).toMatch(/as sample,/);
});
