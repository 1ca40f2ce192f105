import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AudioStudio } from '../../application/publishing/samples/audio-studio.js';
import { EncodeFiles } from '../../application/publishing/samples/encode-files.js';
import { EncodingStore, type Becomes } from '../../application/publishing/samples/encodings.js';
import { JobCancelled } from '../../application/shared/job-queue.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import type { HttpClient } from '../support/http-client.js';
import {
  draftPack,
  packOf,
  sha256,
  wav,
  withPublishingApp,
  type PublishingApp,
} from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
withPublishingApp((app, creator) => ([test, ada] = [app, creator]));

let files: EncodeFiles;
let store: EncodingStore;
let packId: string;
beforeEach(async () => {
  files = test.app.get(EncodeFiles, { strict: false });
  store = test.app.get(EncodingStore, { strict: false });
  packId = (await draftPack(ada)).id;
});

/** Stores a file and its upload as they wait for their job. */
async function ordered(bytes: Buffer, becomes: Becomes = { kind: 'new', meta: {} }) {
  const name = { userId: ada.userId, packId, uploadId: randomUUID() };
  const key = `uploads/${randomUUID()}`;
  await test.storage.put(key, bytes, { contentType: 'application/octet-stream' });
  await store.save(name, { key, filename: 'Kick.wav', becomes }, test.clock.now());
  return { name, key };
}
const attempt = (number: number, signal = new AbortController().signal) => ({ number, signal });
const samples = async () => (await packOf(ada, packId)).samples as Array<{ id: string; sha256: string }>;

describe('[OPS-244] the job of a file', () => {
  it('makes the sample, keeps what became of it, and removes the file; done again it changes nothing', async () => {
    const bytes = wav();
    const { name, key } = await ordered(bytes);
    await files.run(name, attempt(1));
    const [sample] = await samples();
    expect(sample?.sha256).toBe(sha256(bytes));
    expect((await store.find(name))?.outcome).toMatchObject({ accepted: true, sampleId: sample?.id });
    expect(await test.storage.head(key)).toBeUndefined();
    await files.run(name, attempt(2));
    expect(await samples()).toHaveLength(1);
  });

  it('keeps a refusal, which no repeat would change', async () => {
    const { name, key } = await ordered(randomBytes(1_000));
    await files.run(name, attempt(1));
    const rejection = { code: 'UnsupportedAudioType' };
    expect((await store.find(name))?.outcome).toMatchObject({ accepted: false, rejection });
    expect(await test.storage.head(key)).toBeUndefined();
  });

  it('is repeated where the storage is away', async () => {
    const { name } = await ordered(wav());
    const away = jest.spyOn(test.storage, 'get').mockRejectedValueOnce(new StorageUnavailable('away'));
    await expect(files.run(name, attempt(1))).rejects.toThrow('away');
    away.mockRestore();
    expect((await store.find(name))?.outcome).toBeNull();
    await files.run(name, attempt(2));
    expect(await samples()).toHaveLength(1);
  });

  it('does not do twice what an attempt did that could not tell of it any more', async () => {
    const first = await ordered(wav());
    await files.run(first.name, attempt(1));
    const [sample] = await samples();
    const before = await packOf(ada, packId);
    const bytes = wav();
    const becomes = {
      kind: 'recording',
      sampleId: sample?.id ?? '',
      expectedVersion: before.version,
    } as const;
    const { name, key } = await ordered(bytes, becomes);
    const killed = jest.spyOn(store, 'end').mockRejectedValueOnce(new Error('killed'));
    await expect(files.run(name, attempt(1))).rejects.toThrow('killed');
    killed.mockRestore();
    const { version } = await packOf(ada, packId);
    expect(version).toBe(before.version + 1);
    await files.run(name, attempt(2));
    expect((await store.find(name))?.outcome).toMatchObject({ accepted: true, version });
    expect([(await packOf(ada, packId)).version, (await samples())[0]?.sha256]).toEqual([
      version,
      sha256(bytes),
    ]);
    expect(await test.storage.head(key)).toBeUndefined();
  });

  it('ends when its worker stops, to be done by another, and leaves nothing on the node', async () => {
    const { name, key } = await ordered(wav());
    const stopped = AbortSignal.abort(new Error('the worker stops'));
    await expect(files.run(name, attempt(1, stopped))).rejects.toThrow('the worker stops');
    expect([await samples(), test.temporaryFiles()]).toEqual([[], []]);
    expect((await store.find(name))?.outcome).toBeNull();
    expect(await test.storage.head(key)).toBeDefined();
  });

  it('[OPS-271] ends amid the analysis when it is cancelled: says so, leaves nothing, and the file may be sent again', async () => {
    const stored = async () =>
      (await test.storage.list({ prefix: 'Users/' })).objects.map((object) => object.key);
    // The pack.json is written after the events.
    await test.settled();
    const before = await stored();
    const { name, key } = await ordered(wav());
    const cancel = new AbortController();
    const studio = test.app.get(AudioStudio, { strict: false });
    const { analyse } = studio;
    jest.spyOn(studio, 'analyse').mockImplementationOnce((path, previewPath, options) => {
      const analysed = Reflect.apply(analyse, studio, [path, previewPath, options]) as ReturnType<
        typeof analyse
      >;
      cancel.abort(new JobCancelled());
      return analysed;
    });
    await files.run(name, attempt(1, cancel.signal));
    const rejection = { code: 'UploadCancelled' };
    expect((await store.find(name))?.outcome).toEqual({ accepted: false, rejection });
    expect([await samples(), test.temporaryFiles()]).toEqual([[], []]);
    expect(await test.storage.head(key)).toBeUndefined();
    expect(await stored()).toEqual(before);
    // A later attempt does not repeat a cancelled upload.
    await files.run(name, attempt(2));
    expect(await samples()).toEqual([]);
    const again = `uploads/${randomUUID()}`;
    await test.storage.put(again, wav(), { contentType: 'application/octet-stream' });
    await store.save(
      name,
      { key: again, filename: 'Kick.wav', becomes: { kind: 'new', meta: {} } },
      test.clock.now(),
    );
    await files.run(name, attempt(1));
    expect(await samples()).toHaveLength(1);
  });
});
