import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { PostgresProbe } from '../../adapters/platform/database/postgres-probe.js';
import { PostgresPackQueries } from '../../adapters/catalogue/pack-queries.js';
import { Replica } from '../../adapters/platform/database/replica.js';
import { BlackProxy } from '../support/black-proxy.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';

const LIMITS = {
  connectMs: 300,
  statementMs: 300,
  lockMs: 300,
  idleTransactionMs: 1_000,
  keepAliveMs: 1_000,
};

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
  const { catalogueDatabase } = product.resources;
  const asked = jest.spyOn(catalogueDatabase.pool, 'query');
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

  const texts = asked.mock.calls.map(([query]) => JSON.stringify(query));
  asked.mockRestore();
  expect(texts.filter((text) => text.includes('as sample,'))).not.toEqual([]);
  // Those connections are the replica's own.
  const { rows } = await catalogueDatabase.pool.query(`select current_setting('application_name') as name`);
  expect(rows).toEqual([{ name: 'replica' }]);
});

it('[OPS-36] reads search and pages from the database while the replica is away, and says so', async () => {
  const { proxy, url } = await BlackProxy.before(product.resources.database.url);
  const apart = new Replica(url, { limits: LIMITS }, product.resources.database);
  try {
    const pages = new PostgresPackQueries(apart, product.resources.clock);
    const there = await pages.home();
    proxy.goBlack();
    expect(await pages.home()).toEqual(there);
    const probe = new PostgresProbe(product.resources.database, apart);
    await expect(probe.pingReplica()).rejects.toThrow();
    expect(await pages.home()).toEqual(there);
    proxy.goLight();
    await expect(probe.pingReplica()).resolves.toBeUndefined();
  } finally {
    await apart.close();
    await proxy.close();
  }
});
