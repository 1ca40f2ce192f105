import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, startPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;

beforeAll(async () => {
  test = await startPublishingApp();
  ada = await test.creator('ada@example.com');
}, 60_000);
afterAll(async () => test?.close());

const samplesOf = async (packId: string) => (await ada.get(`/api/creator/packs/${packId}`)).body.samples;
const originals = async (slug: string) => (await test.stored(`Users/ada/Packs/${slug}/samples/`)).length;

async function packWith(bytes: Buffer) {
  const pack = await draftPack(ada);
  const path = `/api/creator/packs/${pack.id}/samples`;
  const first = await upload(ada, path, { bytes, name: 'First.wav' });
  return { pack, path, first: first.body.sample };
}

describe('a recording that is there already', () => {
  it('is refused where that is asked for, with what it equals, and nothing is stored', async () => {
    const bytes = wav(211);
    const { pack, path, first } = await packWith(bytes);
    const meta = { refuseDuplicate: true };
    expect(await upload(ada, path, { bytes, name: 'Again.wav' }, { meta })).toMatchObject({
      status: 409,
      body: { code: 'DuplicateAudio', sampleId: first.id, name: 'First' },
    });
    expect(await samplesOf(pack.id)).toHaveLength(1);
    expect(await originals(pack.slug)).toBe(1);
    expect(test.temporaryFiles()).toEqual([]);
    expect((await upload(ada, path, { bytes: wav(212) }, { meta })).status).toBe(201);
  });

  it('is added a second time otherwise, and the answer says what it equals', async () => {
    const bytes = wav(221);
    const { pack, path, first } = await packWith(bytes);
    const again = await upload(ada, path, { bytes, name: 'Again.wav' });
    expect(again).toMatchObject({ status: 201, body: { duplicateOf: { sampleId: first.id, name: 'First', packId: pack.id } } }); // prettier-ignore
    const other = await draftPack(ada);
    const elsewhere = await upload(ada, `/api/creator/packs/${other.id}/samples`, { bytes }, { meta: { refuseDuplicate: true } }); // prettier-ignore
    expect(elsewhere).toMatchObject({ status: 201, body: { duplicateOf: { packId: pack.id, packTitle: pack.title } } }); // prettier-ignore
    const grace = await test.creator();
    const hers = await draftPack(grace);
    const foreign = await upload(grace, `/api/creator/packs/${hers.id}/samples`, { bytes });
    expect(foreign).toMatchObject({ status: 201, body: { duplicateOf: null } });
  });

  it('arrives once of two equal uploads at once', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}/samples`;
    const bytes = wav(231);
    const send = () =>
      upload(ada, path, { bytes }, { meta: { refuseDuplicate: true, uploadId: randomUUID() } });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await samplesOf(pack.id)).toHaveLength(1);
    expect(await originals(pack.slug)).toBe(1);
    const { previewUrl } = (await samplesOf(pack.id))[0];
    expect(await test.storage.head(previewUrl.slice(1))).toBeDefined();
  });

  it('is no duplicate of itself when its own upload is sent again, nor of what was removed', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}/samples`;
    const bytes = wav(241);
    const meta = { refuseDuplicate: true, uploadId: randomUUID() };
    const first = await upload(ada, path, { bytes }, { meta });
    expect(await upload(ada, path, { bytes }, { meta })).toMatchObject({ status: 201, body: { sample: { id: first.body.sample.id } } }); // prettier-ignore
    await ada.delete(`${path}/${first.body.sample.id}`);
    expect((await upload(ada, path, { bytes }, { meta: { refuseDuplicate: true } })).status).toBe(201);
  });
});
