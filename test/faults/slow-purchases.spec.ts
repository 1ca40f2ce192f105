import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import type { ObjectInfo } from '../../application/storage/object-storage.js';
import { SampleFileQueries } from '../../application/storage/queries.js';
import { DeadlinePassed } from '../../application/shared/unavailable.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith } from '../support/shop.js';
import { stock } from '../support/stock.js';
import { until } from '../support/until.js';

describe('[OPS-101] a purchase that takes longer than anybody waits', () => {
  let product: TestProduct;
  let ada: HttpClient;
  let sampleId: string;
  let round = 0;

  beforeAll(async () => {
    product = await startTestProduct({ PURCHASE_TIMEOUT_MS: '1500' });
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    const { database, storage } = product.resources;
    [sampleId = ''] = await stock(database, 1, { prefix: `slow${(round += 1)}-`, priceCredits: 2 });
    await storage.put(`Users/x/${sampleId}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
    ada = await listenerWith(product, 5);
  });
  afterEach(() => void jest.restoreAllMocks());

  beforeEach(() => expectLog(/^error \[Http\] .*no answer in time.*"path":"\/api\/downloads"/));

  const buy = (key: string) =>
    ada.post('/api/downloads', { sampleId, expectedCredits: 2 }, { headers: { 'idempotency-key': key } });
  const balance = async () => (await ada.get('/api/credits')).body.balance;

  it('answers 503 with Retry-After, and is not begun when what it waited for comes after all', async () => {
    const bought = jest.spyOn(product.resources.creditExecutor, 'buy');
    let answer = (_: ObjectInfo | undefined): void => {};
    const head = new Promise<ObjectInfo | undefined>((resolve) => (answer = resolve));
    jest.spyOn(product.resources.storage, 'head').mockReturnValue(head);
    const { status, body, headers } = await buy(randomUUID());
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'ServiceUnavailable', '5']);
    answer({ key: 'o', sizeBytes: 4, contentType: 'audio/wav', etag: 'e', lastModified: new Date() });
    await until(() => bought.mock.results.length === 1);
    await expect(bought.mock.results[0]?.value).rejects.toBeInstanceOf(DeadlinePassed);
    expect(await balance()).toBe(5);
  });

  it.each([
    ['session', Sessions],
    ['files', SampleFileQueries],
  ] as const)('answers 503 also when the look-up of its %s hangs', async (_, kind) => {
    const asked = product.app.get<{ find(): Promise<never> }>(kind, { strict: false });
    const find = jest.spyOn(asked, 'find').mockReturnValue(new Promise(() => {}));
    expect(await buy(randomUUID())).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } });
    expect(find).toHaveBeenCalledTimes(1);
    find.mockRestore();
    expect(await balance()).toBe(5);
  });

  it('is charged once when it was begun: its key answers the first outcome', async () => {
    const key = randomUUID();
    const holder = await product.resources.database.pool.connect();
    await holder.query('begin');
    await holder.query('select hold_log_end()');
    expect((await buy(key)).status).toBe(503);
    await holder.query('rollback');
    holder.release();
    let again = await buy(key);
    while (again.status === 503) again = await buy(key);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({ charged: 2, balance: 3 });
    expect(await balance()).toBe(3);
  });
});
