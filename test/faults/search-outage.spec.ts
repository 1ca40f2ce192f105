import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { BlackProxy } from '../support/black-proxy.js';
import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';
import { LIMIT_MS } from '../support/until.js';

describe('[OPS-36] without the database', () => {
  let behind: TestDatabase;
  let proxy: BlackProxy;
  let product: TestProduct;
  let visitor: HttpClient;
  let listener: HttpClient;
  let pack: string;

  beforeAll(async () => {
    behind = await startTestDatabase();
    const made = await BlackProxy.before(behind.url);
    ({ proxy } = made);
    product = await startTestProduct(
      {
        DATABASE_URL: made.url,
        DATABASE_CONNECT_TIMEOUT_MS: '3000',
        DATABASE_STATEMENT_TIMEOUT_MS: '4000',
        DATABASE_LOCK_TIMEOUT_MS: '3500',
      },
      { web: true },
    );
    const sounds = ['Second Hand', 'Candle Light', 'Candle Wax'].map((name) => ({ name }));
    [pack = ''] = await openShop(product, [{ name: 'Evening', genre: 'Trap', mood: 'Dark', sounds }]);
    listener = await listenerWith(product, 2);
    visitor = product.browser();
    const { eventStore, logSubscriptions } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    await product.app.get(IndexSubscription, { strict: false }).built();
  });
  afterAll(async () => {
    proxy?.goLight();
    await product?.stop();
    await proxy?.close();
    await behind?.close();
  });

  const titles = ({ body }: HttpAnswer) => body.items.map(({ title }: { title: string }) => title);
  const isLater = { status: 503, code: 'ServiceUnavailable', retryAfter: '5' };
  const told = ({ status, headers, body }: HttpAnswer) => ({
    status,
    code: body.code,
    retryAfter: headers.get('retry-after'),
  });

  it('visitors see pages and search, with counts; only what needs it answers 503 and when to come again', async () => {
    const [, , slug, handle] = pack.split('/');
    const pages = ['/', '/sounds', pack, '/api/home', `/api/packs/${handle}/${slug}`];
    const before: HttpAnswer[] = [];
    for (const path of pages) before.push(await visitor.get(path));
    expect(before.map(({ status }) => status)).toEqual(pages.map(() => 200));
    const found = await visitor.get('/api/samples?q=candle');
    expect(titles(found).sort()).toEqual(['Candle Light', 'Candle Wax']);
    proxy.goBlack();
    expectLog(
      /^error \[Http\].*(timeout exceeded|connection timeout|read timeout|Connection terminated).*"status":503/,
      /^error \[Http\].*"path":"\/readyz"/,
      /^warn \[(LogSubscriptions|Jobs|Search)\] .*(timeout exceeded|connection timeout|read timeout|Connection terminated)/,
    );
    for (const [at, path] of pages.entries())
      expect({ path, ...(await visitor.get(path)) }).toMatchObject({ status: 200, body: before[at]?.body });
    expect((await visitor.get('/api/samples?q=candle')).body).toEqual(found.body);
    // A new search, which finds results among those that earlier searches read.
    expect(titles(await visitor.get('/api/samples?q=candle%20light&sort=title'))).toEqual(['Candle Light']);
    const filtered = await visitor.get('/api/samples?genre=Trap&bpmMax=199');
    expect(filtered).toMatchObject({ status: 200, body: { total: 3, facets: { genre: { Trap: 3 } } } });
    const sampleId = found.body.items[0].id;
    const refused = await Promise.all([
      visitor.get('/api/samples?sort=new'),
      listener.get('/api/samples?q=candle'),
      listener.get('/api/library/downloads'),
      listener.post(
        '/api/downloads',
        { sampleId, expectedCredits: found.body.items[0].creditCost },
        { headers: { 'idempotency-key': randomUUID() } },
      ),
    ]);
    expect(refused.map(told)).toEqual(refused.map(() => isLater));
    expect((await visitor.get('/readyz')).body).toMatchObject({ database: 'down', search: 'ready' });
    proxy.goLight();
  });
});
