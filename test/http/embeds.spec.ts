import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordPack } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, undrawnClient, type TestProduct } from '../support/product.js';

let product: TestProduct;
let mira: HttpClient;
let visitor: HttpClient;
let handle: string;
let folder: string;
const NAME = 'Tapes "& <b>leaves</b>';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-embeds-'));
  product = await startTestProduct({}, { web: undrawnClient(folder) });
  visitor = product.browser();
  mira = await product.signedUp('mira.moon@example.com');
  await mira.post('/api/creator/application');
  handle = (await mira.get('/api/creator')).body.handle;
  const by = { creatorId: mira.userId, genre: 'Soul', mood: 'Dark' } as const;
  const titles = Array.from({ length: 62 }, (_, at) => ({
    title: `Sound <${at}>`,
    bpm: 90,
    priceCredits: 2,
  }));
  await recordPack(
    product.resources.eventStore,
    { ...by, packId: 'tapes', name: NAME, slug: 'tapes' },
    titles,
  );
  await recordPack(product.resources.eventStore, { ...by, packId: 'draft' }, [{}], { draft: true });
});
afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const shared = async (sampleIds: string[]): Promise<string> => {
  const { id } = (await mira.post('/api/collections/own', { name: 'For <you>', sampleIds })).body;
  const { url } = (await mira.post(`/api/collections/own/${id}/share`)).body;
  return new URL(url as string).pathname;
};
/** Returns the path of a shared workbench, whose last lane repeats a sample. */
async function sharedBench(sampleIds: string[]): Promise<string> {
  const song = { name: 'Verse <1>', tempo: 97.5, key: 'C Minor' };
  const lanes = sampleIds.map((sampleId) => ({ sampleId, mute: true }));
  const { id } = (await mira.post('/api/workbenches', { ...song, lanes })).body;
  return new URL((await mira.post(`/api/workbenches/${id}/share`)).body.url as string).pathname;
}
const tokenIn = (path: string): string => path.split('/')[2] as string;

/** Changes rows without an event, so the version of the pages is raised by hand. */
async function whileTakenDown(work: () => Promise<void>): Promise<void> {
  const { pool } = product.resources.database;
  const set = async (status: string, isTakenDown: boolean) => {
    await pool.query(`update pack set status = $1 where pack_id = 'tapes'`, [status]);
    await pool.query(`update sample set taken_down = $1, available = not $1 where sample_id = 'tapes-0'`, [
      isTakenDown,
    ]);
    await pool.query('update page_change set changes = changes + 1');
  };
  await set('taken_down', true);
  try {
    await work();
  } finally {
    await set('published', false);
  }
}

describe('the player', () => {
  it('[EMB-700] shows samples, packs and shared collections', async () => {
    const sample = String((await visitor.get('/embed/sample/tapes-0')).body);
    for (const part of [
      '<title>Sound &lt;0&gt; by mira.moon · Offcut</title>',
      'Soul',
      '90 BPM',
      '2 credits',
    ])
      expect(sample).toContain(part);
    expect(sample).toMatch(/<a href="\/sample\/tapes-0" target="_blank" rel="noopener">Get it on Offcut/);
    expect(sample).toMatch(
      /data-preview="\/media\/previews\/[^"]+" data-title="Sound &lt;0&gt;" data-seconds="\d/,
    );
    const pack = String((await visitor.get('/embed/pack/tapes')).body);
    for (const part of ['62 samples', '124 credits for all', '2 more on Offcut', `href="/creator/${handle}"`])
      expect(pack).toContain(part);
    expect(pack.match(/<li><button/g)).toHaveLength(60);
    const collection = String(
      (await visitor.get(`/embed/collection/${tokenIn(await shared(['tapes-1']))}`)).body,
    );
    expect(collection).toContain('For &lt;you&gt;</a></h1>');
    expect(collection).toContain('2 credits for all');
    expect(collection).not.toContain('mira');
  });

  it('[EMB-701] may be framed anywhere, and has nothing of the visitor', async () => {
    const { headers, body } = await mira.get('/embed/pack/tapes');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';media-src 'self';base-uri 'none';form-action 'none';frame-ancestors *",
    );
    expect([headers.get('x-frame-options'), headers.getSetCookie()]).toEqual([null, []]);
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body).toBe((await visitor.get('/embed/pack/tapes')).body);
    expect(body).toContain('Tapes &quot;&amp; &lt;b&gt;leaves&lt;/b&gt;');
    expect(body).not.toContain('<b>leaves');
    for (const path of ['/sample/tapes-0', `/pack/tapes/${handle}`, '/embeds', '/'])
      expect((await visitor.get(path)).headers.get('content-security-policy')).toContain(
        "frame-ancestors 'none'",
      );
  });

  it('[EMB-702] says what was taken down or ended', async () => {
    const path = await shared([]);
    const { items } = (await mira.get('/api/collections/own')).body;
    for (const { id } of items as { id: string }[]) await mira.delete(`/api/collections/own/${id}/share`);
    const ended = await visitor.get(`/embed/collection/${tokenIn(path)}`);
    expect([ended.status, ended.body]).toEqual([
      410,
      expect.stringContaining('The link to this collection has ended.'),
    ]);
    await whileTakenDown(async () => {
      for (const [kind, id] of [
        ['sample', 'tapes-0'],
        ['pack', 'tapes'],
      ] as const) {
        const { status, body } = await visitor.get(`/embed/${kind}/${id}`);
        expect([status, body]).toEqual([410, expect.stringContaining(`This ${kind} was taken down.`)]);
      }
    });
    for (const absent of [
      'pack/draft',
      'pack/none',
      'sample/draft-0',
      'sample/none',
      'constructor/x',
      'user/x',
    ]) {
      const { status, body } = await visitor.get(`/embed/${absent}`);
      expect([status, body]).toEqual([404, expect.stringContaining('This is not on Offcut, or no longer.')]);
    }
  });
});

describe('the player of a shared workbench', () => {
  it('[EMB-710] lists its sounds, each once, and leads to where they play together', async () => {
    const path = await sharedBench(['tapes-1', 'tapes-2', 'tapes-1']);
    const token = path.split('/').at(-1) as string;
    const { status, body } = await visitor.get(`/embed/workbench/${token}`);
    expect(status).toBe(200);
    for (const part of ['Verse &lt;1&gt;</a></h1>', '2 samples', '97.5 BPM', 'C Minor', '4 credits for all'])
      expect(body).toContain(part);
    expect(String(body).match(/<li><button type="button" aria-label="Play /g)).toHaveLength(2);
    expect(body).toContain(`<a href="${path}" target="_blank" rel="noopener">Hear them together on Offcut`);
    expect(body).not.toContain('mira');
    const described = (at: string) =>
      visitor.get(`/oembed?${new URLSearchParams({ url: product.url + at })}`);
    expect((await described(path)).body).toMatchObject({
      title: 'Verse <1>',
      width: 640,
      height: 440,
      html: expect.stringContaining(`/embed/workbench/${token}"`),
    });
    for (const [at, expected] of [
      ['/workbench', 401],
      ['/workbench/mine', 401],
      ['/workbench/shared/none', 404],
      [`${path}/x`, 404],
    ] as const)
      expect([at, (await described(at)).status]).toEqual([at, expected]);
    const head = String((await visitor.get(path, { headers: { accept: 'text/html' } })).body);
    expect(head).toContain(`/oembed?${new URLSearchParams({ url: product.url + path })}`);
    const { items } = (await mira.get('/api/workbenches')).body;
    for (const { id } of items as { id: string }[]) await mira.delete(`/api/workbenches/${id}/share`);
    const ended = await visitor.get(`/embed/workbench/${token}`);
    expect([ended.status, ended.body]).toEqual([
      410,
      expect.stringContaining('The link to this workbench has ended.'),
    ]);
  });
});

describe('GET /oembed', () => {
  const oembed = (path: string, more: Record<string, string> = {}, site = product.url) =>
    visitor.get(`/oembed?${new URLSearchParams({ url: site + path, ...more })}`);

  it('[EMB-703] describes the player of a page', async () => {
    const answer = await oembed('/sample/tapes-0?utm_source=x');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.body).toMatchObject({
      version: '1.0',
      type: 'rich',
      title: 'Sound <0>',
      author_name: 'mira.moon',
      author_url: `${product.url}/creator/${handle}`,
      provider_name: 'Offcut',
      width: 640,
      height: 176,
      html: `<iframe src="${product.url}/embed/sample/tapes-0" title="Sound &lt;0&gt;" width="640" height="176" loading="lazy" style="border:0;max-width:100%"></iframe>`,
    });
    const small = (await oembed(`/pack/tapes/${handle}/`, { maxwidth: '400', maxheight: '200' })).body;
    expect(small).toMatchObject({ title: NAME, width: 400, height: 200 });
    expect(small.html).toContain('width="400" height="200"');
    const path = await shared(['tapes-1']);
    expect((await oembed(path)).body).toMatchObject({
      title: 'For <you>',
      html: expect.stringContaining(`/embed/collection/${tokenIn(path)}"`),
    });
    expect((await oembed(path)).body).not.toHaveProperty('author_name');
  });

  it('[EMB-703] gives a thumbnail that fits', async () => {
    const { pool } = product.resources.database;
    await pool.query(`update pack set cover_key = $1 where pack_id = 'tapes'`, [
      `media/covers/${'a'.repeat(64)}.webp`,
    ]);
    const at = `/pack/tapes/${handle}`;
    const picture = (px: number) => ({
      thumbnail_url: `${product.url}/media/covers/${'a'.repeat(64)}-${px}.webp`,
      thumbnail_width: px,
      thumbnail_height: px,
    });
    expect((await oembed(at)).body).toMatchObject(picture(640));
    expect((await oembed(at, { maxheight: '200' })).body).toMatchObject(picture(192));
    expect((await oembed(at, { maxwidth: '50' })).body).not.toHaveProperty('thumbnail_url');
  });

  it('[EMB-703] refuses what it does not describe', async () => {
    const statusOf = async (answer: ReturnType<typeof oembed>) => (await answer).status;
    for (const path of [
      '/sample/none',
      '/pack/none/x',
      '/shared/none',
      '/sounds',
      '/',
      '/sample/tapes-0/x',
      '/%zz',
    ])
      expect([path, await statusOf(oembed(path))]).toEqual([path, 404]);
    expect(await statusOf(oembed('/sample/tapes-0', {}, 'https://example.com'))).toBe(404);
    expect(await statusOf(oembed('', {}, 'no address'))).toBe(404);
    expect(await statusOf(oembed('/library/collections/secret'))).toBe(401);
    for (const format of ['xml', 'html']) {
      const answer = await oembed('/sample/tapes-0', { format });
      expect([answer.status, answer.body.code]).toEqual([501, 'FormatNotOffered']);
    }
    await whileTakenDown(async () => expect(await statusOf(oembed('/sample/tapes-0'))).toBe(404));
    expect((await visitor.get('/oembed')).status).toBe(400);
    expect(await statusOf(oembed('/sample/tapes-0', { maxwidth: '0' }))).toBe(400);
  });

  it('[EMB-704] is named in the heads of pages', async () => {
    const headOf = async (path: string) =>
      String((await visitor.get(path, { headers: { accept: 'text/html' } })).body);
    const secret = await shared(['tapes-1']);
    for (const path of ['/sample/tapes-0', `/pack/tapes/${handle}`, secret]) {
      const url = new URLSearchParams({ url: product.url + path });
      expect(await headOf(path)).toContain(
        `<link rel="alternate" type="application/json+oembed" href="${product.url}/oembed?${url}" title="`,
      );
    }
    for (const path of ['/sounds', '/sample/none']) expect(await headOf(path)).not.toContain('oembed');
  });
});
