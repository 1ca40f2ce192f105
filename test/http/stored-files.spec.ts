import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import {
  bytesOf,
  original,
  ORIGINAL_KEY,
  previewName,
  rawGet,
  startMediaApp,
  type MediaApp,
} from '../support/media.js';

let test: MediaApp;

beforeAll(async () => void (test = await startMediaApp()), 60_000);
afterAll(async () => test?.close());

describe('signed files', () => {
  const here = (url: string) => test.url + url.slice(url.indexOf('/media/signed/'));
  const signed = async (expiresInSeconds = 60) =>
    here(
      await test.storage.presignGet(ORIGINAL_KEY, {
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
      const answer = await rawGet(test.url, attempt);
      expect([attempt, [400, 403, 404].includes(answer.status)]).toEqual([attempt, true]);
      expect(answer.body.includes(original.subarray(0, 16))).toBe(false);
    }
    test.clock.advance(61_000);
    const late = await rawGet(test.url, path);
    expect([late.status, JSON.parse(late.body.toString()).code]).toEqual([410, 'TokenInvalid']);
  });
});

describe('storage proxy', () => {
  const list = (query: string, as: HttpClient = test.visitor) => as.get(`/api/storage/list?${query}`);
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
        test.storage.put(`avatars/many-${n}.webp`, Buffer.from('x'), { contentType: 'image/webp' }),
      ),
    );
    expect(await names('prefix=avatars')).toHaveLength(100);
    expect(await names('prefix=avatars&limit=1000')).toHaveLength(121);
    for (const bad of ['limit=0', 'limit=1001', 'offset=-1', 'sortColumn=secret', 'sortOrder=up'])
      expect((await list(`${samples}&${bad}`)).status).toBe(400);
  });

  it('[STOR-02] answers the file, or a body with the field error', async () => {
    const found = await test.visitor.get(
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
    const slashes = await test.visitor.get('/api/storage/object?bucket=Sounds&path=/avatars/u1.webp/');
    expect([slashes.status, slashes.body, slashes.headers.get('content-type')]).toEqual([
      200,
      'face',
      'image/webp',
    ]);
    expect(slashes.headers.get('cache-control')).toBe('public, no-cache');
    for (const path of ['Users/Ada/Packs/none/pack.json', 'Users/Nobody/Profile/profile.json']) {
      const absent = await test.visitor.get(`/api/storage/object?bucket=Sounds&path=${path}`);
      expect([absent.status, absent.body.error]).toEqual([404, 'There is no such file']);
    }
    expect((await test.visitor.get('/api/storage/object?bucket=Sounds')).status).toBe(400);
  });

  it('[STOR-03] gives an original to its creator and its buyer, and to nobody else', async () => {
    const path = `/api/storage/object?bucket=Sounds&path=${ORIGINAL_KEY}`;
    for (const owner of [test.creator, test.buyer]) {
      const answer = await owner.get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-length')).toBe('50000');
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    }
    const outsiders: Array<[HttpClient, number]> = [
      [test.visitor, 401],
      [test.stranger, 403],
    ];
    for (const [outsider, status] of outsiders) {
      const answer = await outsider.get(path);
      expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
    }
    const other = await test.buyer.get(path.replace('1700000000_ab12.wav', '1700000001_cd34.mp3'));
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
    expect((await rawGet(test.url, '/api/storage/list?prefix=Users%00')).status).toBe(400);
    for (const prefix of ['../', 'Users/../private', 'Users/..', 'Users\\..'])
      expect((await rawGet(test.url, `/api/storage/list?prefix=${prefix}`)).status).toBe(404);
    for (const path of [
      'private/keys',
      `media/previews/${previewName}`,
      'Users/../private/keys',
      '../etc/passwd',
    ])
      expect((await test.creator.get(`/api/storage/object?path=${path}`)).status).toBe(404);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await test.creator.call(method, `/api/storage/object?path=${ORIGINAL_KEY}`)).status).toBe(405);
    expect(await test.storage.head(ORIGINAL_KEY)).toBeDefined();
  });

  it('[STOR-03] shows a draft to its creator only', async () => {
    const packs = async (as: HttpClient) =>
      (await list('prefix=Users/Ada/Packs', as)).body.data.map((item: { name: string }) => item.name);
    expect(await packs(test.visitor)).toEqual(['warm-keys']);
    expect(await packs(test.stranger)).toEqual(['warm-keys']);
    expect(await packs(test.creator)).toEqual(['next-thing', 'warm-keys']);
    expect((await list('prefix=Users/Ada/Packs/next-thing', test.stranger)).body.data).toEqual([]);
    const path = '/api/storage/object?path=Users/Ada/Packs/next-thing/pack.json';
    expect((await test.stranger.get(path)).status).toBe(404);
    expect((await test.creator.get(path)).body).toEqual({ name: 'Next Thing' });
  });

  it('[STOR-10] skips placeholders, peaks and hidden files', async () => {
    expect(await names('prefix=Users/Ada/Packs/warm-keys')).toEqual(['covers', 'pack.json', 'samples']);
    expect(await names(samples)).not.toContain('.emptyFolderPlaceholder');
  });
});
