import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OwnSample } from '../../application/publishing/contract.js';
import { sine, wavFile } from '../audio/synthesis.js';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, packOf, startPublishingApp, upload, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
let pack: { id: string };
let samples: OwnSample[];

/** A struck note: it dies away within two seconds. */
const struck = (hz: number) =>
  wavFile([sine(hz, 2, 0.8).map((value, frame) => value * Math.exp(-frame / 6_000))]);

beforeAll(async () => {
  test = await startPublishingApp();
  ada = await test.creator('ada@example.com');
  pack = await draftPack(ada);
  const add = (name: string, bytes: Buffer, meta: object) =>
    upload(ada, `/api/creator/packs/${pack.id}/samples`, { name, bytes }, { meta });
  await add('Bell.wav', struck(440), { bpm: 120 });
  await add('Rhodes loop.wav', wavFile([sine(220, 0.9, 0.5)]), {});
  await add('Hum.wav', wavFile([sine(110, 2, 0.5)]), { kind: 'take' });
  samples = (await packOf(ada, pack.id)).samples;
  await ada.post(`/api/creator/packs/${pack.id}/publish`);
  await test.settled();
});
afterAll(async () => test?.close());

const change = async (at: number, kind: unknown) => {
  const answer = await ada.patch(`/api/creator/packs/${pack.id}/samples/${samples[at]?.id}`, { kind });
  await test.settled();
  return answer;
};
const found = async (kind: string) => {
  const { body } = await test.browser().get(`/api/samples?kind=${kind}`);
  return (body.items as { title: string; kind: string }[])
    .map(({ title, kind }) => `${title}: ${kind}`)
    .sort();
};

it('[KIND-702] suggests a kind with its reason, and states none', () => {
  expect(samples.map(({ kind, suggestions }) => [kind, suggestions.kind])).toEqual([
    [null, { kind: 'one-shot', confidence: 0.9, because: 'decay' }],
    [null, { kind: 'loop', confidence: 0.97, because: 'name' }],
    ['take', null],
  ]);
});

it('[KIND-703] the search finds exactly the samples of a kind, as stated or suggested, once a change is saved', async () => {
  expect(await found('one-shot')).toEqual(['Bell: one-shot']);
  expect(await found('loop')).toEqual(['Rhodes loop: loop']);
  expect(await found('take')).toEqual(['Hum: take']);
  expect(await change(1, 'one-shot')).toMatchObject({ status: 200, body: { sample: { kind: 'one-shot' } } });
  expect(await found('loop')).toEqual([]);
  expect(await found('one-shot')).toEqual(['Bell: one-shot', 'Rhodes loop: one-shot']);
  expect((await test.browser().get(`/api/samples/${samples[1]?.id}`)).body.kind).toBe('one-shot');
  expect((await change(1, null)).body.sample.kind).toBe(null);
  expect(await found('loop')).toEqual(['Rhodes loop: loop']);
});

it('[KIND-703] refuses a kind that does not exist, alone and among many rows', async () => {
  expect(await change(0, 'stab')).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
  const { body } = await ada.patch(`/api/creator/packs/${pack.id}/samples`, {
    changes: [
      { sampleId: samples[0]?.id, kind: 'loop' },
      { sampleId: samples[2]?.id, kind: 'stab' },
    ],
  });
  expect(body).toMatchObject({
    savedIds: [samples[0]?.id],
    refused: [{ sampleId: samples[2]?.id, code: 'InvalidRequest', errors: [{ path: 'kind' }] }],
  });
});

it('[KIND-704] samples from before kinds were stated keep the kind that title, tempo and length give', async () => {
  await test.database.pool.query(`update sample set kind = null, suggestions = suggestions - 'kind'`);
  const { body } = await test.browser().get(`/api/samples/${samples[0]?.id}`);
  expect(body.kind).toBe('loop');
  expect((await test.browser().get(`/api/samples/${samples[2]?.id}`)).body.kind).toBe('one-shot');
});
