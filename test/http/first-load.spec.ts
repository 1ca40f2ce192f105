import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { firstLoadTags, paintTags, startLater } from '../../adapters/platform/pages/first-load.js';
import { PACK_COVER_SIZES, srcSetOf } from '../../application/media/contract.js';
import { recordPack } from '../support/catalogue.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

const SCREENS = {
  home: ['assets/home-1.js', 'assets/marble-1.webp'],
  pack: ['assets/pack-1.js'],
  'pack-editor': ['assets/editor-1.js'],
};
const addresses = (path: string, picture?: string) =>
  firstLoadTags(path, SCREENS, picture).map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);

describe('what a page lets the browser fetch at once', () => {
  it.each([
    ['/', ['/assets/home-1.js', '/assets/marble-1.webp', '/api/auth/session', '/api/home']],
    ['/pack/late/Mira', ['/assets/pack-1.js', '/api/auth/session', '/api/packs/Mira/late']],
    ['/pack/late', ['/assets/pack-1.js', '/api/auth/session']],
    ['/creator-pack/late', ['/assets/editor-1.js', '/api/auth/session']],
    ['/discover', ['/api/auth/session', '/api/discover']],
    ['/constructor', ['/api/auth/session']],
  ])('at %s', (path, wanted) => expect(addresses(path)).toEqual(wanted));

  it('offers the widths of a kept picture as the screen does, so that one of them is fetched once', () => {
    const cover = `/media/covers/${'a'.repeat(64)}.webp`;
    const [tag = ''] = firstLoadTags('/pack/a/b', SCREENS, cover).slice(-1);
    expect(tag).toContain(`imagesrcset="${srcSetOf(cover)}" imagesizes="${PACK_COVER_SIZES}"`);
    expect(tag).not.toContain('href=');
  });

  it('holds the picture of this site, and no address breaks out of its tag', () => {
    expect(addresses('/pack/a/b', '/media/covers/x.webp')).toContain('/media/covers/x.webp');
    expect(addresses('/pack/a/b', 'https://elsewhere.example/x.webp')).toHaveLength(3);
    expect(firstLoadTags('/creator/"><script>', SCREENS).join('')).not.toContain('<script>');
  });
});

describe('a page that is drawn already', () => {
  const built =
    '<head><script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" crossorigin href="/assets/vendor-1.js"><link rel="stylesheet" href="/assets/index-1.css"></head>';

  it('begins with styles and its picture', () => {
    expect(paintTags('/', SCREENS)).toEqual([
      '<link rel="preload" as="image" href="/assets/marble-1.webp" />',
    ]);
    expect(paintTags('/pack/a/b', SCREENS, '/media/covers/x.webp')).toHaveLength(1);
  });

  it('leaves its scripts to be started after the first paint', () => {
    const later = startLater(built, '/pack/a/b', SCREENS);
    expect(later).toContain(
      '<script defer src="/start.js" data-entry="/assets/index-1.js" data-files="/assets/vendor-1.js /assets/pack-1.js"></script>',
    );
    expect(later).not.toMatch(/modulepreload|type="module"/);
    expect(later).toContain('href="/assets/index-1.css"');
    expect(startLater('<head></head>', '/', SCREENS)).toBe('<head></head>');
  });
});

describe('the built client', () => {
  const script = 'export const words = "a script that is long enough to be compressed";'.repeat(40);
  let product: TestProduct;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'offcut-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), readFileSync('web/index.html'));
    writeFileSync(join(folder, 'screens.json'), JSON.stringify(SCREENS));
    writeFileSync(join(folder, 'assets/pack-1.js'), script);
    writeFileSync(join(folder, 'assets/pack-1.js.br'), brotliCompressSync(script));
    product = await startTestProduct({ PLAYLIST_URL: 'https://music.example/p?a=1&b=2' }, { web: folder });
    const mira = await product.signedUp('mira@example.com');
    await mira.post('/api/creator/application');
    const pack = {
      packId: 'late',
      creatorId: mira.userId,
      name: 'Late',
      slug: 'late',
      genre: 'Trap',
      mood: 'Dark',
    } as const;
    await recordPack(product.resources.eventStore, pack, [{ title: 'One' }]);
  }, 60_000);
  afterAll(async () => {
    await product?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const script1 = (encoding: string) =>
    fetch(`${product.url}/assets/pack-1.js`, { headers: { 'accept-encoding': encoding } });

  it('goes out as its build compressed it, with the type of what is inside', async () => {
    const answer = await script1('gzip, br');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(await answer.text()).toBe(script);
  });

  it('goes out readable to a browser that knows no Brotli', async () => {
    const answer = await script1('identity');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(await answer.text()).toBe(script);
  });

  it('names in a page what that page begins with', async () => {
    const html = (path: string) =>
      fetch(product.url + path, { headers: { accept: 'text/html' } }).then((answer) => answer.text());
    const [pack] = (await product.browser().get('/api/packs')).body.items;
    const page = await html(`/pack/late/${pack.creator.handle}`);
    expect(page).toContain('<link rel="modulepreload" crossorigin href="/assets/pack-1.js" />');
    expect(page).toContain('name="offcut-playlist" content="https://music.example/p?a=1&amp;b=2"');
    expect(page).toContain(`href="/api/packs/${pack.creator.handle}/late" crossorigin`);
    expect(await html('/no-such-page')).not.toContain('/api/auth/session');
  });
});
