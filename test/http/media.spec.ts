import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { MediaController } from '../../adapters/media/media.controller.js';
import { SignedMediaController } from '../../adapters/storage/signed-media.controller.js';
import { StorageController } from '../../adapters/storage/storage.controller.js';
import { PostgresMediaUses } from '../../adapters/media/media-uses.js';
import { PostgresPackFolders } from '../../adapters/storage/pack-folders.js';
import { PostgresCreatorFolders } from '../../adapters/storage/postgres-creator-folders.js';
import { PostgresSampleFiles } from '../../adapters/storage/sample-files.js';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { MediaUses } from '../../application/media/uses.js';
import { ObjectStorage, type ObjectBody } from '../../application/storage/object-storage.js';
import { SignedUrlVerifier } from '../../application/storage/signed-urls.js';
import { SampleFiles } from '../../application/purchases/readers.js';
import { CreatorFolders } from '../../application/storage/creator-folders.js';
import { PackFolders } from '../../application/storage/readers.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const ORIGINAL_KEY = 'Users/Ada/Packs/warm-keys/samples/1700000000_ab12.wav';
const original = randomBytes(50_000);
const preview = randomBytes(300_000);
const previewName = `${createHash('sha256').update(preview).digest('hex')}.mp3`;

let store: TestDatabase;
let test: TestApp;
let storage: DiskObjectStorage;
let creator: HttpClient;
let buyer: HttpClient;
let stranger: HttpClient;
let visitor: HttpClient;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    controllers: [MediaController, SignedMediaController, StorageController],
    providers: [
      StorageProxy,
      NarrowPictures,
      { provide: MediaUses, useValue: new PostgresMediaUses(store.database, store.database) },
      { provide: CreatorFolders, useValue: new PostgresCreatorFolders(store.database) },
      { provide: PackFolders, useValue: new PostgresPackFolders(store.database) },
      { provide: SampleFiles, useValue: new PostgresSampleFiles(store.database) },
      {
        provide: SignedUrlVerifier,
        useFactory: (objects: DiskObjectStorage) => objects.signedUrls,
        inject: [ObjectStorage],
      },
    ],
  });
  storage = test.app.get(ObjectStorage);
  [creator, buyer, stranger] = await Promise.all([test.signedUp(), test.signedUp(), test.signedUp()]);
  visitor = test.browser();
  await fillStorage();
  await sellSample(creator.userId, buyer.userId);
}, 60_000);

afterAll(async () => {
  await test?.close();
  await store?.close();
});

async function fillStorage(): Promise<void> {
  const put = (key: string, body: Buffer, contentType: string) => storage.put(key, body, { contentType });
  await put(`media/previews/${previewName}`, preview, 'audio/mpeg');
  await put(`media/covers/${'a'.repeat(64)}-640.webp`, Buffer.from('cover'), 'image/webp');
  await put(`media/avatars/${'b'.repeat(64)}.webp`, Buffer.from('avatar'), 'image/webp');
  await put(`media/previews/secret.mp3`, Buffer.from('not content-addressed'), 'audio/mpeg');
  await put(ORIGINAL_KEY, original, 'audio/wav');
  await put('Users/Ada/Packs/warm-keys/samples/1700000001_cd34.mp3', Buffer.from('other'), 'audio/mpeg');
  await put('Users/Ada/Packs/warm-keys/samples/.emptyFolderPlaceholder', Buffer.alloc(0), 'text/plain');
  await put('Users/Ada/Packs/warm-keys/pack.json', Buffer.from('{"name":"Warm Keys"}'), 'application/json');
  await put('Users/Ada/Packs/warm-keys/covers/c.webp', Buffer.from('cover'), 'image/webp');
  await put('Users/Ada/Packs/warm-keys/peaks/p.json', Buffer.from('[]'), 'application/json');
  await put('Users/Ada/Packs/next-thing/pack.json', Buffer.from('{"name":"Next Thing"}'), 'application/json');
  await put('Users/Ada/Profile/profile.json', Buffer.from('{}'), 'application/json');
  await put('Users/Bo/Profile/profile.json', Buffer.from('{}'), 'application/json');
  await put('avatars/u1.webp', Buffer.from('face'), 'image/webp');
  await put('private/keys', Buffer.from('secret'), 'text/plain');
}

/** A sample of the creator at ORIGINAL_KEY that the buyer owns. */
async function sellSample(creatorId: string, buyerId: string): Promise<void> {
  await store.database.pool.query(
    `insert into sample (sample_id, pack_id, creator_id, title, title_lower, ordinal, price_credits, available, bpm,
       instruments, is_royalty_free, audio_version, original_key, original_sha256, original_bytes, original_filename,
       content_type, format, sample_rate_hz, channels, duration_ms, preview_key, waveform, waveform_fine, suggestions,
       created_at, updated_at)
     values ('s1', 'p1', $1, 'Keys', 'keys', 1, 2, true, 90, '{}', true, 1, $2, 'x', 50000, 'keys.wav', 'audio/wav',
       'wav', 44100, 2, 1000, $3, '{}', '{}', '{}', now(), now())`,
    [creatorId, ORIGINAL_KEY, `media/previews/${previewName}`],
  );
  await store.database.pool.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
       default_cost_credits, created_at, updated_at, version, position)
     select 'p' || folder, $1, folder, folder, folder, folder, 'Soul', 'Chill', '', status, 2, now(), now(), 1, 1
       from (values ('warm-keys', 'published'), ('next-thing', 'draft')) as packs (folder, status)`,
    [creatorId],
  );
  for (const name of ['a', 'c']) await packWithCover(`cover-${name}`, `media/covers/${name.repeat(64)}.webp`);
  await store.database.pool.query(`insert into creator_folder (user_id, folder) values ($1, 'Ada')`, [
    creatorId,
  ]);
  await store.database.pool.query(
    `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits,
       certificate_id, audio_version, purchased_at)
     values ($1, 's1', 1, 'x', 'p1', $2, 2, 'c', 1, now())`,
    [buyerId, creatorId],
  );
}

async function packWithCover(packId: string, coverKey: string): Promise<void> {
  await store.database.pool.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
       cover_key, default_cost_credits, created_at, updated_at, version, position)
     values ($1, $2, $1, $1, $1, $1, 'Soul', 'Chill', '', 'published', $3, 2, now(), now(), 1, 1)`,
    [packId, creator.userId, coverKey],
  );
}

/** Sends a path as it is: fetch would tidy it up first. */
function rawGet(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(test.url), { path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject).end();
  });
}

const previewUrl = () => `${test.url}/media/previews/${previewName}`;
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe('previews, covers and avatars', () => {
  it('[PLAY-11] a preview is open to visitors, and kept for a minute before it is asked for again', async () => {
    const answer = await fetch(previewUrl());
    expect(answer.status).toBe(200);
    expect((await bytesOf(answer)).equals(preview)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': '300000',
      'cache-control': 'public, max-age=60, must-revalidate',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
  });

  it('[PLAY-11] answers single ranges exactly', async () => {
    const cases: Array<[string, number, number]> = [
      ['bytes=0-99', 0, 99],
      ['bytes=1000-', 1_000, 299_999],
      ['bytes=-500', 299_500, 299_999],
      ['bytes=299999-999999', 299_999, 299_999],
      ['bytes=-999999', 0, 299_999],
    ];
    for (const [range, start, end] of cases) {
      const answer = await fetch(previewUrl(), { headers: { range } });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/300000`);
      expect((await bytesOf(answer)).equals(preview.subarray(start, end + 1))).toBe(true);
    }
  });

  it('refuses ranges beyond the end and sends all when it cannot read the range', async () => {
    for (const range of ['bytes=300000-', 'bytes=400000-500000', 'bytes=-0']) {
      const answer = await fetch(previewUrl(), { headers: { range } });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
      expect(await answer.json()).toMatchObject({ code: 'RangeNotSatisfiable' });
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,5-6', 'bytes=a-b', 'items=0-1', 'bytes=-'])
      expect((await fetch(previewUrl(), { headers: { range } })).status).toBe(200);
  });

  it('does not send again what the client has', async () => {
    const first = await fetch(previewUrl(), { method: 'HEAD' });
    const etag = first.headers.get('etag') as string;
    expect([first.status, first.headers.get('content-length'), await first.text()]).toEqual([
      200,
      '300000',
      '',
    ]);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await fetch(previewUrl(), { headers: { 'if-none-match': header } });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
    }
    expect((await fetch(previewUrl(), { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const since = first.headers.get('last-modified') as string;
    expect((await fetch(previewUrl(), { headers: { 'if-modified-since': since } })).status).toBe(304);
    const range = { range: 'bytes=0-9' };
    expect((await fetch(previewUrl(), { headers: { ...range, 'if-range': etag } })).status).toBe(206);
    expect((await fetch(previewUrl(), { headers: { ...range, 'if-range': '"old"' } })).status).toBe(200);
  });

  it('serves covers and avatars', async () => {
    const cover = await fetch(`${test.url}/media/covers/${'a'.repeat(64)}-640.webp`);
    expect([cover.status, cover.headers.get('content-type'), await cover.text()]).toEqual([
      200,
      'image/webp',
      'cover',
    ]);
    const avatar = await fetch(`${test.url}/media/avatars/${'b'.repeat(64)}.webp`);
    expect([avatar.status, await avatar.text()]).toEqual([200, 'avatar']);
  });

  it('serves covers and avatars in the widths there are, and in no other', async () => {
    const picture = sharp({ create: { width: 500, height: 500, channels: 3, background: '#147' } });
    const name = 'c'.repeat(64);
    for (const folder of ['covers', 'avatars'])
      await storage.put(`media/${folder}/${name}.webp`, await picture.clone().webp().toBuffer(), {
        contentType: 'image/webp',
      });
    const widths = { covers: [96, 192, 320, 448, 640], avatars: [96, 192, 320] };
    for (const [folder, each] of Object.entries(widths))
      for (const width of each) {
        const answer = await fetch(`${test.url}/media/${folder}/${name}-${width}.webp`);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=60, must-revalidate',
        ]);
        expect((await sharp(await bytesOf(answer)).metadata()).width).toBe(width);
      }
    const made = await storage.list({ prefix: 'media/' });
    const others = [
      'avatars/NAME-640',
      'covers/NAME-97',
      'covers/NAME-1',
      'covers/NAME-0320',
      'covers/NAME-99999',
      'covers/NAME-',
      'covers/NAME-96-96',
      `covers/${'d'.repeat(64)}-96`,
    ];
    for (const other of others) {
      const answer = await fetch(`${test.url}/media/${other.replace('NAME', name)}.webp`);
      expect([other, answer.status, await answer.json()]).toEqual([
        other,
        404,
        expect.objectContaining({ code: 'NotFound' }),
      ]);
    }
    expect(await storage.list({ prefix: 'media/' })).toEqual(made);
  });

  describe('of what is not on sale', () => {
    const picture = () => sharp({ create: { width: 500, height: 500, channels: 3, background: '#471' } });
    const covers = { key: `media/covers/${'e'.repeat(64)}.webp`, packId: 'cover-e' };
    const paths = [
      `/media/previews/${previewName}`,
      `/${covers.key}`,
      `/${covers.key.replace('.webp', '-96.webp')}`,
    ];
    const answers = async (client: HttpClient) => {
      const seen = [];
      for (const path of paths) {
        const { status, body, headers } = await client.get(path);
        seen.push([status, body.code, headers.get('cache-control')]);
      }
      return seen;
    };
    const all = (answer: unknown[]) => paths.map(() => answer);
    /** As the projection leaves rows. */
    const put = async (status: string) => {
      const { pool } = store.database;
      await pool.query(`update pack set status = $1 where pack_id = $2`, [status, covers.packId]);
      await pool.query(`update sample set available = $1, taken_down = $2 where sample_id = 's1'`, [
        status === 'published',
        status === 'taken_down',
      ]);
    };

    beforeAll(async () => {
      await storage.put(covers.key, await picture().webp().toBuffer(), { contentType: 'image/webp' });
      await packWithCover(covers.packId, covers.key);
      await store.database.pool.query(
        `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits,
           certificate_id, audio_version, purchased_at)
         values ($1, 's2', 1, 'x', $2, $3, 2, 'c2', 1, now())`,
        [buyer.userId, covers.packId, creator.userId],
      );
    });
    afterAll(() => put('published'));

    it('[PLAY-12] a draft’s, an unpublished and a deleted one’s answer only whoever made or bought them', async () => {
      for (const status of ['draft', 'unpublished', 'deleted']) {
        await put(status);
        for (const client of [visitor, stranger])
          expect([status, await answers(client)]).toEqual([status, all([404, 'NotFound', 'no-store'])]);
        for (const client of [creator, buyer])
          expect([status, await answers(client)]).toEqual([
            status,
            all([200, undefined, 'private, no-cache']),
          ]);
      }
      await put('published');
      expect(await answers(visitor)).toEqual(all([200, undefined, 'public, max-age=60, must-revalidate']));
    });

    it('[ADM-16] what was taken down answers 410 to everybody, also to whoever has a copy', async () => {
      await put('published');
      const { headers } = await visitor.get(paths[0] as string);
      await put('taken_down');
      for (const client of [visitor, stranger, creator, buyer])
        expect(await answers(client)).toEqual(all([410, 'TakenDown', 'no-store']));
      const copy = { headers: { 'if-none-match': headers.get('etag') as string } };
      expect((await visitor.get(paths[0] as string, copy)).status).toBe(410);
    });

    it('[ADM-16] as long as another sample on sale uses the same file, it is there', async () => {
      await put('taken_down');
      await store.database.pool.query(
        `create temporary table twin as select * from sample where sample_id = 's1';
         update twin set sample_id = 'twin', pack_id = 'another', available = true, taken_down = false;
         insert into sample select * from twin; drop table twin`,
      );
      expect((await visitor.get(paths[0] as string)).status).toBe(200);
      await store.database.pool.query(`delete from sample where sample_id = 'twin'`);
      expect((await visitor.get(paths[0] as string)).status).toBe(410);
    });
  });

  it('knows content-addressed names only', async () => {
    const paths = [
      `/media/previews/${'0'.repeat(64)}.mp3`,
      '/media/previews/secret.mp3',
      `/media/previews/${'a'.repeat(64)}-640.webp`,
      `/media/covers/${previewName}`,
      `/media/previews/${previewName.toUpperCase()}`,
      `/media/previews/..%2fpreviews%2f${previewName}`,
      `/media/previews/%2e%2e/covers/${'a'.repeat(64)}-640.webp`,
      `/media/previews/../../${ORIGINAL_KEY}`,
      `/media/${ORIGINAL_KEY}`,
      '/media/previews/',
      '/media/',
    ];
    for (const path of paths) {
      const answer = await rawGet(path);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('closes the object when the listener goes away', async () => {
    const opened: ObjectBody[] = [];
    const get = storage.get.bind(storage);
    storage.get = async (...args) => {
      const body = Readable.from(
        (async function* () {
          for (;;) {
            await wait(1);
            yield Buffer.alloc(65_536);
          }
        })(),
      );
      const found = { ...(await storage.head(args[0]))!, body };
      opened.push(found);
      return found;
    };
    try {
      await new Promise<void>((resolve) => {
        const request = httpRequest(previewUrl(), (answer) => {
          answer.once('data', () => {
            request.destroy();
            resolve();
          });
        });
        request.on('error', () => undefined).end();
      });
      for (let tries = 0; tries < 100 && !opened[0]?.body.destroyed; tries++) await wait(10);
      expect(opened[0]?.body.destroyed).toBe(true);
    } finally {
      storage.get = get;
    }
    expect((await fetch(previewUrl())).status).toBe(200);
  });
});

describe('signed files', () => {
  const here = (url: string) => test.url + url.slice(url.indexOf('/media/signed/'));
  const signed = async (expiresInSeconds = 60) =>
    here(
      await storage.presignGet(ORIGINAL_KEY, {
        expiresInSeconds,
        downloadName: 'Keys.wav',
        contentType: 'audio/wav',
      }),
    );

  it('[STOR-03] an original leaves by a signed URL, as a file, uncached, byte for byte', async () => {
    const answer = await fetch(await signed());
    expect((await bytesOf(answer)).equals(original)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-disposition': `attachment; filename="Keys.wav"; filename*=UTF-8''Keys.wav`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    const part = await fetch(await signed(), { headers: { range: 'bytes=10-19' } });
    expect([part.status, (await bytesOf(part)).equals(original.subarray(10, 20))]).toEqual([206, true]);
  });

  it('[STOR-03] no unsigned, altered or expired address yields an original', async () => {
    const url = await signed();
    const path = url.slice(test.url.length);
    const attempts = [
      `/media/signed/${ORIGINAL_KEY}`,
      `/${ORIGINAL_KEY}`,
      `/media/${ORIGINAL_KEY}`,
      path.replace('Keys.wav', 'Other.wav'),
      path.replace('warm-keys', 'warm%2Dkeys%2F..'),
      path.replace('/media/signed/', '/media/signed//'),
      path.replace('/media/signed/', '/media/signed/./'),
      path.replace(/signature=./, 'signature='),
      `${path}&signature=x`,
      `${path}&type=text/html`,
      path.replace(/expires=\d+/, 'expires=99999999999'),
      path.replace(/expires=\d+/, 'expires[]=1'),
      path.replace(/&signature.*/, ''),
      '/media/signed/%E0%A4%A',
      '/media/signed/',
    ];
    for (const attempt of attempts) {
      const answer = await rawGet(attempt);
      expect([attempt, [400, 403, 404].includes(answer.status)]).toEqual([attempt, true]);
      expect(answer.body.includes(original.subarray(0, 16))).toBe(false);
    }
    test.clock.advance(61_000);
    const late = await rawGet(path);
    expect([late.status, JSON.parse(late.body.toString()).code]).toEqual([410, 'TokenInvalid']);
  });

  it('takes an upload and leaves nothing of one that breaks off or is too large', async () => {
    const key = 'uploads/u1';
    const url = here(await storage.presignPut(key, { expiresInSeconds: 60, contentType: 'audio/wav' }));
    const headers = { 'content-type': 'audio/wav' };
    await new Promise<void>((resolve) => {
      const request = httpRequest(url, {
        method: 'PUT',
        headers: { ...headers, 'content-length': '100000' },
      });
      request.on('error', () => resolve());
      request.write(Buffer.alloc(50_000));
      setTimeout(() => request.destroy(), 50);
      request.on('close', () => resolve());
    });
    await wait(50);
    expect(await storage.head(key)).toBeUndefined();
    const tooLarge = await new Promise<number>((resolve, reject) => {
      const claimed = { ...headers, 'content-length': String(300 * 1024 * 1024) };
      const request = httpRequest(url, { method: 'PUT', headers: claimed }, (answer) => {
        resolve(answer.statusCode ?? 0);
        request.destroy();
      });
      request.on('error', reject).flushHeaders();
    });
    expect(tooLarge).toBe(413);
    expect((await fetch(url, { method: 'PUT', body: 'sound', headers })).status).toBe(200);
    expect(await storage.head(key)).toMatchObject({ sizeBytes: 5, contentType: 'audio/wav' });
  });
});

describe('storage proxy', () => {
  const list = (query: string, as: HttpClient = visitor) => as.get(`/api/storage/list?${query}`);
  const names = async (query: string) =>
    (await list(query)).body.data.map((item: { name: string }) => item.name) as string[];
  const samples = 'prefix=Users/Ada/Packs/warm-keys/samples';

  it('[STOR-01] lists files with their metadata and folders without', async () => {
    const files = await list(`bucket=Sounds&${samples}`);
    expect(files.status).toBe(200);
    expect(files.body.data).toHaveLength(2);
    const [first] = files.body.data;
    expect(first).toEqual({
      id: expect.any(String),
      name: '1700000000_ab12.wav',
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      created_at: expect.any(String),
      last_accessed_at: expect.any(String),
      metadata: { size: 50_000, mimetype: 'audio/wav', eTag: expect.any(String) },
      publicUrl: `/api/storage/object?bucket=Sounds&path=${encodeURIComponent(ORIGINAL_KEY)}`,
    });
    const folders = await list('bucket=Sounds&prefix=Users');
    expect(folders.body.data).toEqual(
      ['Ada', 'Bo'].map((name) => ({
        id: null,
        name,
        updated_at: null,
        created_at: null,
        last_accessed_at: null,
        metadata: null,
        publicUrl: null,
      })),
    );
  });

  it('[STOR-01] sorts, searches and pages; 100 unless asked otherwise', async () => {
    expect(await names(`${samples}&sortOrder=desc`)).toEqual(['1700000001_cd34.mp3', '1700000000_ab12.wav']);
    expect(await names(`${samples}&search=CD34`)).toEqual(['1700000001_cd34.mp3']);
    expect(await names(`${samples}&limit=1&offset=1`)).toEqual(['1700000001_cd34.mp3']);
    expect(await names(`${samples}&sortColumn=updated_at&sortOrder=desc&limit=1`)).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        storage.put(`avatars/many-${n}.webp`, Buffer.from('x'), { contentType: 'image/webp' }),
      ),
    );
    expect(await names('prefix=avatars')).toHaveLength(100);
    expect(await names('prefix=avatars&limit=1000')).toHaveLength(121);
    for (const bad of ['limit=0', 'limit=1001', 'offset=-1', 'sortColumn=secret', 'sortOrder=up'])
      expect((await list(`${samples}&${bad}`)).status).toBe(400);
  });

  it('[STOR-02] answers the file, or a body with the field error', async () => {
    const found = await visitor.get(
      '/api/storage/object?bucket=Sounds&path=Users/Ada/Packs/warm-keys/pack.json',
    );
    expect([found.status, found.body]).toEqual([200, { name: 'Warm Keys' }]);
    const part = await fetch(`${test.url}/api/storage/object?path=Users/Ada/Packs/warm-keys/pack.json`, {
      headers: { range: 'bytes=2-5', 'accept-encoding': 'gzip' },
    });
    expect([part.status, part.headers.get('content-encoding'), await part.text()]).toEqual([
      206,
      null,
      'name',
    ]);
    const slashes = await visitor.get('/api/storage/object?bucket=Sounds&path=/avatars/u1.webp/');
    expect([slashes.status, slashes.body, slashes.headers.get('content-type')]).toEqual([
      200,
      'face',
      'image/webp',
    ]);
    expect(slashes.headers.get('cache-control')).toBe('public, no-cache');
    for (const path of ['Users/Ada/Packs/none/pack.json', 'Users/Nobody/Profile/profile.json']) {
      const absent = await visitor.get(`/api/storage/object?bucket=Sounds&path=${path}`);
      expect([absent.status, absent.body.error]).toEqual([404, 'There is no such file']);
    }
    expect((await visitor.get('/api/storage/object?bucket=Sounds')).status).toBe(400);
  });

  it('[STOR-03] gives an original to its creator and its buyer, and to nobody else', async () => {
    const path = `/api/storage/object?bucket=Sounds&path=${ORIGINAL_KEY}`;
    for (const owner of [creator, buyer]) {
      const answer = await owner.get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-length')).toBe('50000');
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    }
    const outsiders: Array<[HttpClient, number]> = [
      [visitor, 401],
      [stranger, 403],
    ];
    for (const [outsider, status] of outsiders) {
      const answer = await outsider.get(path);
      expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
    }
    const other = await buyer.get(path.replace('1700000000_ab12.wav', '1700000001_cd34.mp3'));
    expect(other.status).toBe(403);
  });

  it('[STOR-03] knows only the bucket Sounds and its layout, and only reads', async () => {
    for (const query of [
      'bucket=other&prefix=Users',
      'prefix=private',
      'prefix=media',
      'prefix=media/previews',
    ])
      expect((await list(query)).status).toBe(404);
    expect(await names('prefix=')).toEqual(['Users', 'avatars']);
    expect((await rawGet('/api/storage/list?prefix=Users%00')).status).toBe(400);
    for (const prefix of ['../', 'Users/../private', 'Users/..', 'Users\\..'])
      expect((await rawGet(`/api/storage/list?prefix=${prefix}`)).status).toBe(404);
    for (const path of [
      'private/keys',
      `media/previews/${previewName}`,
      'Users/../private/keys',
      '../etc/passwd',
    ])
      expect((await creator.get(`/api/storage/object?path=${path}`)).status).toBe(404);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await creator.call(method, `/api/storage/object?path=${ORIGINAL_KEY}`)).status).toBe(404);
    expect(await storage.head(ORIGINAL_KEY)).toBeDefined();
  });

  it('[STOR-03] shows a draft to its creator only', async () => {
    const packs = async (as: HttpClient) =>
      (await list('prefix=Users/Ada/Packs', as)).body.data.map((item: { name: string }) => item.name);
    expect(await packs(visitor)).toEqual(['warm-keys']);
    expect(await packs(stranger)).toEqual(['warm-keys']);
    expect(await packs(creator)).toEqual(['next-thing', 'warm-keys']);
    expect((await list('prefix=Users/Ada/Packs/next-thing', stranger)).body.data).toEqual([]);
    const path = '/api/storage/object?path=Users/Ada/Packs/next-thing/pack.json';
    expect((await stranger.get(path)).status).toBe(404);
    expect((await creator.get(path)).body).toEqual({ name: 'Next Thing' });
  });

  it('[STOR-10] skips placeholders, peaks and hidden files', async () => {
    expect(await names('prefix=Users/Ada/Packs/warm-keys')).toEqual(['covers', 'pack.json', 'samples']);
    expect(await names(samples)).not.toContain('.emptyFolderPlaceholder');
  });
});
