import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { UploadBoard } from '../../application/publishing/samples/upload-progress.js';
import { startProduct, type Product } from '../../bootstrap/product.js';
import { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload, wav } from '../support/publishing.js';

let one: TestProduct;
let two: Product;
const dataDir = mkdtempSync(join(tmpdir(), 'offcut-second-node-'));

beforeAll(async () => {
  expectLog(/^warn \[Payments\] this process has a payment simulator of its own/);
  one = await startTestProduct();
  const { config } = one.resources;
  two = await startProduct({ ...config, port: 0, publicUrl: 'http://localhost:0', role: 'api', dataDir });
});
afterAll(async () => {
  await two?.stop();
  await one?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('[OPS-221] a node tells how far an upload has come that another one receives, to its owner alone', async () => {
  const ada = await HttpClient.signUp(one.url);
  await ada.post('/api/creator/application', {});
  const uploadId = randomUUID();
  const progress = async (client: HttpClient) => {
    const elsewhere = new HttpClient(two.url, client.cookies.get('offcut_session'));
    const { status, body } = await elsewhere.get(`/api/creator/uploads/${uploadId}`);
    return status === 200 ? body : status;
  };
  const becomes = async (wanted: unknown) => {
    for (let asked = 0; asked < 200; asked += 1) {
      if (JSON.stringify(await progress(ada)) === JSON.stringify(wanted)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(await progress(ada)).toEqual(wanted);
  };
  expect(await progress(ada)).toBe(404);
  one.app
    .get(UploadBoard, { strict: false })
    .report(uploadId, ada.userId, { phase: 'receiving', share: 0.25 });
  await becomes({ phase: 'receiving', share: 0.25 });
  const pack = await draftPack(ada);
  const path = `/api/creator/packs/${pack.id}/samples?uploadId=${uploadId}`;
  expect((await upload(ada, path, { bytes: wav(440) }, { meta: { uploadId } })).status).toBe(201);
  await becomes({ phase: 'done', share: 1 });
  expect(await progress(await HttpClient.signUp(one.url))).toBe(404);
});
