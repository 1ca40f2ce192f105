import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, packOf, sha256, upload } from '../support/publishing.js';
import { wavOf } from '../support/wav.js';
import { until } from '../support/until.js';

expectLog(/warn \[Payments\] this process has a payment simulator of its own/);

const dataDir = mkdtempSync(join(tmpdir(), 'offcut-shared-'));
let store: TestDatabase;
let api: TestProduct;
let worker: ChildProduct;
let ada: HttpClient;

beforeAll(async () => {
  store = await startTestDatabase();
  api = await startTestProduct({ DATABASE_URL: store.url, DATA_DIR: dataDir, ROLE: 'api' });
  ada = await api.signedUp();
  await ada.post('/api/creator/application', {});
});

afterAll(async () => {
  await worker?.remove();
  await api?.stop();
  await store?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const encodings = async () =>
  (await store.database.pool.query<{ state: string }>(`select state from jobs.job where name = 'encode'`))
    .rows;

it('[OPS-243] an upload waits for a worker, and becomes a sample once, though the worker is killed while it encodes', async () => {
  const pack = await draftPack(ada);
  const uploadId = randomUUID();
  const bytes = wavOf({ seconds: 240, hertz: 220 });
  const path = `/api/creator/packs/${pack.id}/samples?uploadId=${uploadId}`;
  const answer = upload(ada, path, { bytes, name: 'Long.wav' }, { meta: { uploadId } });
  // The node that received the bytes does not encode.
  await until(async () => (await encodings()).length === 1);
  const progress = async () => (await ada.get(`/api/creator/uploads/${uploadId}`)).body as { phase: string };
  expect([await encodings(), (await progress()).phase]).toEqual([[{ state: 'created' }], 'receiving']);
  worker = await startChildProduct({ DATABASE_URL: store.url, DATA_DIR: dataDir, ROLE: 'worker' });
  await until(async () => ['decoding', 'analysing', 'encoding'].includes((await progress()).phase));
  await worker.kill();
  expect((await packOf(ada, pack.id)).samples).toEqual([]);
  await worker.restart();
  const { status, body } = await answer;
  expect([status, body.sample.sha256]).toEqual([201, sha256(bytes)]);
  expect((await packOf(ada, pack.id)).samples).toHaveLength(1);
  expect((await progress()).phase).toBe('done');
  await until(async () => (await encodings()).length === 0);
  // Repeats the request as a client that did not get the answer.
  const again = await upload(ada, path, { bytes, name: 'Long.wav' }, { meta: { uploadId } });
  expect([again.status, again.body.sample.id]).toEqual([201, body.sample.id]);
  const { objects } = await api.resources.storage.list({ prefix: 'uploads/' });
  expect(objects).toEqual([]);
});
