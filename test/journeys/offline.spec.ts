import { beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP, openPage, type Page, PHONE, startBrowser } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct } from '../support/product.js';
import { listenerWith, openShop, Visits } from '../support/shop.js';
import { wavOf } from '../support/wav.js';

const WITH_WORKER = { ...DESKTOP, serviceWorkers: 'allow' } as const;

const workerControls = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
/** Paths in each cache of the browser. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const found: Record<string, string[]> = {};
    for (const name of await caches.keys())
      found[name.replace(/shell-.*/, 'shell')] = (await (await caches.open(name)).keys()).map(
        ({ url }) => new URL(url).pathname,
      );
    return found;
  });
/** Playwright's own wait takes the promise of a condition for its answer. */
const until = async (page: Page, holds: () => Promise<boolean>): Promise<void> => {
  while (!(await page.evaluate(holds))) await pause(20);
};
const untilPreviews = async (page: Page, holds: (paths: string[]) => boolean): Promise<string[]> => {
  for (;;) {
    const { 'offcut-previews': previews = [] } = await kept(page);
    if (holds(previews)) return previews;
    await pause(20);
  }
};
const play = async (page: Page, name: string) => {
  await page
    .getByRole('button', { name: `Play ${name}` })
    .first()
    .click();
  await page
    .getByRole('button', { name: `Pause ${name}` })
    .first()
    .waitFor();
  await page.waitForFunction(() => {
    const input = document.querySelector<HTMLInputElement>('[aria-label="Position in the preview"]');
    return Number(input?.value) > 0;
  });
};

describe('without a connection', () => {
  const visits = Visits.forTests();
  let path: string;
  let samples: { id: string; title: string }[];

  beforeAll(async () => {
    const sounds = ['Hum', 'Drip', 'Knock'].map((name) => ({ name, bpm: 90, key: 'A Minor' }));
    [path = ''] = await openShop(visits.product, [
      { name: 'Night shift', genre: 'Trap', mood: 'Dark', sounds },
    ]);
    const [, , slug, handle] = path.split('/');
    ({ samples } = (await visits.product.browser().get(`/api/packs/${handle}/${slug}`)).body);
  });

  /** A listener who bought Hum and saved Drip and Knock. */
  const listener = async (): Promise<HttpClient> => {
    const ada = await listenerWith(visits.product, 5);
    const idOf = (name: string) => samples.find(({ title }) => title === name)?.id ?? '';
    const purchase = { sampleId: idOf('Hum'), expectedCredits: 1 };
    const headers = { 'idempotency-key': randomUUID() };
    expect((await ada.post('/api/downloads', purchase, { headers })).status).toBe(201);
    for (const name of ['Drip', 'Knock'])
      expect(
        (await ada.put(`/api/library/saved/${idOf(name)}`, { type: 'sample', title: name })).status,
      ).toBeLessThan(300);
    return ada;
  };
  const visitOf = async (ada: HttpClient, options = {}) => {
    const page = await visits.open(ada, { ...WITH_WORKER, ...options });
    await page.goto(path);
    await workerControls(page);
    await untilPreviews(page, ({ length }) => length === 1);
    return page;
  };

  it('[PWA-700] every page leads to the library, where previews that were bought or played play, and back', async () => {
    const page = await visitOf(await listener());
    await play(page, 'Drip');
    await untilPreviews(page, ({ length }) => length === 2);
    await page.context().setOffline(true);
    await page.goto('/library?downloads');
    expect(new URL(page.url()).pathname).toBe('/offline');
    await page.getByRole('heading', { name: 'Offline' }).waitFor();
    const list = page.getByRole('region', { name: 'My Library' });
    await list.getByText('3 sounds, 2 with a preview in this browser').waitFor();
    for (const name of ['Hum', 'Drip']) await play(page, name);
    expect(await list.getByRole('button', { name: 'Play Knock' }).count()).toBe(0);
    expect(await list.getByRole('listitem').filter({ hasText: 'Knock' }).textContent()).toContain(
      'Preview not kept',
    );
    // While a sound plays, the page stays.
    await page.context().setOffline(false);
    await page.waitForURL('**/library?downloads');
    await page.getByRole('heading', { name: 'My Library' }).waitFor();
  });

  it('[PWA-701] keeps previews up to a limit, and removes the oldest', async () => {
    const page = await visitOf(await listener());
    await page.evaluate(async () => {
      const cache = await caches.open('offcut-previews');
      for (const [name, bytes] of [
        ['oldest', 2 ** 20],
        ['old', 40 * 2 ** 20],
        ['newer', 23.9 * 2 ** 20],
      ] as const)
        await cache.put(
          `/media/previews/${name}`,
          new Response('', { headers: { 'content-length': `${bytes}` } }),
        );
    });
    await play(page, 'Drip');
    const previews = await untilPreviews(page, (paths) => paths.length === 3);
    expect(previews).toEqual([
      '/media/previews/old',
      '/media/previews/newer',
      expect.stringContaining('.mp3'),
    ]);
  });

  it('[PWA-702] keeps no answers of the API but the library, no originals, and nothing after sign-out', async () => {
    const ada = await listener();
    const page = await visitOf(ada);
    await page.goto('/library?downloads');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Already downloaded - click to download again' }).click();
    await download;
    const before = await kept(page);
    expect(Object.keys(before).sort()).toEqual(['offcut-library', 'offcut-previews', 'offcut-shell']);
    expect(before['offcut-library']).toEqual(['/offline-library.json']);
    expect(before['offcut-previews']).toEqual([expect.stringMatching(/^\/media\/previews\//)]);
    expect(
      before['offcut-shell']?.filter((file) => !/^\/(assets\/|theme\.js|favicon\.svg)/.test(file)),
    ).toEqual([]);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await until(page, async () => {
      const stored = await Promise.all(
        ['offcut-library', 'offcut-previews'].map(async (name) => (await caches.open(name)).keys()),
      );
      return stored.flat().length === 0;
    });
    await page.context().setOffline(true);
    await page.goto('/library');
    await page.getByRole('heading', { name: 'Nothing is kept in this browser' }).waitFor();
    expect(await page.getByText('Night shift').count()).toBe(0);
  });

  it('[PWA-702] shows the next person nothing of the person before, whose session ended elsewhere', async () => {
    const page = await visitOf(await listener());
    await page.context().clearCookies();
    const next = await listenerWith(visits.product, 0);
    const { url } = visits.product;
    await page.context().addCookies([...next.cookies].map(([name, value]) => ({ name, value, url })));
    await page.goto('/offline');
    await page.getByRole('heading', { name: 'Nothing is kept in this browser' }).waitFor();
    await until(page, async () => {
      const library = await (await caches.match('/offline-library.json'))?.json();
      return library?.sounds.length === 0;
    });
    expect((await kept(page))['offcut-previews'] ?? []).toEqual([]);
  });

  it('[PWA-705] searches by a sound that another app shares, and never uploads it', async () => {
    const page = await visits.open(undefined, WITH_WORKER);
    await page.goto('/search');
    await workerControls(page);
    /** Other apps send such a form. */
    const share = async (name: string, type: string, base64: string, more = 0) => {
      const answer = page.waitForResponse((response) => response.url().endsWith('/share'));
      await page.evaluate(
        ([name, type, base64, more]) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const files = new DataTransfer();
          files.items.add(new File([bytes, new Uint8Array(more)], name, { type }));
          const input = Object.assign(document.createElement('input'), { type: 'file', name: 'sound' });
          input.files = files.files;
          const target = { method: 'post', action: '/share', enctype: 'multipart/form-data' };
          const form = Object.assign(document.createElement('form'), target);
          form.append(input);
          document.body.append(form);
          form.submit();
        },
        [name, type, base64, more] as const,
      );
      expect((await answer).fromServiceWorker()).toBe(true);
      await page.waitForURL('**/search');
    };
    const sent: number[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/share')) sent.push(request.postDataBuffer()?.length ?? 0);
    });
    const wav = wavOf({ seconds: 2, hertz: 220 });
    await share('Türe 1.wav', 'audio/wav', wav.toString('base64'));
    await page.getByRole('heading', { name: 'Sounds like Türe 1.wav' }).waitFor();
    await page.getByText('Hum').first().waitFor();
    expect(Math.max(...sent)).toBeLessThan(5_000);
    expect((await kept(page))['offcut-shared']).toEqual([]);
    await share('Notes.txt', 'text/plain', btoa('not a sound'));
    await page.getByText('It is not a sound. Share a WAV, MP3, FLAC or M4A file.').waitFor();
    await share('Long.wav', 'audio/wav', btoa('RIFF'), 50 * 2 ** 20);
    await page.getByText('It is larger than 50 MB.').waitFor();
    await page.goto('/search?shared');
    await page.getByText('It did not arrive. Share it again.').waitFor();
  });

  it('[PWA-700] is usable with assistive technology and on phones', async () => {
    const page = await visitOf(await listener(), { ...PHONE, colorScheme: 'light' });
    await page.context().setOffline(true);
    await page.goto('/discover');
    await page.getByRole('heading', { name: 'Offline' }).waitFor();
    await page.getByRole('region', { name: 'My Library' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violationNames(page)).toEqual([]);
  });
});

describe('a new version of the client', () => {
  it('[PWA-703] replaces the kept one with the next visit, and an incomplete one never does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'offcut-worker-'));
    cpSync('dist/web', join(folder, 'web'), { recursive: true });
    cpSync('dist/web-server', join(folder, 'web-server'), { recursive: true });
    const product = await startTestProduct({}, { web: join(folder, 'web') });
    const browser = await startBrowser();
    try {
      const { page, errors } = await openPage(browser, product.url, WITH_WORKER);
      const worker = readFileSync(join(folder, 'web/sw.js'), 'utf8');
      const [, oldPage = ''] = /(\/assets\/offline-[\w-]+\.html)/.exec(worker) ?? [];
      const html = readFileSync(join(folder, 'web', oldPage), 'utf8');
      const release = (name: string) =>
        writeFileSync(
          join(folder, 'web/sw.js'),
          worker
            .replaceAll(/offcut-shell-[\w-]+/g, `offcut-shell-${name}`)
            .replaceAll(oldPage, `/assets/${name}.html`),
        );
      const shells = () =>
        page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('offcut-shell')));
      const update = () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          await registration?.update().catch(() => undefined);
          const next = registration?.installing;
          await new Promise<void>((done) => {
            if (!next) return done();
            next.addEventListener('statechange', () => {
              if (next.state === 'activated' || next.state === 'redundant') done();
            });
          });
        });
      await page.goto('/');
      await workerControls(page);
      const first = await shells();
      release('broken');
      await update();
      expect(await shells()).toEqual(first);
      writeFileSync(join(folder, 'web/assets/second.html'), html.replace('<title>Offcut', '<title>Second'));
      release('second');
      await update();
      expect(await shells()).toEqual(['offcut-shell-second']);
      await page.context().setOffline(true);
      await page.goto('/discover');
      await page.getByRole('heading', { name: 'Offline' }).waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await product.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
