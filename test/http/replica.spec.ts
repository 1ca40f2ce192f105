import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { SampleQueries } from '../../adapters/catalogue/sample-queries.js';
import { PackQueries } from '../../adapters/catalogue/pack-queries.js';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { SamplesQuery } from '../../application/catalogue/contract.js';
import { Database } from '../../adapters/platform/database/database.js';
import { Replica, ReplicaProbe } from '../../adapters/platform/database/replica.js';
import { BlackProxy } from '../support/black-proxy.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';
import { until } from '../support/until.js';

const LIMITS = {
  connectMs: 3_000,
  statementMs: 3_000,
  lockMs: 3_000,
  idleTransactionMs: 1_000,
  keepAliveMs: 1_000,
};

let product: TestProduct;
let path: string;

beforeAll(async () => {
  product = await startTestProduct({}, { replica: true });
  const sounds = ['Second Hand', 'Candle Light', 'Candle Wax'].map((name) => ({ name }));
  [path = ''] = await openShop(product, [{ name: 'Replica', genre: 'Trap', mood: 'Dark', sounds }]);
});
afterAll(() => product.stop());

it('reads search and the public pages from the replica, and everything that a purchase needs from the database itself', async () => {
  const listener = await listenerWith(product, 2);
  const [, , slug, handle] = path.split('/');
  const { catalogueDatabase } = product.resources;
  const asked = jest.spyOn(catalogueDatabase.pool, 'query');
  const page = await listener.get(`/api/packs/${handle}/${slug}`);
  const found = await listener.get('/api/samples?q=second');
  expect(found.body.items).toEqual([expect.objectContaining({ title: 'Second Hand', owned: false })]);
  expect(page.body.samples).toContainEqual(expect.objectContaining({ id: found.body.items[0].id }));

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
  // Those connections belong to the replica.
  const { rows } = await catalogueDatabase.pool.query(`select current_setting('application_name') as name`);
  expect(rows).toEqual([{ name: 'replica' }]);
});

it('[OPS-108] serves nobody and sells nothing once a newer version runs', async () => {
  const { pool } = product.resources.database;
  const visitor = product.browser();
  const noteVersion = (change: string) =>
    pool.query(`update checkpoint set version = version ${change} where name = 'subscriptions'`);
  const person = await product.signedUp();
  expectLog(/^error \[Http\] .*"path":"\/readyz"/, /^error \[Http\] .*a newer version is running/);
  await noteVersion('+ 1');
  try {
    // The earlier answer is cached for a second.
    await until(async () => (await visitor.get('/readyz')).status !== 200);
    expect(await visitor.get('/readyz')).toMatchObject({
      status: 503,
      body: { ready: false, database: 'up', outdated: true },
    });
    const refused = await person.post('/api/creator/application');
    expect(refused).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } });
    expect(refused.headers.get('retry-after')).toBe('5');
  } finally {
    await noteVersion('- 1');
  }
  expect((await person.post('/api/creator/application')).status).toBe(201);
});

it('[OPS-36] reads search and pages from the database while the replica is away, and says so', async () => {
  const { proxy, url } = await BlackProxy.before(product.resources.database.url);
  const apart = new Replica(url, { limits: LIMITS }, product.resources.database);
  try {
    const pages = new PackQueries(apart, product.resources.clock);
    const there = await pages.home();
    proxy.goBlack();
    expect(await pages.home()).toEqual(there);
    const probe = new ReplicaProbe(apart, product.resources.inlineVersions);
    await expect(probe.pingReplica()).rejects.toThrow();
    expect(await pages.home()).toEqual(there);
    proxy.goLight();
    await expect(probe.pingReplica()).resolves.toBeUndefined();
  } finally {
    await apart.close();
    await proxy.close();
  }
});

it('[OPS-36] lets visitors search what it has shown before while no database answers', async () => {
  const { proxy, url } = await BlackProxy.before(product.resources.database.url);
  const apart = new Database(url, { limits: LIMITS });
  const index = new IndexSubscription(apart, console);
  const samples = new SampleQueries(apart, index);
  const asked = (query: object) => SamplesQuery.parse(query);
  try {
    index.onApplicationBootstrap();
    await index.built();
    let there = await samples.search(asked({ q: 'candle' }), undefined);
    // A busy machine may exceed these limits at first; then no result is known yet.
    while (there.items.length < 2) {
      await pause(50);
      there = await samples.search(asked({ q: 'candle' }), undefined);
    }
    proxy.goBlack();
    expect(await samples.search(asked({ q: 'candle' }), undefined)).toEqual(there);
    // A new search, which finds what another search had read.
    const light = await samples.search(asked({ q: 'candle light', sort: 'title' }), undefined);
    expect(light.items.map(({ title }) => title)).toEqual(['Candle Light']);
    const trap = await samples.search(asked({ genre: 'Trap' }), undefined);
    expect(trap).toMatchObject({ total: 3, facets: { genre: { Trap: 3 } } });
    // Only the database knows these: the order by date, and what a user owns.
    await expect(samples.search(asked({ sort: 'new' }), undefined)).rejects.toThrow();
    await expect(samples.search(asked({ q: 'candle' }), 'somebody')).rejects.toThrow();
  } finally {
    await index.onApplicationShutdown();
    await apart.close();
    await proxy.close();
  }
});
