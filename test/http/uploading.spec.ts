import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { DiskWorkingFiles } from '../../adapters/vendors/disk/disk-working-files.js';
import type { HttpClient } from '../support/http-client.js';
import {
  draftPack,
  packOf,
  sha256,
  upload,
  wav,
  withPublishingApp,
  type PublishingApp,
} from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
withPublishingApp((app, creator) => ([test, ada] = [app, creator]));

describe('an upload', () => {
  it('[SMOD-08] [STOR-08] keeps the original to the byte, measures it and makes a preview', async () => {
    const pack = await draftPack(ada, { name: 'Upload One' });
    const bytes = wav(330);
    const { status, body } = await upload(
      ada,
      `/api/creator/packs/${pack.id}/samples`,
      { bytes, name: 'Felt_Keys_90bpm_Cmin.wav' },
      { meta: { instruments: ['Piano', 'Piano'], creditCost: 3 } },
    );
    expect(status).toBe(201);
    expect(body.sample).toMatchObject({
      name: 'Felt Keys',
      bpm: 90,
      key: 'C Minor',
      filename: 'Felt_Keys_90bpm_Cmin.wav',
      format: 'wav',
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
      instruments: ['Piano'],
      creditCost: 3,
      isRoyaltyFree: true,
      hasStems: false,
      hasMidi: false,
      durationMs: 600,
      sampleRateHz: 44_100,
      bitDepth: 16,
    });
    expect(body.sample.waveform).toHaveLength(50);
    const [original, ...others] = await test.stored('Users/ada/Packs/upload-one/samples/');
    expect(others).toEqual([]);
    expect(original).toMatch(/^Users\/ada\/Packs\/upload-one\/samples\/\d+_[0-9a-f]+\.wav$/);
    expect(sha256(await test.read(original as string))).toBe(sha256(bytes));
    const preview = await test.read(body.sample.previewUrl.slice(1));
    expect(body.sample.previewUrl).toBe(`/media/previews/${sha256(preview)}.mp3`);
    expect(test.temporaryFiles()).toEqual([]);
  });

  it('[SMOD-01] replaces audio and adds MIDI in a pack that takes no further sample', async () => {
    const pack = await draftPack(ada);
    const samples = `/api/creator/packs/${pack.id}/samples`;
    const { id } = (await upload(ada, samples, { bytes: wav() })).body.sample;
    await test.database.pool.query(
      `insert into sample select (jsonb_populate_record(s, jsonb_build_object('sample_id', 'full-' || n))).*
         from sample s, generate_series(1, 999) n where sample_id = $1`,
      [id],
    );
    expect((await upload(ada, samples, { bytes: wav() })).body.code).toBe('TooManySamples');
    const replaced = await upload(ada, `${samples}/${id}/audio`, { bytes: wav() }, { method: 'put' });
    expect(replaced.status).toBe(200);
    const midi = {
      bytes: Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1'),
      name: 'a.mid',
      part: 'file',
    };
    expect((await upload(ada, `${samples}/${id}/midi`, midi, { method: 'put' })).status).toBe(200);
  });

  it('is added once per upload id, also when sent twice at once, and tells its progress', async () => {
    const pack = await draftPack(ada);
    const uploadId = '5f0c7a52-4a51-4d0b-9d5b-0d6a0f7d3b11';
    const path = `/api/creator/packs/${pack.id}/samples`;
    const send = () =>
      upload(ada, `${path}?uploadId=${uploadId}`, { bytes: wav(440) }, { meta: { uploadId } });
    const [one, two] = await Promise.all([send(), send()]);
    const three = await send();
    expect([one.status, two.status, three.status]).toEqual([201, 201, 201]);
    expect(new Set([one, two, three].map((answer) => answer.body.sample.id)).size).toBe(1);
    expect((await packOf(ada, pack.id)).sampleCount).toBe(1);
    expect(await test.stored(`Users/ada/Packs/${pack.slug}/samples/`)).toHaveLength(1);
    expect(test.temporaryFiles()).toEqual([]);
    expect((await ada.get(`/api/creator/uploads/${uploadId}`)).body).toEqual({ phase: 'done', share: 1 });
    const other = await test.creator();
    expect((await other.get(`/api/creator/uploads/${uploadId}`)).status).toBe(404);
  });

  it.each(['sound.flac', 'take.aiff', 'stream.aac'])(
    '[FMT-700] [STOR-09] as %s keeps its very bytes, its ending and its type',
    async (name) => {
      const pack = await draftPack(ada);
      const bytes = readFileSync(new URL(`../audio/fixtures/${name}`, import.meta.url));
      const { status, body } = await upload(ada, `/api/creator/packs/${pack.id}/samples`, { name, bytes });
      const format = name.split('.')[1];
      expect([status, body.sample]).toMatchObject([201, { format, filename: name, sha256: sha256(bytes) }]);
      const [key = ''] = await test.stored(`Users/ada/Packs/${pack.slug}/samples/`);
      expect(key.endsWith(`.${format}`)).toBe(true);
      expect((await test.read(key)).equals(bytes)).toBe(true);
    },
  );

  it('[ROLE-03] goes into nobody else’s pack', async () => {
    const pack = await draftPack(ada);
    const other = await test.creator();
    expect(await upload(other, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() })).toMatchObject({
      status: 404,
      body: { code: 'NotFound' },
    });
    for (const [method, path, body] of [
      ['get', '', undefined],
      ['patch', '', { name: 'Mine' }],
      ['delete', '', undefined],
      ['post', '/publish', undefined],
      ['post', '/unpublish', undefined],
      ['put', '/order', { sampleIds: [] }],
      ['post', '/default-cost', { creditCost: 2 }],
    ] as const)
      expect(
        await other.call(method.toUpperCase(), `/api/creator/packs/${pack.id}${path}`, body),
      ).toMatchObject({ status: 404 });
    expect(await packOf(ada, pack.id)).toMatchObject({ version: pack.version, title: pack.title });
  });
});

describe('what a killed process left of uploads', () => {
  it('is removed when it is old, and only then', async () => {
    const folder = join(test.config.dataDir, 'uploads');
    mkdirSync(folder, { recursive: true });
    for (const name of ['old', 'young']) writeFileSync(join(folder, name), 'x');
    const now = new Date();
    utimesSync(join(folder, 'old'), now, new Date(now.getTime() - 2 * 60 * 60_000));
    expect(await new DiskWorkingFiles(folder).removeAbandoned(now)).toBe(1);
    expect(test.temporaryFiles()).toEqual(['young']);
    rmSync(join(folder, 'young'));
    expect(await new DiskWorkingFiles(join(folder, 'nowhere')).removeAbandoned(now)).toBe(0);
  });
});

describe('when storage fails', () => {
  it.each(['/samples/', 'media/previews/'])(
    'at %s, an upload leaves nothing and may be sent again',
    async (place) => {
      const pack = await draftPack(ada);
      const path = `/api/creator/packs/${pack.id}/samples`;
      const bytes = wav(place.length * 50 + 5);
      await test.settled();
      const before = await test.stored();
      const put = test.storage.put.bind(test.storage);
      test.storage.put = async (key, body, options) => {
        const stored = await put(key, body, options);
        // The worst moment: the object is stored, but the answer is lost.
        if (key.includes(place)) throw new StorageUnavailable('lost');
        return stored;
      };
      try {
        expect(await upload(ada, path, { bytes })).toMatchObject({ status: 503 });
      } finally {
        test.storage.put = put;
      }
      const left = (await test.stored()).filter((key) => !before.includes(key));
      expect(left).toEqual([]);
      expect(test.temporaryFiles()).toEqual([]);
      expect((await packOf(ada, pack.id)).sampleCount).toBe(0);
      expect((await upload(ada, path, { bytes })).status).toBe(201);
    },
  );
});
