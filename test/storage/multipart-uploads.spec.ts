import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { SystemClock } from '../../application/shared/clock.js';

const MIB = 1024 * 1024;
const endpoint = process.env.TEST_S3_ENDPOINT ?? '';

// Without a bucket, the test run itself lists what it skipped and why.
(endpoint ? describe : describe.skip)('uploads in parts that others send', () => {
  let storage: S3ObjectStorage;
  beforeAll(() => {
    storage = new S3ObjectStorage({
      endpoint,
      credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' },
      region: 'us-east-1',
      bucket: `parts-${randomBytes(4).toString('hex')}`,
      clock: new SystemClock(),
    });
  });
  afterAll(() => storage?.close());

  const begun = async (key: string) => ({
    key,
    multipartId: await storage.multipart.begin(key, { contentType: 'audio/wav' }),
  });
  const addressOf = (upload: Awaited<ReturnType<typeof begun>>, number: number, sizeBytes: number) =>
    storage.multipart.presignPart(upload, { number, sizeBytes }, { expiresInSeconds: 60 });
  const send = async (address: string, body: Buffer) =>
    (await fetch(address, { method: 'PUT', body: new Uint8Array(body) })).status;

  it('[OPS-240] become the object once all parts are there, in any order; completing twice changes nothing', async () => {
    const { multipart } = storage;
    const upload = await begun('uploads/whole one');
    const [first, last] = [randomBytes(5 * MIB), Buffer.from('the end')];
    expect(await multipart.parts(upload)).toEqual([]);
    expect(await send(await addressOf(upload, 2, last.length), last)).toBe(200);
    expect((await multipart.parts(upload))?.map(({ number }) => number)).toEqual([2]);
    expect(await send(await addressOf(upload, 1, first.length), first)).toBe(200);
    const parts = (await multipart.parts(upload)) ?? [];
    expect(parts.map(({ sizeBytes }) => sizeBytes)).toEqual([first.length, last.length]);
    expect(await storage.head(upload.key)).toBeUndefined();
    await multipart.complete(upload, parts);
    await multipart.complete(upload, parts);
    const { body, contentType } = await storage.get(upload.key);
    expect(contentType).toBe('audio/wav');
    expect(Buffer.concat(await body.toArray()).equals(Buffer.concat([first, last]))).toBe(true);
    expect(await multipart.parts(upload)).toBeUndefined();
  });

  it('[OPS-240] take no other size, part or key than the address was signed for', async () => {
    const upload = await begun('uploads/exact');
    const address = await addressOf(upload, 1, 4);
    expect(await send(address, Buffer.from('longer'))).toBe(403);
    expect(await send(address, Buffer.from('so'))).toBe(403);
    expect(await send(address.replace('partNumber=1', 'partNumber=2'), Buffer.from('four'))).toBe(403);
    expect(await send(address.replace('uploads/exact', 'uploads/other'), Buffer.from('four'))).toBe(403);
    expect(await storage.multipart.parts(upload)).toEqual([]);
    expect(await send(address, Buffer.from('four'))).toBe(200);
  });

  it('[OPS-241] are found by when they were begun, and leave nothing when they are aborted', async () => {
    const { multipart } = storage;
    const upload = await begun('swept/left');
    const address = await addressOf(upload, 1, 4);
    expect(await send(address, Buffer.from('four'))).toBe(200);
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(await multipart.begunBefore(tomorrow, 'swept/')).toEqual([upload]);
    expect(await multipart.begunBefore(new Date(Date.now() - 86_400_000), 'swept/')).toEqual([]);
    await multipart.abort(upload);
    await multipart.abort(upload);
    expect(await multipart.begunBefore(tomorrow, 'swept/')).toEqual([]);
    expect(await send(address, Buffer.from('four'))).toBe(404);
  });
});
