import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fingerprints } from '../../cli/fingerprints.command.js';
import { CopyCheck } from '../../application/publishing/sounds/copy-check.js';
import { KnownSounds } from '../../application/publishing/sounds/known-sounds.js';
import { CommandBus } from '@nestjs/cqrs';
import { SuspectCopy, type SuspectedPair } from '../../application/publishing/suspicions/suspect-copy.js';
import { RATE, rustle, wavFile } from '../audio/synthesis.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload } from '../support/publishing.js';
import { until } from '../support/until.js';

let product: TestProduct;
let ada: HttpClient;
let ben: HttpClient;
let found: jest.SpiedFunction<CommandBus['execute']>;
let sounds: KnownSounds;
let seed = 0;

beforeAll(async () => {
  product = await startTestProduct({ WORK_KINDS: 'mail,sound', COPY_CHECK_WAIT_MS: '20000' });
  [ada, ben] = [await creator('ada@example.com'), await creator('ben@example.com')];
  found = jest.spyOn(product.app.get(CommandBus, { strict: false }), 'execute');
  sounds = product.app.get(KnownSounds, { strict: false });
});
afterAll(async () => product?.stop());
beforeEach(() => void found.mockClear());

async function creator(email: string): Promise<HttpClient> {
  const client = await product.signedUp(email);
  await client.becomeCreator();
  return client;
}

/** A quieter copy, cut at both ends. */
const copied = (sound: Float32Array): Float32Array =>
  sound.slice(4_000, sound.length - 6_000).map((value) => value * 0.3);
const newSound = (): Float32Array => rustle(2, (seed += 1));

async function addTo(client: HttpClient, packId: string, sound: Float32Array) {
  const answer = await upload(client, `/api/creator/packs/${packId}/samples`, { bytes: wavFile([sound]) });
  expect(answer.status).toBe(201);
  return answer.body.sample;
}
async function packWith(client: HttpClient, sound: Float32Array) {
  const { id } = await draftPack(client);
  return { id, sample: await addTo(client, id, sound) };
}
const publish = (client: HttpClient, id: string) => client.post(`/api/creator/packs/${id}/publish`);
async function onSale(client: HttpClient, sound: Float32Array) {
  const pack = await packWith(client, sound);
  expect((await publish(client, pack.id)).status).toBe(200);
  return pack;
}
const told = () =>
  found.mock.calls.flatMap(([command]) => (command instanceof SuspectCopy ? [command.pair] : []));
/** Waits until every sound is compared. */
async function settled(): Promise<void> {
  await until(async () => (await sounds.counts()).uncompared === 0);
  expect(await sounds.counts()).toMatchObject({ uncompared: 0, missing: 0 });
}

describe('a sound that is like one of another creator', () => {
  it('[COPY-08] is told of after its upload, with where the two lie beside each other', async () => {
    const sound = newSound();
    const original = await onSale(ada, sound);
    const copy = await packWith(ben, copied(sound));
    await settled();
    expect(told()).toEqual([
      expect.objectContaining({
        sound: expect.objectContaining({ sampleId: copy.sample.id, audioVersion: 1, packId: copy.id }),
        like: expect.objectContaining({ sampleId: original.sample.id, audioVersion: 1, packId: original.id }),
        by: 'fingerprint',
        tier: 'held',
      }),
    ]);
    const [pair] = told() as [SuspectedPair];
    expect(pair.score).toBeGreaterThanOrEqual(70);
    expect(Math.abs(pair.offsetMs - (4_000 / RATE) * 1_000)).toBeLessThan(5);
    expect(pair.speed).toBeCloseTo(1, 2);
    expect(pair.frames.agree).toBeGreaterThan(pair.frames.of * 0.7);
  });

  it('[COPY-09] is told of before it is published, however soon that is asked for', async () => {
    const sound = newSound();
    const original = await onSale(ada, sound);
    const copy = await packWith(ben, copied(sound));
    expect(await publish(ben, copy.id)).toMatchObject({
      status: 409,
      body: { code: 'DuplicateSuspected', sampleId: copy.sample.id },
    });
    expect(told()[0]).toMatchObject({ like: { sampleId: original.sample.id } });
  });

  it('[COPY-10] is told of once the other one is for sale: of two drafts the second to be published', async () => {
    const sound = newSound();
    const [first, second] = [await packWith(ben, copied(sound)), await packWith(ada, sound)];
    await settled();
    await publish(ada, second.id);
    expect(told()).toEqual([]);
    expect((await publish(ben, first.id)).body.code).toBe('DuplicateSuspected');
    expect(told()).toEqual([
      expect.objectContaining({
        sound: expect.objectContaining({ sampleId: first.sample.id }),
        like: expect.objectContaining({ sampleId: second.sample.id }),
      }),
    ]);
    expect(Math.abs((told()[0]?.offsetMs ?? 0) - (4_000 / RATE) * 1_000)).toBeLessThan(5);
  });

  it('[COPY-11] is not told of where it is the same creator, or was removed or replaced meanwhile', async () => {
    const [sound, other] = [newSound(), newSound()];
    const pack = await onSale(ada, sound);
    await addTo(ada, pack.id, copied(sound));
    const { id, sample } = await packWith(ben, copied(sound));
    const path = `/api/creator/packs/${id}/samples/${sample.id}/audio`;
    const replaced = await upload(ben, path, { bytes: wavFile([other]) }, { method: 'put' });
    expect(replaced.status).toBe(200);
    await settled();
    found.mockClear();
    expect((await publish(ben, id)).status).toBe(200);
    const version = { sampleId: sample.id, audioVersion: 1 };
    await product.app.get(CopyCheck, { strict: false }).run(version, new AbortController().signal);
    expect(told()).toEqual([]);
  });

  it('[COPY-12, COPY-15] is compared by a fingerprint that is made of its file, where it has none', async () => {
    const sound = newSound();
    await onSale(ada, sound);
    const { sample } = await packWith(ben, copied(sound));
    await settled();
    const { pool } = product.resources.database;
    await pool.query('delete from sound_fingerprint where sample_id = $1', [sample.id]);
    expect(await sounds.counts()).toMatchObject({ missing: 1 });
    found.mockClear();
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const tools = { app: product.app, jobs: product.resources.jobs };
    expect(await fingerprints(tools, { missing: false, json: false }, print)).toBe(1);
    expect(await fingerprints(tools, { missing: true, json: false }, print)).toBe(0);
    expect(lines[0]).toContain(': 1 without a fingerprint, 0 too plain for one, 1 to be compared');
    expect(lines[2]).toContain('Workers have 1 sounds to compare');
    await settled();
    expect(told()).toHaveLength(1);
  });

  it('[COPY-17] is compared with the others where the file of one is gone', async () => {
    const sound = newSound();
    const gone = await onSale(ada, sound);
    const { sample } = await onSale(
      ada,
      sound.map((value) => value * 0.9),
    );
    await settled();
    await product.resources.storage.delete(gone.sample.previewUrl.slice(1));
    found.mockClear();
    await packWith(ben, copied(sound));
    await settled();
    expect(told()).toEqual([
      expect.objectContaining({ like: expect.objectContaining({ sampleId: sample.id }) }),
    ]);
  });

  it('[COPY-13] is forgotten when nobody has it any more', async () => {
    const { id, sample } = await packWith(ben, newSound());
    await settled();
    expect((await ben.delete(`/api/creator/packs/${id}/samples/${sample.id}`)).status).toBeLessThan(300);
    expect(await sounds.sweep()).toBeGreaterThan(0);
    expect(await sounds.present(sample.id)).toBeUndefined();
  });
});
