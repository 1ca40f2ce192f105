import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { firstLoadTags, paintTags, startLater } from '../../adapters/platform/pages/page-html.js';
import { PACK_COVER_SIZES, srcSetOf } from '../../application/media/values.js';
import { recordPack } from '../support/catalogue.js';
import { builtPages, startTestProduct, undrawnClient, type TestProduct } from '../support/product.js';

const SCREENS = {
  home: ['assets/home-1.js', 'assets/marble-1.webp'],
  pack: ['assets/pack-1.js'],
  'pack-editor': ['assets/editor-1.js'],
};
const FILES: Record<string, string[]> = SCREENS;
const tagsAt = async (path: string, picture?: string) => {
  const { name, question } = (await builtPages()).pageAt(path, new URLSearchParams());
  return firstLoadTags(FILES[name] ?? [], question?.path, picture);
};
const addresses = async (path: string, picture?: string) =>
  (await tagsAt(path, picture)).map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);

describe('what a page lets the browser fetch at once', () => {
  it.each([
    ['/', ['/assets/home-1.js', '/assets/marble-1.webp', '/api/auth/session', '/api/home']],
    ['/pack/late/Mira', ['/assets/pack-1.js', '/api/auth/session', '/api/packs/Mira/late']],
    ['/pack/late', ['/assets/pack-1.js', '/api/auth/session']],
    ['/creator-pack/late', ['/assets/editor-1.js', '/api/auth/session']],
    ['/discover', ['/api/auth/session', '/api/discover']],
    ['/constructor', ['/api/auth/session']],
  ])('at %s', async (path, wanted) => expect(await addresses(path)).toEqual(wanted));

  it('offers the widths of a kept picture as the screen does, so that one of them is fetched once', async () => {
    const cover = `/media/covers/${'a'.repeat(64)}.webp`;
    const [tag = ''] = (await tagsAt('/pack/a/b', cover)).slice(-1);
    expect(tag).toContain(`imagesrcset="${srcSetOf(cover)}" imagesizes="${PACK_COVER_SIZES}"`);
    expect(tag).not.toContain('href=');
  });

  it('holds the picture of this site, and no address breaks out of its tag', async () => {
    expect(await addresses('/pack/a/b', '/media/covers/x.webp')).toContain('/media/covers/x.webp');
    expect(await addresses('/pack/a/b', 'https://elsewhere.example/x.webp')).toHaveLength(3);
    expect((await tagsAt('/creator/"><script>')).join('')).not.toContain('<script>');
  });
});

describe('the installed app', () => {
  it('[WEB-721] has an id, and shortcuts, icons and screenshots that exist', async () => {
    const { id, shortcuts, icons, screenshots } = JSON.parse(
      readFileSync('web/public/manifest.webmanifest', 'utf8'),
    ) as Record<'icons' | 'screenshots', { src: string }[]> & { id: string; shortcuts: { url: string }[] };
    expect(id).toBe('/');
    for (const { src } of [...icons, ...screenshots]) expect(existsSync(join('web/public', src))).toBe(true);
    const { pageAt } = await builtPages();
    const names = shortcuts.map(({ url }) =>
      pageAt(new URL(url, 'http://localhost').pathname, new URLSearchParams()),
    );
    expect(names.map(({ name }) => name)).toEqual(['search', 'library', 'swipe']);
  });
});

describe('a page that is drawn already', () => {
  const built =
    '<head><script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" crossorigin href="/assets/vendor-1.js"><link rel="stylesheet" href="/assets/index-1.css"></head>';

  it('begins with styles and its picture', () => {
    expect(paintTags(SCREENS.home)).toEqual([
      '<link rel="preload" as="image" href="/assets/marble-1.webp" />',
    ]);
    expect(paintTags(SCREENS.pack, '/media/covers/x.webp')).toHaveLength(1);
  });

  it('leaves its scripts to be started after the first paint', () => {
    const later = startLater(built, SCREENS.pack);
    expect(later).toContain(
      '<script src="/start.js" data-entry="/assets/index-1.js" data-files="/assets/vendor-1.js /assets/pack-1.js"></script>',
    );
    expect(later.indexOf('/start.js')).toBeLessThan(later.indexOf('stylesheet'));
    expect(later).not.toMatch(/modulepreload|type="module"/);
    expect(later).toContain('href="/assets/index-1.css"');
    expect(startLater('<head></head>', [])).toBe('<head></head>');
  });
});

describe('the built client', () => {
  const script = 'export const words = "a script that is long enough to be compressed";'.repeat(40);
  let product: TestProduct;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'offcut-web-'));
    const web = undrawnClient(folder, SCREENS);
    writeFileSync(join(web, 'assets/pack-1.js'), script);
    writeFileSync(join(web, 'assets/pack-1.js.br'), brotliCompressSync(script));
    writeFileSync(join(web, 'sw.js'), script);
    writeFileSync(join(web, 'theme.js'), script);
    product = await startTestProduct({ PLAYLIST_URL: 'https://music.example/p?a=1&b=2' }, { web });
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
  });
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

  it('[PWA-704] brings the worker of each version at once, and lets the worker fetch from this site only', async () => {
    const [worker, theme] = await Promise.all(
      ['/sw.js', '/theme.js'].map((path) => fetch(product.url + path)),
    );
    expect(worker?.headers.get('cache-control')).toBe('no-cache');
    expect(worker?.headers.get('content-security-policy')).toBe("default-src 'none';connect-src 'self'");
    expect(theme?.headers.get('cache-control')).toContain('max-age=3600');
    expect(theme?.headers.get('content-security-policy')).toContain("worker-src 'self'");
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
