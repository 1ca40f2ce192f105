import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { SentMails, SentMailSettings } from '../../application/mail/sent-mails.js';
import { SystemClock, WallClock } from '../../application/shared/clock.js';
import { StorageUnavailable, type ObjectStorage } from '../../application/storage/object-storage.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

class GivenClock extends WallClock {
  time = '2026-11-27T03:00:00.000Z';
  now(): Date {
    return new Date(this.time);
  }
}

const root = mkdtempSync(join(tmpdir(), 'offcut-sent-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const clock = new SystemClock();
const places: { name: string; storage: ObjectStorage }[] = [
  {
    name: 'a folder',
    storage: new DiskObjectStorage({ root, publicUrl: 'http://x', signingKey: Buffer.alloc(32), clock }),
  },
];
const endpoint = process.env.TEST_S3_ENDPOINT;
if (endpoint)
  places.push({
    name: `S3 at ${endpoint}`,
    storage: new S3ObjectStorage({
      endpoint,
      region: 'us-east-1',
      bucket: `sent-${Date.now()}`,
      credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' },
      clock,
    }),
  });

describe.each(places)('notes of sent mails in $name', ({ storage }) => {
  it('[BACK-725] are stored in batches without addresses, wait while the storage is away, and are deleted after the set days', async () => {
    const time = new GivenClock();
    let isAway = false;
    const unsteady = new Proxy(storage, {
      get: (target, name: keyof ObjectStorage) =>
        name === 'put' && isAway
          ? () => Promise.reject(new StorageUnavailable('away'))
          : (target[name] as () => unknown).bind(target),
    });
    const open = () => new SentMails(unsteady, new InMemoryEventStore(), time, new SentMailSettings(35));
    const sent = open();
    const mail = (position: number) => ({ about: 'CreditsGranted', position, hash: 'ab', userId: 'u1' });
    const keys = async () => (await storage.list({ prefix: 'sent-mails/' })).objects.map(({ key }) => key);
    const known = async (since: string) =>
      (await open().since(new Date(since))).map(({ position }) => position);

    sent.note(mail(1));
    time.time = '2026-11-27T03:00:01.000Z';
    sent.note(mail(2));
    await sent.flush();
    expect(await keys()).toHaveLength(1);
    isAway = true;
    time.time = '2026-11-27T04:00:00.000Z';
    sent.note({ ...mail(3), userId: 'u2' });
    await sent.flush();
    time.time = '2026-11-27T04:00:01.000Z';
    await sent.noteSummary({ letter: 'notices', userId: 'u1' });
    expect(await keys()).toHaveLength(1);
    isAway = false;
    await sent.beforeApplicationShutdown();
    expect(await known('2026-11-27T03:00:00.000Z')).toEqual([1, 2, 3, 0]);
    expect(await known('2026-11-27T03:00:00.500Z')).toEqual([2, 3, 0]);
    expect(await open().since(new Date('2026-11-27T04:00:00.000Z'))).toMatchObject([
      { about: 'CreditsGranted', userId: 'u2', sentAt: '2026-11-27T04:00:00.000Z' },
      { about: 'notices', userId: 'u1' },
    ]);

    await storage.put('sent-mails/2026-11-27T04-30-00.000Z-x.json', Buffer.from('no list'), {
      contentType: 'application/json',
    });
    expect(await known('2026-11-27T04:00:00.000Z')).toEqual([3, 0]);
    time.time = '2027-01-01T03:30:00.000Z';
    await sent.forget();
    expect(await known('2026-11-01T00:00:00.000Z')).toEqual([3, 0]);
    time.time = '2027-01-01T05:00:00.000Z';
    await sent.forget();
    expect(await keys()).toEqual([]);
  });
});
