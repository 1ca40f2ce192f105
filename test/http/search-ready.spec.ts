import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { expectLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { until } from '../support/until.js';

let behind: TestDatabase;
let holder: PoolClient;
let product: TestProduct;

beforeAll(async () => {
  behind = await startTestDatabase();
  holder = await behind.database.pool.connect();
  // The lock blocks all reads of the search table, so no index can be built before the transaction ends.
  await holder.query('begin; lock table catalogue_sample in access exclusive mode');
  product = await startTestProduct({ DATABASE_URL: behind.url }, { isNeverReady: true });
});
afterAll(async () => {
  holder?.release(true);
  await product?.stop();
  await behind?.close();
});

it('[OPS-191, OPS-641] a node that starts is alive and not ready until its search index was read, and says so', async () => {
  const balancer = product.browser();
  expectLog(/^error \[Http\] .*"path":"\/(?:readyz|api\/samples)"/);
  expect((await balancer.get('/healthz')).status).toBe(200);
  const early = await balancer.get('/readyz');
  expect(early).toMatchObject({
    status: 503,
    body: { ready: false, database: 'up', storage: 'up', search: 'building' },
  });
  expect(early.headers.get('retry-after')).toBe('5');
  const search = await balancer.get('/api/samples?q=drum');
  expect(search).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } });
  expect(search.headers.get('retry-after')).toBe('5');
  await holder.query('rollback');
  await product.app.get(IndexSubscription, { strict: false }).built();
  // The earlier answer is cached for a second.
  await until(async () => (await balancer.get('/readyz')).status !== 503);
  expect(await balancer.get('/readyz')).toMatchObject({
    status: 200,
    body: { ready: true, database: 'up', search: 'ready' },
  });
});
