import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import type { ObjectBody } from '../../application/storage/object-storage.js';
import type { HttpClient } from '../support/http-client.js';
import {
  bytesOf,
  ORIGINAL_KEY,
  packWithCover,
  preview,
  previewName,
  rawGet,
  startMediaApp,
  type MediaApp,
} from '../support/media.js';
import { until } from '../support/until.js';

let test: MediaApp;

beforeAll(async () => void (test = await startMediaApp()), 60_000);
afterAll(async () => test?.close());

const previewUrl = () => `${test.url}/media/previews/${previewName}`;

describe('previews, covers and avatars', () => {
  it('[PLAY-11] a preview is open to visitors, and asked for again each time', async () => {
    const answer = await fetch(previewUrl());
    expect(answer.status).toBe(200);
    expect((await bytesOf(answer)).equals(preview)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': '300000',
      'cache-control': 'public, no-cache',
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
      await test.storage.put(`media/${folder}/${name}.webp`, await picture.clone().webp().toBuffer(), {
        contentType: 'image/webp',
      });
    const widths = { covers: [96, 192, 320, 448, 640], avatars: [96, 192, 320] };
    for (const [folder, each] of Object.entries(widths))
      for (const width of each) {
        const answer = await fetch(`${test.url}/media/${folder}/${name}-${width}.webp`);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
        expect((await sharp(await bytesOf(answer)).metadata()).width).toBe(width);
      }
    const made = await test.storage.list({ prefix: 'media/' });
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
    expect(await test.storage.list({ prefix: 'media/' })).toEqual(made);
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
    /** Changes rows as the projection does. */
    const put = async (status: string) => {
      const { pool } = test;
      await pool.query(`update pack set status = $1 where pack_id = $2`, [status, covers.packId]);
      await pool.query(`update sample set available = $1, taken_down = $2 where sample_id = 's1'`, [
        status === 'published',
        status === 'taken_down',
      ]);
    };

    beforeAll(async () => {
      await test.storage.put(covers.key, await picture().webp().toBuffer(), { contentType: 'image/webp' });
      await packWithCover(test.pool, test.creator.userId, covers.packId, covers.key);
      await test.pool.query(
        `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits,
           certificate_id, audio_version, purchased_at)
         values ($1, 's2', 1, 'x', $2, $3, 2, 'c2', 1, now())`,
        [test.buyer.userId, covers.packId, test.creator.userId],
      );
    });
    afterAll(() => put('published'));

    it('[PLAY-12] a draft’s, an unpublished and a deleted one’s answer only whoever made or bought them', async () => {
      for (const status of ['draft', 'unpublished', 'deleted']) {
        await put(status);
        for (const client of [test.visitor, test.stranger])
          expect([status, await answers(client)]).toEqual([status, all([404, 'NotFound', 'no-store'])]);
        for (const client of [test.creator, test.buyer])
          expect([status, await answers(client)]).toEqual([
            status,
            all([200, undefined, 'private, no-cache']),
          ]);
      }
      await put('published');
      expect(await answers(test.visitor)).toEqual(all([200, undefined, 'public, no-cache']));
    });

    it.each([
      [
        '[REL-700] a scheduled pack’s answer everybody, and are not cached',
        'update pack set release_at = now()',
        'update pack set release_at = null',
      ],
      [
        '[REL-702] a pack’s with a preview link answer everybody, until the link ends',
        `insert into pack_preview select pack_id, pack_id from pack`,
        'delete from pack_preview',
      ],
    ])('%s', async (_, show, hide) => {
      await put('unpublished');
      await test.pool.query(`update sample set pack_id = '${covers.packId}' where sample_id = 's1'`);
      await test.pool.query(show);
      expect(await answers(test.visitor)).toEqual(all([200, undefined, 'private, no-cache']));
      await test.pool.query(`update sample set standing = 'held' where sample_id = 's1'`);
      expect((await answers(test.visitor))[0]).toEqual([404, 'NotFound', 'no-store']);
      await test.pool.query(`update sample set standing = 'free' where sample_id = 's1'`);
      await test.pool.query(hide);
      expect(await answers(test.visitor)).toEqual(all([404, 'NotFound', 'no-store']));
      await put('published');
    });

    it('[ADM-16] what was taken down answers 410 to everybody, also to whoever has a copy', async () => {
      await put('published');
      const { headers } = await test.visitor.get(paths[0] as string);
      await put('taken_down');
      for (const client of [test.visitor, test.stranger, test.creator, test.buyer])
        expect(await answers(client)).toEqual(all([410, 'TakenDown', 'no-store']));
      const copy = { headers: { 'if-none-match': headers.get('etag') as string } };
      expect((await test.visitor.get(paths[0] as string, copy)).status).toBe(410);
    });

    it('[ADM-16] as long as another sample on sale uses the same file, it is there', async () => {
      await put('taken_down');
      await test.pool.query(
        `create temporary table twin as select * from sample where sample_id = 's1';
         update twin set sample_id = 'twin', pack_id = 'another', available = true, taken_down = false;
         insert into sample select * from twin; drop table twin`,
      );
      expect((await test.visitor.get(paths[0] as string)).status).toBe(200);
      await test.pool.query(`delete from sample where sample_id = 'twin'`);
      expect((await test.visitor.get(paths[0] as string)).status).toBe(410);
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
      const answer = await rawGet(test.url, path);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('closes the object when the visitor goes away', async () => {
    const path = `media/avatars/${'e'.repeat(64)}.webp`;
    await test.storage.put(path, preview, { contentType: 'image/webp' });
    const opened: ObjectBody[] = [];
    const get = test.storage.get.bind(test.storage);
    test.storage.get = async (...args) => {
      const body = Readable.from(
        (async function* () {
          for (;;) {
            await wait(1);
            yield Buffer.alloc(65_536);
          }
        })(),
      );
      const found = { ...(await test.storage.head(args[0]))!, body };
      opened.push(found);
      return found;
    };
    try {
      await new Promise<void>((resolve) => {
        const request = httpRequest(`${test.url}/${path}`, (answer) => {
          answer.once('data', () => {
            request.destroy();
            resolve();
          });
        });
        request.on('error', () => undefined).end();
      });
      await until(() => opened[0]?.body.destroyed === true);
    } finally {
      test.storage.get = get;
    }
    expect((await fetch(`${test.url}/${path}`)).status).toBe(200);
  });
});
