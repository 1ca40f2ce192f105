import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HoldSample } from '../../application/publishing/decide-on-sample.js';
import { CommandBus } from '@nestjs/cqrs';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { wavOf } from '../support/wav.js';

/** A cache that is unavailable for the first request. */
let cache: Server;
const told: { authorization: string | undefined; paths: string[] }[] = [];
let refusals = 1;
let product: TestProduct;
let creator: HttpClient;

beforeAll(async () => {
  cache = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { paths } = JSON.parse(Buffer.concat(parts).toString()) as { paths: string[] };
      const away = refusals > 0;
      refusals -= 1;
      if (!away) told.push({ authorization: request.headers.authorization, paths });
      response.writeHead(away ? 503 : 204).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => cache.once('listening', resolve));
  const { port } = cache.address() as AddressInfo;
  product = await startTestProduct({
    CDN_PURGE_URL: `http://127.0.0.1:${port}/purge`,
    CDN_PURGE_TOKEN: 'a-token-of-the-cache',
  });
  creator = await product.signedUp();
  await creator.becomeCreator();
});
afterAll(async () => {
  await product?.stop();
  cache?.close();
});

it('[RIGHT-12] a cache in front is told of what leaves the shop, again until it takes it', async () => {
  const { id } = (await creator.post('/api/creator/packs', { name: 'One', genre: 'Soul', mood: 'Chill' }))
    .body;
  const form = new FormData();
  form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 210 }))]), 'One.wav');
  const { sample } = (await creator.post(`/api/creator/packs/${id}/samples`, undefined, { raw: form })).body;
  const { artworkUrl } = (await creator.post(`/api/creator/packs/${id}/publish`, {})).body;
  const preview = await product.browser().get(sample.previewUrl);
  expect([preview.headers.get('cache-control'), preview.headers.get('cdn-cache-control')]).toEqual([
    'public, no-cache',
    'max-age=60',
  ]);
  expect(told).toEqual([]);
  expectLog(/^warn \[LogSubscriptions\] purge-media failed .*: the cache in front answered 503 to a purge$/);
  const bus = product.app.get(CommandBus, { strict: false });
  await bus.execute(new HoldSample({ sampleId: sample.id }, { kind: 'copy', id: '1' }, 'system:copies'));
  while (told.length < 1) await pause(50);
  expect(told[0]).toEqual({ authorization: 'Bearer a-token-of-the-cache', paths: [sample.previewUrl] });
  await creator.post(`/api/creator/packs/${id}/unpublish`, {});
  while (told.length < 2) await pause(50);
  const [cover, ...rest] = told[1]?.paths ?? [];
  expect(cover).toBe(artworkUrl);
  expect(rest).toContain(artworkUrl.replace('.webp', '-96.webp'));
  expect(rest).toContain(sample.previewUrl);
});
