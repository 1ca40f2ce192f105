import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PICTURES } from '../../application/media/values.js';
import { BlackProxy } from '../support/black-proxy.js';
import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload, wav } from '../support/publishing.js';
import { openShop } from '../support/shop.js';
import { LIMIT_MS } from '../support/until.js';

const endpoint = process.env.TEST_S3_ENDPOINT ?? '';
// Without a bucket, the test run itself lists what it skipped and why.
(endpoint ? describe : describe.skip)('[OPS-245] while a part is away that does not say so', () => {
  let behind: TestDatabase;
  let database: BlackProxy;
  let bucket: BlackProxy;
  let product: TestProduct;
  let ada: HttpClient;
  let heard: string;
  let unheard: string;
  let cover: string;
  let draft: string;
  let pack: string;
  let sound: Buffer;

  beforeAll(async () => {
    behind = await startTestDatabase();
    const toDatabase = await BlackProxy.before(behind.url);
    const toBucket = await BlackProxy.before(endpoint);
    [database, bucket] = [toDatabase.proxy, toBucket.proxy];
    const env = {
      DATABASE_URL: toDatabase.url,
      DATABASE_CONNECT_TIMEOUT_MS: '3000',
      DATABASE_STATEMENT_TIMEOUT_MS: '4000',
      DATABASE_LOCK_TIMEOUT_MS: '3500',
      S3_ENDPOINT: toBucket.url.replace(/\/$/, ''),
      S3_BUCKET: `outage-${randomBytes(4).toString('hex')}`,
      S3_ACCESS_KEY_ID: 'testkey',
      S3_SECRET_ACCESS_KEY: 'testsecret',
      S3_ANSWER_TIMEOUT_MS: '2000',
      WORK_KINDS: 'mail,encode',
    };
    product = await startTestProduct(env, { web: true });
    const sounds = [{ name: 'Hum' }, { name: 'Drip' }];
    [pack = ''] = await openShop(product, [{ name: 'Night shift', genre: 'Trap', mood: 'Dark', sounds }]);
    const [, , slug, handle] = pack.split('/');
    const { body } = await product.browser().get(`/api/packs/${handle}/${slug}`);
    [heard, unheard] = body.samples.map(({ previewUrl }: { previewUrl: string }) => previewUrl);
    cover = body.artworkUrl;
    ada = await product.signedUp();
    await ada.post('/api/creator/application', {});
    draft = (await draftPack(ada)).id;
    sound = (await fetched(heard)).bytes;
    expect((await fetched(cover)).status).toBe(200);
    // Finishes the work of the log before any outage.
    const { eventStore, logSubscriptions } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
  });
  afterAll(async () => {
    database?.goLight();
    bucket?.goLight();
    await product?.stop();
    await database?.close();
    await bucket?.close();
    await behind?.close();
  });

  const fetched = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(product.url + path, { headers });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const isLater = { status: 503, retryAfter: '5' };
  const laterOf = ({ status, headers }: HttpAnswer) => ({ status, retryAfter: headers.get('retry-after') });

  it('what the node has of the storage is heard and seen; the rest is told to come later', async () => {
    bucket.goBlack();
    expectLog(/^error \[Http\].*the object storage does not serve/);
    expect(await fetched(heard)).toMatchObject({ status: 200, bytes: sound });
    const part = await fetched(heard, { range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, bytes: sound.subarray(10, 20) });
    expect((await fetched(cover)).status).toBe(200);
    expect(await fetched(unheard)).toMatchObject(isLater);
    const narrow = cover.replace('.webp', `-${PICTURES.covers.widthsPx[0]}.webp`);
    expect(await fetched(narrow)).toMatchObject(isLater);
    expect((await product.browser().get('/api/packs')).status).toBe(200);
    // [OPS-36] Pages and search need no file.
    const visitor = product.browser();
    for (const path of ['/', '/sounds', pack, '/api/home'])
      expect({ path, status: (await visitor.get(path)).status }).toEqual({ path, status: 200 });
    for (const [sought, total] of [
      ['q=hum', 1],
      ['genre=Trap&sort=new', 2],
    ])
      expect((await visitor.get(`/api/samples?${sought}`)).body).toMatchObject({
        total,
        facets: { genre: { Trap: total } },
      });
    expect((await ada.get('/api/samples?q=drip')).body.items).toMatchObject([
      { title: 'Drip', owned: false },
    ]);
    const begun = await ada.put(`/api/creator/packs/${draft}/uploads/${randomUUID()}`, {
      filename: 'a.wav',
      sizeBytes: 10,
    });
    expect(laterOf(begun)).toEqual(isLater);
    const samples = `/api/creator/packs/${draft}/samples`;
    expect(laterOf(await upload(ada, samples, { bytes: wav() }))).toEqual(isLater);
    expect((await product.browser().get('/readyz')).body).toMatchObject({
      database: 'up',
      storage: 'down',
    });
    bucket.goLight();
    expect((await fetched(unheard)).status).toBe(200);
  });

  it('what everybody might hear a moment ago is heard without the database; the rest is told to come later', async () => {
    database.goBlack();
    expectLog(
      /^error \[Http\].*(timeout exceeded|connection timeout|read timeout|Connection terminated).*"status":503/,
    );
    expectLog(
      /^warn \[(LogSubscriptions|Jobs)\] .*(timeout exceeded|connection timeout|read timeout|Connection terminated)/,
    );
    expect(await fetched(heard)).toMatchObject({ status: 200, bytes: sound });
    expect((await fetched(cover)).status).toBe(200);
    const never = `/media/previews/${'0'.repeat(64)}.mp3`;
    expect(await fetched(never)).toMatchObject(isLater);
    database.goLight();
  });
});
