import { expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, withPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

// Measuring audio is slow on a busy machine.

let test: PublishingApp;
let ada: HttpClient;

withPublishingApp((app, creator) => ([test, ada] = [app, creator]));

it('[CRED-10] a sample costs 1 credit by default, and its own cost of 1 to 5 overrides', async () => {
  const pack = await draftPack(ada);
  const path = `/api/creator/packs/${pack.id}/samples`;
  const add = (frequencyHz: number, meta?: object) =>
    upload(ada, path, { bytes: wav(frequencyHz) }, meta ? { meta } : {});
  expect((await add(220)).body.sample.creditCost).toBe(1);
  const { body } = await add(330, { creditCost: 5 });
  expect(body.sample.creditCost).toBe(5);
  for (const creditCost of [0, 6, 1.5, -1, '2'])
    expect([creditCost, (await add(440, { creditCost })).status]).toEqual([creditCost, 400]);

  const own = `${path}/${body.sample.id}`;
  for (const creditCost of [1, 2, 3, 4]) expect((await ada.patch(own, { creditCost })).status).toBe(200);
  for (const creditCost of [0, 6]) expect((await ada.patch(own, { creditCost })).status).toBe(400);
  expect((await ada.post(`/api/creator/packs/${pack.id}/publish`)).status).toBe(200);
  await test.settled();
  const { items } = (await test.browser().get('/api/samples')).body;
  expect(items.map((sample: { creditCost: number }) => sample.creditCost).sort()).toEqual([1, 4]);
});
