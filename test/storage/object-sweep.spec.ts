import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { PostgresUnreferencedObjects } from '../../adapters/storage/postgres-unreferenced-objects.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { WallClock, SystemClock } from '../../application/shared/clock.js';
import type { ObjectStorage } from '../../application/storage/object-storage.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { stock } from '../support/stock.js';

const HOUR_MS = 3_600_000;

class AheadClock extends WallClock {
  aheadMs = 0;
  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
}

const places: Array<{ name: string; open: () => ObjectStorage }> = [
  {
    name: 'a folder',
    open: () => {
      const root = mkdtempSync(join(tmpdir(), 'offcut-sweep-'));
      folders.push(root);
      return new DiskObjectStorage({
        root,
        publicUrl: 'http://x',
        signingKey: Buffer.alloc(32),
        clock: new SystemClock(),
      });
    },
  },
];
const folders: string[] = [];
const endpoint = process.env.TEST_S3_ENDPOINT;
if (endpoint)
  places.push({
    name: `S3 at ${endpoint}`,
    open: () =>
      new S3ObjectStorage({
        endpoint,
        region: 'us-east-1',
        bucket: `sweep-${Date.now()}`,
        credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' },
        clock: new SystemClock(),
      }),
  });

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

describe.each(places)('sweeping $name', ({ open }) => {
  let test: TestDatabase;
  let storage: ObjectStorage;
  let clock: AheadClock;
  let objects: PostgresUnreferencedObjects;
  let sweep: ObjectSweep;

  beforeAll(async () => {
    test = await startTestDatabase();
    storage = open();
    clock = new AheadClock();
    objects = new PostgresUnreferencedObjects(test.database);
    sweep = new ObjectSweep(storage, objects, clock);
  });
  afterAll(() => test?.close());

  const SAMPLES = 'Users/junie/Packs/p/samples';
  const put = async (key: string) =>
    void (await storage.put(key, Buffer.from(key), { contentType: 'audio/wav' }));
  const isThere = async (key: string) => (await storage.head(key)) !== undefined;
  const preview = (text: string) => `media/previews/${createHash('sha256').update(text).digest('hex')}.mp3`;
  /** Inserts a sample that refers to an original and a preview. */
  const refer = async (prefix: string, originalKey: string, previewKey: string) => {
    const [id] = await stock(test.database, 1, { prefix });
    await test.database.pool.query(
      'update sample set original_key = $2, preview_key = $3 where sample_id = $1',
      [id, originalKey, previewKey],
    );
    return id as string;
  };

  it('removes what a killed upload left, a day after it was noted, and nothing that is referred to', async () => {
    await put(`${SAMPLES}/kept.wav`);
    await put(`${SAMPLES}/orphan.wav`);
    await put(preview('kept'));
    await put(preview('orphan'));
    await put('Users/junie/Packs/p/pack.json');
    await put('Users/junie/Profile/profile.json');
    await refer('kept', `${SAMPLES}/kept.wav`, preview('kept'));
    // Recent objects are skipped, because their upload may still be running.
    expect(await sweep.run()).toEqual({ looked: 0, noted: 0, removed: 0, removedBytes: 0 });
    clock.aheadMs = 25 * HOUR_MS;
    expect(await sweep.run()).toMatchObject({ looked: 4, noted: 2, removed: 0 });
    expect(await isThere(`${SAMPLES}/orphan.wav`)).toBe(true);
    clock.aheadMs = 50 * HOUR_MS;
    const bytes = `${SAMPLES}/orphan.wav`.length + preview('orphan').length;
    expect(await sweep.run()).toMatchObject({ noted: 0, removed: 2, removedBytes: bytes });
    expect(await isThere(`${SAMPLES}/orphan.wav`)).toBe(false);
    expect(await isThere(preview('orphan'))).toBe(false);
    for (const key of [
      `${SAMPLES}/kept.wav`,
      preview('kept'),
      'Users/junie/Packs/p/pack.json',
      'Users/junie/Profile/profile.json',
    ])
      expect(await isThere(key)).toBe(true);
  });

  it('[OPS-260] ends where it is cancelled', async () => {
    const cancelled = AbortSignal.abort(new Error('the job was cancelled'));
    await expect(sweep.run(cancelled)).rejects.toThrow('the job was cancelled');
  });

  it('keeps what buyers took of a sample that left its pack, and removes what nobody took', async () => {
    await put(`${SAMPLES}/bought.wav`);
    await put(`${SAMPLES}/unbought.wav`);
    const bought = await refer('bought', `${SAMPLES}/bought.wav`, preview('bought'));
    const unbought = await refer('unbought', `${SAMPLES}/unbought.wav`, preview('unbought'));
    await test.database.pool.query('update sample set removed = true where sample_id = any($1)', [
      [bought, unbought],
    ]);
    await test.database.pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
       values ('noor', $1, 1, 'p', 'x', 'junie', 1, 'c', 1, now())`,
      [bought],
    );
    clock.aheadMs = 100 * HOUR_MS;
    await sweep.run();
    clock.aheadMs = 125 * HOUR_MS;
    await sweep.run();
    expect(await isThere(`${SAMPLES}/bought.wav`)).toBe(true);
    expect(await isThere(`${SAMPLES}/unbought.wav`)).toBe(false);
  });

  it('forgets what is referred to again, and what an upload claims while it is being removed', async () => {
    await put(preview('again'));
    await put(preview('claimed'));
    clock.aheadMs = 200 * HOUR_MS;
    expect((await sweep.run()).noted).toBe(2);
    await refer('again', `${SAMPLES}/x.wav`, preview('again'));
    await objects.claim(preview('claimed'));
    clock.aheadMs = 225 * HOUR_MS;
    // The claimed object is noted again, and gets another day.
    expect(await sweep.run()).toMatchObject({ noted: 1, removed: 0 });
    expect(await isThere(preview('again'))).toBe(true);
    expect(await isThere(preview('claimed'))).toBe(true);
  });

  const openTransactions = async () => {
    const { rows } = await test.database.pool.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and (state = 'idle in transaction' or wait_event_type = 'Lock')`,
    );
    return (rows[0] as { n: number }).n;
  };

  it('[OPS-142] lets an upload wait for a removal of the same content, and then store it', async () => {
    await put(preview('race'));
    clock.aheadMs = 300 * HOUR_MS;
    await sweep.run();
    const order: string[] = [];
    let claimed: Promise<void> | undefined;
    await objects.removing(preview('race'), async () => {
      claimed = objects.claim(preview('race')).then(async () => {
        await put(preview('race'));
        order.push('stored');
      });
      await new Promise((resolve) => setTimeout(resolve, 150));
      // Neither side keeps a transaction open during the storage call.
      expect(await openTransactions()).toBe(0);
      await storage.delete(preview('race'));
      order.push('removed');
    });
    await claimed;
    expect(order).toEqual(['removed', 'stored']);
    expect(await isThere(preview('race'))).toBe(true);
    expect(await objects.removing(preview('race'), async () => undefined)).toBe(false);
  });

  it('[OPS-142] lets go of what was not answered, and of what somebody died removing, half a minute later', async () => {
    const [failing, removed, claimed] = [preview('failing'), preview('removed'), preview('claimed by')];
    for (const key of [failing, removed, claimed]) await put(key);
    clock.aheadMs = 302 * HOUR_MS;
    await sweep.run();
    const failed = objects.removing(failing, () => Promise.reject(new Error('no storage')));
    await expect(failed).rejects.toThrow('no storage');
    // Without an answer, the storage may still remove the object.
    let isClaimed = false;
    const claim = objects.claim(failing).then(() => void (isClaimed = true));
    await test.database.pool.query('select pg_sleep(0.2)');
    expect(isClaimed).toBe(false);
    await test.database.pool.query(
      `update unreferenced_object set removing_since = now() - interval '1 minute' where key = any ($1)`,
      [[failing, removed, claimed]],
    );
    await claim;
    expect(await objects.removing(removed, () => storage.delete(removed))).toBe(true);
    await objects.claim(claimed);
    for (const key of [failing, removed, claimed]) expect(await objects.noted()).not.toContain(key);
  });

  it('keeps covers in other widths as long as a pack shows the cover', async () => {
    const cover = (letter: string, width = '') => `media/covers/${letter.repeat(64)}${width}.webp`;
    const [id] = await stock(test.database, 1, { prefix: 'covered' });
    await test.database.pool.query(
      'update pack set cover_key = $2 where pack_id = (select pack_id from sample where sample_id = $1)',
      [id, cover('a')],
    );
    for (const letter of ['a', 'b']) for (const width of ['', '-96', '-640']) await put(cover(letter, width));
    clock.aheadMs = 310 * HOUR_MS;
    await sweep.run();
    clock.aheadMs = 335 * HOUR_MS;
    await sweep.run();
    const { objects } = await storage.list({ prefix: 'media/covers/' });
    expect(objects.map(({ key }) => key).sort()).toEqual(
      ['-640', '-96', ''].map((width) => cover('a', width)),
    );
  });

  it('gives the turn to one worker a day', async () => {
    clock.aheadMs = 400 * HOUR_MS;
    const turns = await Promise.all([1, 2, 3].map(() => sweep.daily()));
    expect(turns.filter((turn) => turn !== undefined)).toHaveLength(1);
    clock.aheadMs = 423 * HOUR_MS;
    expect(await sweep.daily()).toBeUndefined();
    clock.aheadMs = 425 * HOUR_MS;
    expect(await sweep.daily()).toBeDefined();
  });
});
