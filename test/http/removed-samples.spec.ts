import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, withPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;

withPublishingApp((app, creator) => ([test, ada] = [app, creator]));
afterEach(() => void jest.restoreAllMocks());

async function packWithSample() {
  const pack = await draftPack(ada);
  const path = `/api/creator/packs/${pack.id}/samples`;
  const { body } = await upload(ada, path, { bytes: wav() });
  const sample = `${path}/${body.sample.id}`;
  const midi = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1');
  await upload(ada, `${sample}/midi`, { part: 'file', name: 'keys.mid', bytes: midi }, { method: 'put' });
  const files = async () =>
    (await test.stored('Users/')).filter((key) => new RegExp(`/${pack.slug}/(samples|midi)/`).test(key));
  return { pack, sample, sampleId: body.sample.id as string, files };
}

describe('the files of a sample that leaves its pack', () => {
  it('[EDIT-12] go with it, as long as the pack was never on sale', async () => {
    const { sample, files } = await packWithSample();
    expect(await files()).toHaveLength(2);
    expect((await ada.delete(sample)).status).toBe(204);
    expect(await files()).toEqual([]);
  });

  it('[EDIT-12] are told of when the storage keeps them', async () => {
    const { sample, files, pack } = await packWithSample();
    jest.spyOn(test.storage, 'delete').mockRejectedValue(new StorageUnavailable('away'));
    expect(await ada.delete(sample)).toMatchObject({ status: 200, body: { cleanedUp: false } });
    expect((await ada.get(`/api/creator/packs/${pack.id}`)).body.samples).toEqual([]);
    expect(await files()).toHaveLength(2);
  });

  it('[EDIT-11] stay where the pack has been on sale: buyers keep what they bought', async () => {
    const { pack, sample, files } = await packWithSample();
    const path = `/api/creator/packs/${pack.id}`;
    expect((await ada.post(`${path}/publish`)).status).toBe(200);
    expect((await ada.post(`${path}/unpublish`)).status).toBe(200);
    expect((await ada.delete(sample)).status).toBe(204);
    expect(await files()).toHaveLength(2);
  });

  it('[EDIT-11] stay where somebody has taken the sample', async () => {
    const { sample, sampleId, files } = await packWithSample();
    await test.database.pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
       select creator_id, sample_id, 1, 'p', pack_id, creator_id, 0, 'c', 1, now() from sample where sample_id = $1`,
      [sampleId],
    );
    expect((await ada.delete(sample)).status).toBe(204);
    expect(await files()).toHaveLength(2);
  });
});
