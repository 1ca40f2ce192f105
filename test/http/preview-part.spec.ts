import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OfflineAudioContext } from 'node-web-audio-api';
import type { OwnSample } from '../../application/publishing/contract.js';
import { RATE, sine, wavFile } from '../audio/synthesis.js';
import type { HttpClient } from '../support/http-client.js';
import {
  draftPack,
  packOf,
  sha256,
  startPublishingApp,
  upload,
  wav,
  type PublishingApp,
} from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
let pack: { id: string };
let path: string;

const SECONDS = 90;
/** A tone that rises by 10 Hz each second, so that its pitch says which part it is. */
const rising = (): Float32Array => {
  const sound = new Float32Array(SECONDS * RATE);
  for (let second = 0; second < SECONDS; second++) sound.set(sine(200 + 10 * second, 1, 0.5), second * RATE);
  return sound;
};

beforeAll(async () => {
  test = await startPublishingApp();
  ada = await test.creator('ada@example.com');
  pack = await draftPack(ada);
  const add = (bytes: Buffer, name: string) =>
    upload(ada, `/api/creator/packs/${pack.id}/samples`, { name, bytes });
  const { body } = await add(wavFile([rising()]), 'Rising.wav');
  path = `/api/creator/packs/${pack.id}/samples/${body.sample.id}`;
  await add(wav(300, 0.5), 'Short.wav');
  await ada.post(`/api/creator/packs/${pack.id}/publish`);
  await test.settled();
});
afterAll(async () => test?.close());

const own = async (): Promise<OwnSample[]> => (await packOf(ada, pack.id)).samples;
const choose = (startMs: unknown, at = path, client = ada) => client.put(`${at}/preview`, { startMs });

/** Returns the frequency that a preview plays in its tenth second, and its length. */
async function heardIn(url: string | null): Promise<{ hertz: number; seconds: number }> {
  const bytes = new Uint8Array(await test.read(String(url).slice(1)));
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes.buffer);
  const second = sound.getChannelData(0).subarray(10.25 * RATE, 10.75 * RATE);
  let crossings = 0;
  for (let at = 1; at < second.length; at++)
    if ((second[at - 1] as number) < 0 && (second[at] as number) >= 0) crossings += 1;
  return { hertz: crossings * 2, seconds: sound.duration };
}

it('[KIND-720] a preview is made again from the chosen part of the original, which stays as it is', async () => {
  const [before] = await own();
  expect(before).toMatchObject({ previewStartMs: 0, durationMs: 90_000 });
  expect((await heardIn(before?.previewUrl ?? null)).hertz).toBeCloseTo(300, -1);
  const answer = await choose(25_000);
  expect(answer).toMatchObject({ status: 200, body: { sample: { previewStartMs: 25_000 } } });
  const [after] = await own();
  expect([after?.sha256, after?.waveform.length]).toEqual([before?.sha256, 50]);
  expect(after?.previewUrl).not.toBe(before?.previewUrl);
  const heard = await heardIn(after?.previewUrl ?? null);
  expect(heard.hertz).toBeCloseTo(550, -1);
  expect(heard.seconds).toBeLessThanOrEqual(60);
  await test.settled();
  const { body } = await test.browser().get(`/api/samples/${after?.id}`);
  expect(body.previewUrl).toBe(after?.previewUrl);
  expect(JSON.stringify(body)).not.toContain('Packs/');
});

it('[KIND-721] refuses a part without a full minute, a wrong body and other people, and changes nothing', async () => {
  const [now, short] = await own();
  expect(await choose(30_000)).toMatchObject({ status: 200 });
  expect(await choose(30_001)).toMatchObject({
    status: 422,
    body: { code: 'PreviewOutOfRange', latestMs: 30_000 },
  });
  for (const wrong of [-1, 0.5, '3', null, 900_001])
    expect(await choose(wrong)).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
  const shortPath = `/api/creator/packs/${pack.id}/samples/${short?.id}`;
  expect(await choose(1, shortPath)).toMatchObject({ status: 422, body: { latestMs: 0 } });
  const grace = await test.creator('grace@example.com');
  expect((await choose(0, path, grace)).status).toBe(404);
  expect((await grace.get(`${path}/waveform`)).status).toBe(404);
  const [after] = await own();
  expect([after?.previewStartMs, after?.sha256]).toEqual([30_000, now?.sha256]);
});

it('[KIND-722] draws the whole sound for its creator', async () => {
  const { body } = await ada.get(`${path}/waveform`);
  expect(body.bars).toHaveLength(400);
  expect(body.bars.every((bar: number) => bar > 50 && bar <= 100)).toBe(true);
});

it('[KIND-723] an undone replacement brings the chosen part back, and leaves no other files', async () => {
  await choose(12_000);
  const [chosen] = await own();
  await upload(ada, `${path}/audio`, { bytes: wav(500, 0.5) }, { method: 'put' });
  expect((await own())[0]).toMatchObject({ previewStartMs: 0 });
  expect(await ada.post(`${path}/audio/undo`)).toMatchObject({
    body: { sample: { previewStartMs: 12_000, previewUrl: chosen?.previewUrl, waveform: chosen?.waveform } },
  });
  expect(test.temporaryFiles()).toEqual([]);
  expect(sha256(wavFile([rising()]))).toBe((await own())[0]?.sha256);
});

it('[KIND-724] an upload may say where its preview begins; a shorter sound has its last full minute', async () => {
  const add = (seconds: number) =>
    upload(
      ada,
      `/api/creator/packs/${pack.id}/samples`,
      { name: 'Later.wav', bytes: wavFile([rising().subarray(0, seconds * RATE)]) },
      { meta: { previewStartMs: 20_000 } },
    );
  const [long, middle, short] = [await add(85), await add(70), await add(5)];
  expect([long, middle, short].map(({ body }) => body.sample.previewStartMs)).toEqual([20_000, 10_000, 0]);
  expect((await heardIn(long.body.sample.previewUrl)).hertz).toBeCloseTo(500, -1);
});
