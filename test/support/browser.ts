import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import chromium from '@sparticuz/chromium';
import { LIMIT_MS } from './until.js';

export type { Browser, Page };

const { whileLocked } = (await import(join(process.cwd(), 'bin/lock.mjs'))) as {
  whileLocked<Result>(path: string, say: () => void, work: () => Promise<Result>): Promise<Result>;
};

/** Under a lock, once per run: a second worker would start a program that is still being written. */
const unpackedChromium = (): Promise<string> =>
  whileLocked(
    join(tmpdir(), 'chromium.lock'),
    () => {},
    () => chromium.executablePath(),
  );

/**
 * Starts headless Chromium from npm. The flags keep it from contacting other servers.
 * @param more flags
 */
export const startBrowser = async (more: readonly string[] = []): Promise<Browser> =>
  playwright.launch(await launching(more));

async function launching(more: readonly string[] = []) {
  return {
    executablePath: await unpackedChromium(),
    args: [
      ...chromium.args.filter((flag) => !/^--(headless|single-process|disable-web-security)/.test(flag)),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--autoplay-policy=no-user-gesture-required',
      '--mute-audio',
      // The processor renders in both cases. Without emulated graphics this takes half the time; WebGL still
      // works.
      '--disable-gpu-compositing',
      ...more,
    ],
    headless: true,
  };
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 1000 } };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

/**
 * A page that fails the test on uncaught errors and on failed requests to our server.
 * @param browser `profile` for a browser of its own, which keeps handles of folders; a private window cannot
 */
export async function openPage(
  browser: Browser | 'profile',
  baseURL: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<{ page: Page; errors: string[] }> {
  // Tests of the service worker allow it. It would keep requests from those who watch or replace them.
  const given = { baseURL, acceptDownloads: true, serviceWorkers: 'block', ...options } as const;
  const context =
    browser === 'profile'
      ? await playwright.launchPersistentContext('', { ...(await launching()), ...given })
      : await browser.newContext(given);
  // Below the limit of a test, so that the error names the element.
  context.setDefaultTimeout(90_000);
  // Covers tabs that the page opens.
  context.on('page', hydratePage);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // The browser itself prints each failed response, even if the page handles it.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      errors.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`);
  });
  return { page, errors };
}

/** Makes navigation wait until the client has hydrated the server-rendered page. */
function hydratePage(page: Page): void {
  const { goto, reload } = page;
  const isOurs = () => document.querySelector('script[src="/start.js"]') === null;
  const settled = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const arrived = await answer;
    await page.waitForFunction(isOurs, undefined, { timeout: LIMIT_MS }).catch(() => undefined);
    return arrived;
  };
  page.goto = (...given) => settled(goto.apply(page, given));
  page.reload = (...given) => settled(reload.apply(page, given));
}

/** Publishes the pack in the editor: answers the questions about rights and origin. */
export async function publishPack(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish Pack' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ready to publish?' });
  await dialog.waitFor();
  const name = dialog.getByLabel('Your name, as listeners see it');
  if ((await name.count()) > 0) await name.fill('Junie Okafor');
  const origin = dialog.getByLabel(/without a stated origin/);
  if ((await origin.count()) > 0) await origin.selectOption('recorded');
  await dialog.getByLabel('I made these sounds, or have the rights to sell them').check();
  await dialog.getByRole('button', { name: 'Publish Pack' }).click();
}
