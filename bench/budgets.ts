/**
 * Checks the client against its budgets: bytes of the first visit and of each screen, largest contentful paint,
 * blocking time, layout shift, and the time from a key press to sound. Builds the client, runs the product on its
 * own database with some demo packs, and fails if a budget is exceeded.
 *
 *   npm run budgets            everything
 *   npm run budgets -- sizes   only what needs no browser
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { PagesModule } from '../application/pages/contract.js';
import { readConfig } from '../bootstrap/config.js';
import { seedDemo } from '../demo/seed/seed.js';
import { startProduct, type Product } from '../bootstrap/product.js';
import { DEMO_PACKS } from '../demo/catalogue.js';
import { DESKTOP, startBrowser, type Browser, type Page } from '../test/support/browser.js';

const KB = 1_000;
/** The first load may have 160 kB. The next feature needs 10 kB of room. */
const FIRST_LOAD_BYTES = 150 * KB;
const SCREEN_BYTES = 45 * KB;
const STYLE_BYTES = 20 * KB;
const FACES_BYTES = 160 * KB;
/** Largest contentful paint, total blocking time, and the layout shift score. */
const LAB = {
  desktop: { lcpMs: 800, tbtMs: 100, cls: 0.02 },
  'throttled mobile': { lcpMs: 2_000, tbtMs: 100, cls: 0.02 },
} as const;
const SOUND_MS = { cold: 300, preloaded: 100 };
/** The best attempt counts, so that other work on the machine does not matter. */
const LAB_ATTEMPTS = 3;
const SOUND_ROUNDS = 5;
const PACKS = 14;

let exceeded = 0;

/** Prints one line and counts exceeded budgets. */
function tell(what: string, value: number, limit: number, unit: string): void {
  const fits = value <= limit;
  if (!fits) exceeded += 1;
  const shown = (amount: number) => (unit === '' ? amount.toFixed(3) : amount.toFixed(unit === 'kB' ? 1 : 0));
  console.log(
    `${fits ? 'ok      ' : 'EXCEEDED'} ${what.padEnd(46)} ${shown(value).padStart(7)} of ${shown(limit)} ${unit}`,
  );
}

/** Measures the built client, by its list of screens. */
async function measureSizes(folder: string): Promise<void> {
  const size = (file: string) => gzipSync(readFileSync(join(folder, file))).length;
  const sum = (files: string[]) =>
    files
      .filter((file) => file.endsWith('.js'))
      .map(size)
      .reduce((a, b) => a + b, 0);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const linked = [
    ...new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file as string)),
  ];
  const screens = JSON.parse(readFileSync(join(folder, 'screens.json'), 'utf8')) as Record<string, string[]>;
  const first = sum(linked);
  const pagesModule = pathToFileURL(`${folder}-server/pages-for-server.mjs`).href;
  const { summaries } = (await import(pagesModule)) as PagesModule;
  const isPublic = (screen: string) => summaries.some((page) => page.name === screen && page.isPublic);
  for (const [screen, files] of Object.entries(screens).sort(([a], [b]) => a.localeCompare(b))) {
    if (isPublic(screen))
      tell(`script of a first visit to ${screen}`, (first + sum(files)) / KB, FIRST_LOAD_BYTES / KB, 'kB');
    tell(`script of ${screen} alone`, sum(files) / KB, SCREEN_BYTES / KB, 'kB');
  }
  const styles = linked.filter((file) => file.endsWith('.css'));
  tell('styles', styles.map(size).reduce((a, b) => a + b, 0) / KB, STYLE_BYTES / KB, 'kB');
  const faces = linked.filter((file) => file.endsWith('.woff2'));
  tell(
    `faces preloaded (${faces.length})`,
    faces.map((file) => readFileSync(join(folder, file)).length).reduce((a, b) => a + b, 0) / KB,
    FACES_BYTES / KB,
    'kB',
  );
}

async function measureLab(port: number, address: string, form: keyof typeof LAB): Promise<void> {
  const { default: lighthouse, desktopConfig } = await import('lighthouse');
  const limits = LAB[form];
  const best = { lcpMs: Infinity, tbtMs: Infinity, cls: Infinity };
  for (let attempt = 0; attempt < LAB_ATTEMPTS; attempt += 1) {
    const flags = { port, onlyCategories: ['performance'], logLevel: 'error' } as const;
    const result = await lighthouse(
      address,
      { ...flags, onlyCategories: [...flags.onlyCategories] },
      form === 'desktop' ? desktopConfig : undefined,
    );
    const value = (audit: string) => result?.lhr.audits[audit]?.numericValue ?? Infinity;
    best.lcpMs = Math.min(best.lcpMs, value('largest-contentful-paint'));
    best.tbtMs = Math.min(best.tbtMs, value('total-blocking-time'));
    best.cls = Math.min(best.cls, value('cumulative-layout-shift'));
    if (best.lcpMs <= limits.lcpMs && best.tbtMs <= limits.tbtMs && best.cls <= limits.cls) break;
  }
  const where = `${new URL(address).pathname}, ${form}`;
  tell(`largest paint of ${where}`, best.lcpMs, limits.lcpMs, 'ms');
  tell(`blocking time of ${where}`, best.tbtMs, limits.tbtMs, 'ms');
  tell(`shifts of ${where}`, best.cls, limits.cls, '');
}

/** Returns the milliseconds from a key press on a row until its preview plays. */
function pressToSound(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((heard) => {
        let pressedAt = 0;
        const native = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
          this.addEventListener('playing', () => heard(performance.now() - pressedAt), { once: true });
          return native.call(this);
        };
        const row = document.querySelector<HTMLElement>('.sample-row[tabindex="0"]') as HTMLElement;
        row.addEventListener('keydown', () => (pressedAt = performance.now()), { capture: true, once: true });
        row.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      }),
  );
}

async function measureSound(browser: Browser, origin: string): Promise<void> {
  for (const [kind, limitMs] of Object.entries(SOUND_MS)) {
    let bestMs = Infinity;
    for (let round = 0; round < SOUND_ROUNDS; round += 1) {
      const context = await browser.newContext({ ...DESKTOP, baseURL: origin });
      const page = await context.newPage();
      await page.goto('/search', { waitUntil: 'networkidle' });
      if (kind === 'preloaded') {
        const preview = page.waitForResponse(/\/media\/previews\//);
        await page.locator('.sample-row[tabindex="0"]').hover();
        await (await preview).finished();
      }
      bestMs = Math.min(bestMs, await pressToSound(page));
      await context.close();
    }
    tell(`key press to sound, ${kind}`, bestMs, limitMs, 'ms');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/**
 * Omits the referrer policy, which is the browsers' default anyway. With it, the test browser aborts pages that
 * Lighthouse opens (net::ERR_ABORTED).
 */
function leaveOutReferrerPolicy(product: Product): void {
  const server = product.app.getHttpServer() as Server;
  server.prependListener('request', (_request, response) => {
    const { setHeader } = response;
    response.setHeader = (name, value) =>
      name.toLowerCase() === 'referrer-policy' ? response : setHeader.call(response, name, value);
  });
}

async function measureRunning(folder: string, webFolder: string): Promise<void> {
  let product: Product | undefined;
  let browser: Browser | undefined;
  try {
    const env = { NODE_ENV: 'test', PORT: '0', DATA_DIR: join(folder, 'data'), RATE_LIMIT_SCALE: '1000' };
    product = await startProduct(readConfig({ ...env, DEMO_CONTENT: 'on' }), { webFolder });
    leaveOutReferrerPolicy(product);
    await seedDemo(product, { packs: DEMO_PACKS.slice(0, PACKS), onProgress: () => undefined });
    const packs = (await (await fetch(`${product.url}/api/packs?limit=1`)).json()) as {
      items: { slug: string; creator: { handle: string } }[];
    };
    const [pack] = packs.items;
    if (!pack) throw new Error('the demo made no pack');
    const port = await freePort();
    browser = await startBrowser([`--remote-debugging-port=${port}`]);
    await measureSound(browser, product.url);
    for (const path of ['/', '/sounds', '/discover', '/search', `/pack/${pack.slug}/${pack.creator.handle}`])
      for (const form of Object.keys(LAB) as (keyof typeof LAB)[])
        await measureLab(port, product.url + path, form);
  } finally {
    await browser?.close();
    await product?.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'offcut-budgets-'));
try {
  const webFolder = join(folder, 'web');
  await build({ logLevel: 'warn', build: { outDir: webFolder } });
  await measureSizes(webFolder);
  if (process.argv[2] !== 'sizes') await measureRunning(folder, webFolder);
  console.log(exceeded === 0 ? '\nAll budgets are kept.' : `\n${exceeded} budgets are exceeded.`);
  process.exitCode = exceeded === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
