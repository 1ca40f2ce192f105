import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, withPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;

withPublishingApp((app, creator) => ([test, ada] = [app, creator]));

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
    expect(again).toMatchObject({
      status: 201,
      body: { duplicateOf: { sampleId: first.id, name: 'First', packId: pack.id } },
    });
    const other = await draftPack(ada);
    const elsewhere = await upload(
      ada,
      `/api/creator/packs/${other.id}/samples`,
      { bytes },
      { meta: { refuseDuplicate: true } },
    );
    expect(elsewhere).toMatchObject({
      status: 201,
      body: { duplicateOf: { packId: pack.id, packTitle: pack.title } },
    });
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
    expect(await upload(ada, path, { bytes }, { meta })).toMatchObject({
      status: 201,
      body: { sample: { id: first.body.sample.id } },
    });
    await ada.delete(`${path}/${first.body.sample.id}`);
    expect((await upload(ada, path, { bytes }, { meta: { refuseDuplicate: true } })).status).toBe(201);
  });
});

describe('a recording that another creator published', () => {
  const packOf = async (client: HttpClient, bytes: Buffer, name: string) => {
    const pack = await draftPack(client);
    const path = `/api/creator/packs/${pack.id}`;
    const { body } = await upload(client, `${path}/samples`, { bytes }, { meta: { name } });
    return { path, sampleId: body.sample.id as string, publish: () => client.post(`${path}/publish`) };
  };
  const refusal = (sampleId: string, name: string) => ({
    status: 409,
    body: {
      code: 'DuplicateAudio',
      sampleId,
      name,
      among: 'catalogue',
      detail: `“${name}” is the same recording as one that another creator published before.`,
    },
  });

  it('[PUB-06] is not published a second time, and the refusal names one’s own sample alone', async () => {
    const grace = await test.creator();
    const bytes = wav(311);
    const first = await packOf(ada, bytes, 'Mine');
    expect((await first.publish()).status).toBe(200);
    const copy = await packOf(grace, bytes, 'Copied');
    const refused = await copy.publish();
    expect(refused).toMatchObject(refusal(copy.sampleId, 'Copied'));
    expect(JSON.stringify(refused.body)).not.toMatch(new RegExp(`Mine|${ada.userId}|${first.sampleId}`));
    expect((await grace.get(copy.path)).body.status).toBe('draft');
    // The refusal does not affect the protected creator.
    expect((await (await packOf(ada, bytes, 'Mine again')).publish()).status).toBe(200);
    // A hidden pack still protects her recording.
    expect((await ada.post(`${first.path}/unpublish`)).status).toBe(200);
    expect((await copy.publish()).status).toBe(409);
  });

  it('[PUB-06] does not get in by an upload to a published pack, or in place of other audio', async () => {
    const grace = await test.creator();
    const bytes = wav(321);
    expect((await (await packOf(ada, bytes, 'Mine')).publish()).status).toBe(200);
    const other = await packOf(grace, wav(322), 'Own');
    expect((await other.publish()).status).toBe(200);
    const added = await upload(grace, `${other.path}/samples`, { bytes }, { meta: { name: 'Added' } });
    expect(added).toMatchObject({
      status: 409,
      body: { code: 'DuplicateAudio', name: 'Added', among: 'catalogue' },
    });
    const replaced = await upload(
      grace,
      `${other.path}/samples/${other.sampleId}/audio`,
      { bytes },
      { method: 'put' },
    );
    expect(replaced).toMatchObject({ status: 409, body: { code: 'DuplicateAudio', name: 'Own' } });
    expect((await grace.get(other.path)).body.samples).toHaveLength(1);
    expect(test.temporaryFiles()).toEqual([]);
  });

  it('[PUB-06] is free while it is a draft, and again once it is deleted', async () => {
    const grace = await test.creator();
    const bytes = wav(331);
    const draft = await packOf(ada, bytes, 'Draft');
    const copy = await packOf(grace, bytes, 'First');
    expect((await copy.publish()).status).toBe(200);
    expect(await draft.publish()).toMatchObject(refusal(draft.sampleId, 'Draft'));
    expect((await grace.delete(copy.path)).status).toBe(204);
    // Grace's claim of the recording, which her publication took, must expire too.
    await test.database.pool.query(`update recording_claim set taken_at = taken_at - interval '61 seconds'`);
    expect((await draft.publish()).status).toBe(200);
  });

  it('[PUB-06] of several who publish it at once one does', async () => {
    const bytes = wav(341);
    const creators = await Promise.all([1, 2, 3, 4].map(() => test.creator()));
    const packs = await Promise.all(creators.map((client, index) => packOf(client, bytes, `Take ${index}`)));
    const statuses = (await Promise.all(packs.map(({ publish }) => publish()))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409]);
  });
});
