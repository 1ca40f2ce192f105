import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { SERVER_PATHS } from '../../application/pages/server-paths.js';
import { recordPack } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { builtPages, startTestProduct, undrawnClient, type TestProduct } from '../support/product.js';

let product: TestProduct;
let mira: HttpClient;
let handle: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-pages-'));
  product = await startTestProduct({}, { web: undrawnClient(folder) });
  mira = await product.signedUp('mira.moon@example.com');
  await mira.post('/api/creator/application');
  await mira.patch('/api/me', { displayName: `Mira "M" <Moon>` });
  handle = (await mira.get('/api/creator')).body.handle;
  const pack = {
    packId: 'night',
    creatorId: mira.userId,
    name: `Night & </title><script>alert("1")</script> $& Shift`,
    slug: 'night-shift',
    genre: 'Trap',
    mood: 'Dark',
    description: `Late.\n\n</script>"quoted"`,
  } as const;
  await recordPack(product.resources.eventStore, pack, [{ title: 'Velvet & Co' }]);
  const draft = {
    packId: 'secret',
    creatorId: mira.userId,
    name: 'Secret',
    genre: 'Pop',
    mood: 'Dreamy',
  } as const;
  await recordPack(product.resources.eventStore, draft, [{}], { draft: true });
});
afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the head of a page as a crawler reads it. */
async function page(path: string) {
  const { status, headers, body } = await product.browser().get(path, { headers: { accept: 'text/html' } });
  const document = new ServedHead(String(body));
  return { status, headers, html: String(body), ...document };
}

const UNESCAPED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const text = (html: string) => html.replace(/&(\w+|#39);/g, (_, name: string) => UNESCAPED[name] as string);

class ServedHead {
  readonly titles: string[];
  readonly meta: Record<string, string>;
  readonly canonical: string | undefined;
  readonly facts: Record<string, unknown> | undefined;
  readonly scripts: number;

  constructor(html: string) {
    this.titles = [...html.matchAll(/<title>(.*?)<\/title>/gs)].map(([, title]) => text(title as string));
    this.meta = Object.fromEntries(
      [...html.matchAll(/<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"/g)].map(
        ([, name, content]) => [name as string, text(content as string)],
      ),
    );
    this.canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1];
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
    this.facts = json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
    this.scripts = html.match(/<script/g)?.length ?? 0;
  }
}

describe('served pages', () => {
  it('[HDR-01] name a pack, its creator and its cover, whatever their names hold', async () => {
    const address = `${product.url}/pack/night-shift/${handle}`;
    const plain = await page('/sounds');
    const found = await page(`/pack/night-shift/${handle}`);
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(found.titles).toEqual([
      `Night & </title><script>alert("1")</script> $& Shift by Mira "M" <Moon> · Offcut`,
    ]);
    expect(found.canonical).toBe(address);
    // Google sign-in is not configured here.
    expect(found.meta).not.toHaveProperty('offcut-sign-in');
    expect(found.meta).toMatchObject({
      description: 'Late. </script>"quoted"',
      'og:type': 'music.album',
      'og:url': address,
      'og:image': expect.stringMatching(/^http.*\/(media\/covers\/|icon-512)/),
    });
    expect(found.facts).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'MusicAlbum',
      name: `Night & </title><script>alert("1")</script> $& Shift`,
      url: address,
      numTracks: 1,
      byArtist: { url: `${product.url}/creator/${handle}` },
    });
    // The linked data is the only addition.
    expect(found.scripts).toBe(plain.scripts + 1);
    expect(found.html).toContain('<div id="root"></div>');
  });

  it('[PAGE-721] name a sample, with its canonical address and its preview', async () => {
    const found = await page('/sample/night-0');
    expect([found.status, found.titles]).toEqual([200, ['Velvet & Co by Mira "M" <Moon> · Offcut']]);
    expect(found.canonical).toBe(`${product.url}/sample/night-0`);
    expect(found.meta).toMatchObject({
      'og:type': 'music.song',
      'og:audio': expect.stringMatching(/^http.*\/media\/previews\//),
      'og:image': expect.stringMatching(/^http/),
      description: expect.stringContaining('From the pack “Night &'),
    });
    expect(found.facts).toMatchObject({
      '@type': 'MusicRecording',
      name: 'Velvet & Co',
      url: `${product.url}/sample/night-0`,
      inAlbum: { url: `${product.url}/pack/night-shift/${handle}` },
    });
    // An earlier link to a sample of a pack leads to the pack.
    expect((await page(`/pack/night-shift/${handle}?sample=night-0`)).meta['og:type']).toBe('music.album');
  });

  it('[PAGE-722] answer 404 for a sample that is not on sale, and show it to its creator and owners', async () => {
    expect((await page('/sample/secret-0')).status).toBe(404);
    expect((await page('/sample/nothing')).titles).toEqual(['Sample not found · Offcut']);
    const read = async (who: HttpClient, id: string) => {
      const { status, body } = await who.get(`/api/samples/${id}`);
      return [status, body.code ?? body.onSale];
    };
    const noor = await product.signedUp('noor@example.com');
    expect(await read(mira, 'secret-0')).toEqual([200, false]);
    expect(await read(noor, 'secret-0')).toEqual([404, 'SampleNotAvailable']);
    expect(await read(noor, 'night-0')).toEqual([200, true]);
    const { pool } = product.resources.database;
    await pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
       values ($1, 'night-0', 1, 'p1', 'night', $2, 1, 'c1', 1, now())`,
      [noor.userId, mira.userId],
    );
    await pool.query(`update sample set available = false where sample_id = 'night-0'`);
    try {
      expect(await read(noor, 'night-0')).toEqual([200, false]);
      expect((await noor.get('/api/samples/night-0')).body).toMatchObject({
        owned: true,
        certificateId: 'c1',
      });
      expect(await read(await product.signedUp(), 'night-0')).toEqual([404, 'SampleNotAvailable']);
    } finally {
      await pool.query(`update sample set available = true where sample_id = 'night-0'`);
    }
  });

  it('name creators and collections', async () => {
    const creator = await page(`/creator/${handle}`);
    expect([creator.status, creator.titles, creator.facts?.['@type']]).toEqual([
      200,
      ['Mira "M" <Moon> · Offcut'],
      'ProfilePage',
    ]);
    const collection = await page('/collection/genre-trap');
    expect([collection.status, collection.facts?.['@type']]).toEqual([200, 'CollectionPage']);
    expect(collection.canonical).toBe(`${product.url}/collection/genre-trap`);
  });

  it('[PACK-04] lead from former addresses to the present ones', async () => {
    const answer = await product.browser().get(`/pack/NIGHT-shift/${handle.toUpperCase()}?back=collections`);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      301,
      `/pack/night-shift/${handle}?back=collections`,
    ]);
  });

  it.each([
    ['/pack/none/nobody', 'Pack not found · Offcut'],
    ['/pack/night-shift', 'Page not found · Offcut'],
    ['/creator/nobody', 'Creator not found · Offcut'],
    ['/collection/genre-polka', 'Collection not found · Offcut'],
    ['/nowhere/at/all', 'Page not found · Offcut'],
    ['/pack/%E0%A4%A/x', 'Page not found · Offcut'],
    ['/image.png', 'Page not found · Offcut'],
  ])('[UTIL-01] answer 404 for %s with the client all the same', async (path, title) => {
    const found = await page(path);
    expect([found.status, found.titles, found.meta.robots]).toEqual([404, [title], 'noindex']);
    expect(found.html).toContain('<div id="root"></div>');
  });

  it('[ADM-16] answer 410 for a pack that was taken down, and so does its address in the API', async () => {
    const { pool } = product.resources.database;
    await pool.query(`update pack set status = 'taken_down' where pack_id = 'night'`);
    // The rows were changed without an event, so the version is raised by hand.
    await pool.query('update page_change set changes = changes + 1');
    try {
      const found = await page(`/pack/night-shift/${handle}`);
      expect([found.status, found.titles, found.meta.robots]).toEqual([
        410,
        ['Pack taken down · Offcut'],
        'noindex',
      ]);
      const asked = await mira.get(`/api/packs/${handle}/night-shift`);
      expect(asked).toMatchObject({ status: 410, body: { code: 'TakenDown' } });
    } finally {
      await pool.query(`update pack set status = 'published' where pack_id = 'night'`);
    }
  });

  it('do not tell of drafts', async () => {
    expect((await page(`/pack/secret/${handle}`)).status).toBe(404);
  });

  it('[HDR-01, HDR-02] answer 200 at every address that the client has a screen for', async () => {
    const { summaries } = await builtPages();
    expect(summaries.length).toBeGreaterThan(15);
    const named = summaries
      .map(({ path }) => path)
      .filter((path) => !/^\/(pack|sample|creator|collection|legal)\/:|^\*$/.test(path));
    for (const route of named) {
      const path = route.replaceAll(/\/:\w+\?/g, '').replaceAll(/:\w+/g, 'x');
      expect([path, (await page(path)).status]).toEqual([path, 200]);
    }
  });

  it('stand under the folders of their screens', async () => {
    const { summaries } = await builtPages();
    const file = (name: string) => `web/src/screens/${name}/${name}-screen.tsx`;
    expect(summaries.map(({ name }) => name).filter((name) => !existsSync(file(name)))).toEqual([]);
  });

  it('come anew only when they changed', async () => {
    const first = await page('/discover');
    const etag = first.headers.get('etag') as string;
    const again = await product.browser().get('/discover', { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('come without their names when the catalogue does not answer', async () => {
    const { database } = product.resources;
    const query = database.pool.query.bind(database.pool);
    // Only queries about packs fail, because the provider may report on the creator's account at any time.
    database.pool.query = ((asked: string | { text: string }, ...rest: never[]) =>
      /\bpack\b/.test(typeof asked === 'string' ? asked : asked.text)
        ? Promise.reject(new Error('down'))
        : query(asked as never, ...rest)) as never;
    expectLog(/^warn \[Pages\] .*: down$/);
    const found = await page(`/pack/night-shift/${handle}`).finally(() => (database.pool.query = query));
    expect([found.status, found.titles]).toEqual([200, ['Offcut']]);
  });
});

describe('what crawlers ask for', () => {
  it('[PAGE-721] is a sitemap of published packs, their creators and samples', async () => {
    const { status, headers, body } = await product.browser().get('/sitemap.xml');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(body).toContain(`<loc>${product.url}/pack/night-shift/${handle}</loc><lastmod>`);
    expect(body).toContain(`<loc>${product.url}/creator/${handle}</loc>`);
    expect(body).toContain(`<loc>${product.url}/sample/night-0</loc><lastmod>`);
    expect(body).toContain(`<loc>${product.url}/sounds</loc>`);
    expect(body).not.toContain('secret');
  });

  it('[OPS-703] every address of the server answers as such, also to a browser that asks for a page', async () => {
    expect(ENDPOINTS.map(({ path }) => path).filter((path) => !SERVER_PATHS.test(path))).toEqual([]);
    for (const path of ['/.well-known/tdmrep.json', '/tdm-policy.json', '/feeds/tags/soul.atom']) {
      const { status, headers } = await product.browser().call('GET', path, undefined, {
        headers: { accept: 'text/html,*/*' },
      });
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-type')).not.toContain('text/html');
    }
  });

  it('is robots.txt with the way to it', async () => {
    const { status, body } = await product.browser().get('/robots.txt');
    expect(status).toBe(200);
    expect(body).toContain(`Sitemap: ${product.url}/sitemap.xml`);
    expect(body).toContain('Disallow: /api/');
  });
});
