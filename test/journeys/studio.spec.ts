import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { OwnPack } from '../../application/publishing/contract.js';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP, openPage, PHONE, startBrowser, publishPack } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { purchaseOf } from '../support/stock.js';
import { press } from '../support/stripe.js';
import { wavOf } from '../support/wav.js';
import { grantRoles } from '../support/staff.js';

/** The tests analyse two hundred files, which takes minutes on a busy machine. */
const SECONDS = 0.3;
const GOOD = 195;

let product: TestProduct;
let browser: Browser;
let creator: HttpClient;
let listener: HttpClient;
let page: Page;
let errors: string[];

beforeAll(async () => {
  product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' }, { web: true });
  browser = await startBrowser();
  creator = await product.signedUp('junie@example.com');
  await creator.patch('/api/me', { displayName: 'Junie Okafor' });
  listener = await product.signedUp('noor@example.com');
  await listener.patch('/api/me', { displayName: 'Noor Haddad' });
  ({ page, errors } = await opened(creator));
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a browser in which the user is signed in. */
async function opened(who: HttpClient, options?: BrowserContextOptions) {
  const open = await openPage(browser, product.url, options);
  const cookies = [...who.cookies].map(([name, value]) => ({ name, value, url: product.url }));
  await open.page.context().addCookies(cookies);
  return open;
}

const packOf = async (slug = 'two-hundred'): Promise<OwnPack> =>
  (await creator.get(`/api/creator/packs/${slug}`)).body;
const cell = (on: Page, row: number, column: number) => on.locator(`[data-cell="${row}:${column}"]`);

async function type(on: Page, row: number, column: number, text: string): Promise<void> {
  await cell(on, row, column).click();
  await on.keyboard.type(text);
  await on.keyboard.press('Enter');
}

const take = (n: number) => wavOf({ seconds: SECONDS, hertz: 80 + n * 7, rateHz: 22_050 });

const folder = mkdtempSync(join(tmpdir(), 'offcut-studio-'));
const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Writes a file. The browser recognises a file after a reload by its name, size and date. */
function fileOf(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Real files of other kinds than WAV, as the last of the takes. */
const OTHERS = ['sound.flac', 'sound.ogg', 'sound.opus', 'take.aiff', 'moov-last.m4a', 'cbr.mp3'];
const nameOf = (n: number, kind = 'wav') => `Take_${n + 1}_90bpm.${kind}`;

/** 195 recordings of seven kinds, in the natural order of their names. */
const TAKES = Array.from({ length: GOOD }, (_, n) => {
  const other = OTHERS[n - GOOD + OTHERS.length];
  return other
    ? fileOf(nameOf(n, other.split('.')[1]), readFileSync(join('test/audio/fixtures', other)))
    : fileOf(nameOf(n), take(n));
});
/** The takes out of order, and five files that are not audio or not wanted. */
const FILES = [
  ...TAKES.toReversed(),
  fileOf('broken.wav', 'RIFF, or so it says'),
  fileOf('empty.wav', ''),
  fileOf(
    'really an mp3.wav',
    Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(4_000, 0x55)]),
  ),
  fileOf('take one again.wav', take(0)),
  fileOf('notes.txt', 'not audio'),
];

/** Holds uploads back until they are let through. The later of two that wait goes first. */
async function holdBack(on: Page) {
  const waiting: (() => void)[] = [];
  const sent: string[] = [];
  let open = 0;
  const flow = (): void => {
    for (; open > 0 && waiting.length > 0; open -= 1) waiting.pop()?.();
  };
  await on.route(/\/samples\?uploadId=/, async (route) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      flow();
    });
    sent.push(new URL(route.request().url()).searchParams.get('uploadId') ?? '');
    await route.continue().catch(() => undefined);
  });
  return {
    sent,
    letThrough: (count: number) => {
      open += count;
      flow();
    },
    /** Waits until all uploads that the client sends at once are held. */
    full: async () => {
      while (waiting.length < 3) await on.waitForTimeout(50);
    },
    forget: () => waiting.splice(0),
  };
}

describe('a creator’s way from nothing to money', () => {
  it('[ACC-01] [ACC-03] [NEWP-01] [WEB-934] applies, waits, is approved, and makes a pack', async () => {
    await page.goto('/dashboard');
    const create = page.getByRole('button', { name: 'Create New Pack' }).first();
    const form = page.getByRole('dialog');
    await create.click();
    await form.waitFor();
    await page.keyboard.press('Escape');
    // The dialog opens at once now, so the second press is outside it.
    await create.dblclick();
    await form.getByLabel('Name').fill('Two Hundred');
    await form.getByLabel('Genre').selectOption('Lofi');
    await form.getByLabel('Mood').selectOption('Chill');
    await form.getByRole('button', { name: 'Create' }).click();
    // The dashboard, which has the same button, stays until the editor is loaded.
    await page.getByRole('heading', { name: 'Two Hundred' }).waitFor();
    await page.getByText('Creator Access Required').waitFor();
    await page.getByRole('button', { name: 'Apply for creator access' }).click();
    const application = page.getByRole('dialog');
    await application.getByLabel('Your name, as listeners see it').fill('Junie Okafor');
    await application.getByLabel('What you make, and how').fill('Drums from the kitchen.');
    await application.getByRole('button', { name: 'Send Application' }).click();
    await page.getByText('We are reviewing your application.').waitFor();
    const admin = await product.signedUp();
    await grantRoles(product.resources.database, admin.userId, 'admin');
    expect((await creator.get('/api/creator')).body.status).toBe('applied');
    expect((await admin.post(`/api/admin/creator-applications/${creator.userId}/approve`)).status).toBe(200);
    await page.getByText('Drop audio files here').waitFor();
    await creator.confirmEmail();
  });

  it('[SMOD-02] [SMOD-03] [SMOD-07] [UPL-781] [UPL-790] [UPL-791] [UPL-793] [UPL-794] [UPL-846] drops 200 files, meets a full disk, a lost connection and a reload, and every good one arrives once', async () => {
    const { storage } = product.resources;
    const put = storage.put.bind(storage);
    let isFull = true;
    let hold: { arrived: () => void; until: Promise<void> } | null = null;
    const stored = jest.spyOn(storage, 'put').mockImplementation(async (key, body, ...more) => {
      const isSample = key.includes('/samples/');
      if (isSample && hold) {
        const { arrived, until } = hold;
        hold = null;
        arrived();
        await until;
      }
      if (!isFull || !isSample) return put(key, body, ...more);
      isFull = false;
      if ('destroy' in body) body.destroy();
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    });
    expectLog(/ENOSPC/);
    const { sent, letThrough, full, forget } = await holdBack(page);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    const tape = page.getByRole('region', { name: 'Uploads' });
    const says = (text: RegExp | string) => tape.getByRole('status').filter({ hasText: text }).waitFor();
    // The copy of a take is on the tape until it is compared.
    const ready = (count: number) => tape.getByText(`${count} of ${GOOD + 1}`, { exact: true }).waitFor();

    await page.getByLabel('Audio files').setInputFiles(FILES);
    // Three of the files that are not audio are sent, before the takes.
    await full();
    letThrough(3);
    await tape.getByText('4 files refused.').waitFor();
    await page.getByText('Please upload WAV, AIFF, FLAC').first().waitFor();
    await full();
    letThrough(1);
    await tape.getByText('1 file failed.').waitFor();
    await tape.getByRole('button', { name: 'Retry all' }).click();
    letThrough(9);
    await ready(9);

    await page.getByRole('link', { name: 'Creator Dashboard' }).first().click();
    await page.waitForURL('**/dashboard');
    letThrough(3);
    await ready(12);
    expect(await violationNames(page)).toEqual([]);
    await full();
    await page.context().setOffline(true);
    await says('Connection lost.');
    letThrough(3);
    expect(await tape.getByText(/failed/).count()).toBe(0);
    await page.context().setOffline(false);
    letThrough(28);
    await ready(40);

    // The server has one more file, but the page is gone before the answer.
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((arrived) => (hold = { arrived, until }));
    await full();
    letThrough(1);
    await reached;
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    forget();
    release();
    while ((await packOf()).sampleCount < 41) await page.waitForTimeout(100);
    sent.length = 0;
    await tape
      .getByText(`${GOOD + 1 - 40} files not uploaded into Two Hundred when you left the page`)
      .waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      tape.getByRole('button', { name: 'Choose them again' }).click(),
    ]);
    letThrough(Infinity);
    await chooser.setFiles(FILES);
    while ((await packOf()).sampleCount < GOOD) await page.waitForTimeout(1_000);
    // The one whose answer was lost counts as uploaded.
    await tape.getByText(`${GOOD - 40} of ${GOOD - 40}`, { exact: true }).waitFor();
    await tape.getByText('41 duplicates not uploaded.').waitFor();
    await tape.getByText('4 files refused.').waitFor();
    const rest = GOOD - 41 + 3;
    expect([sent.length, new Set(sent).size]).toEqual([rest, rest]);
    stored.mockRestore();
    await page.unrouteAll();

    const wanted = TAKES.map(hashOf);
    const hashes = async () => (await packOf()).samples.map(({ sha256 }) => sha256);
    // The tape sorts the samples by name after the last upload.
    while ((await hashes()).join() !== wanted.join()) await page.waitForTimeout(100);
    await tape.getByRole('button', { name: 'Dismiss duplicates' }).click();
    await tape.getByRole('button', { name: 'Dismiss refused files' }).click();
    await tape.waitFor({ state: 'detached' });
    await page.goto('/creator-pack/two-hundred');
  }, 300_000);

  it('[API-13] [WEB-01] edits them in the grid, beside a second tab that never overwrites silently', async () => {
    const { page: second } = await opened(creator);
    await second.goto('/creator-pack/two-hundred?view=grid');
    await cell(second, 0, 0).waitFor();
    await page.getByRole('button', { name: 'Edit as Grid' }).click();
    await type(page, 0, 0, 'First of all');
    await type(page, 0, 4, '2');
    await cell(page, 0, 4).click();
    await page.getByRole('button', { name: 'Fill to the end' }).click();
    await page.getByText('196 cells not saved yet.').waitFor();
    await page.getByRole('button', { name: 'Save & Update' }).click();
    await page.getByText('Everything is saved.').waitFor();
    const saved = await packOf();
    expect(new Set(saved.samples.map(({ creditCost }) => creditCost))).toEqual(new Set([2]));

    await type(second, 0, 0, 'Mine instead');
    await type(second, 1, 0, 'Second of all');
    await second.getByRole('button', { name: 'Save & Update' }).click();
    await second.getByText('Nothing was saved yet.').waitFor();
    await second.getByRole('button', { name: 'OK' }).click();
    await second.getByText('1 cell changed elsewhere').waitFor();
    expect((await packOf()).samples[0]?.name).toBe('First of all');
    await second.getByRole('button', { name: 'Use theirs' }).click();
    await second.getByRole('button', { name: 'Save & Update' }).click();
    await second.getByText('Everything is saved.').waitFor();
    expect((await packOf()).samples.slice(0, 2).map(({ name }) => name)).toEqual([
      'First of all',
      'Second of all',
    ]);
    await type(second, 0, 4, '3');
    await cell(second, 0, 4).click();
    await second.locator('[data-handle]').hover();
    await second.mouse.down();
    await cell(second, 3, 4).hover();
    // Releases the pointer outside the grid, which gets no event of it.
    await second.mouse.move(2, 2);
    await second.mouse.up();
    await second.getByText('4 cells not saved yet.').waitFor();
    await second.locator('[data-rowhead="0"] .display').click();
    expect(await second.locator('[data-filling]').count()).toBe(0);
    await second.getByText('4 cells not saved yet.').waitFor();
    await second.context().close();
    await page.getByRole('button', { name: 'List' }).click();
  });

  it('[PUB-02] publishes them', async () => {
    await page.goto('/creator-pack/two-hundred');
    await publishPack(page);
    await page.getByText("Pack published successfully! It's now visible across the site.").waitFor();
    expect(await packOf()).toMatchObject({ status: 'published' });
  });

  it('[SALE-05] [PAY-07] a listener buys; the sale, its share and its hold appear', async () => {
    const { body } = await listener.post('/api/stripe/create-checkout-session', { plan: 'studio' });
    await press(body.url, { outcome: 'paid' });
    while ((await listener.get('/api/credits')).body.balance < 150) await page.waitForTimeout(100);
    const shop = await opened(listener);
    // Long lists render again once their code has loaded.
    await shop.page.goto(`/pack/two-hundred/${(await packOf()).creatorHandle}`, { waitUntil: 'networkidle' });
    await shop.page
      .getByRole('button', { name: /^Download for 2/ })
      .first()
      .click();
    const dialog = shop.page.getByRole('alertdialog').or(shop.page.getByRole('dialog'));
    await dialog.getByText('Confirm Download').waitFor();
    await dialog.getByRole('checkbox', { name: /lose my right of withdrawal/ }).check();
    const [download] = await Promise.all([
      shop.page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.wav$/);
    const owned = (await listener.get('/api/library/downloads')).body.items.map(
      ({ sampleId }: { sampleId: string }) => sampleId,
    );
    expect(owned).toHaveLength(1);
    const others = (await packOf()).samples
      .map(({ id }) => id)
      .filter((id) => !owned.includes(id))
      .slice(0, 70);
    await product.resources.creditExecutor.buy(purchaseOf(listener.userId, others, { expectedCredits: 140 }));

    await page.goto('/earnings');
    const sales = page.getByRole('region', { name: 'Recent Sales' });
    await sales.getByText('Noor H.').first().waitFor();
    // 2 credits of 19.99 $ for 150, of which 60 % are the creator's.
    expect(await sales.getByRole('row').last().textContent()).toMatch(/2 credits.*\$0\.15/);
    await page.goto('/dashboard');
    const payouts = page.getByRole('region', { name: 'Payouts' });
    await payouts.getByText('On hold, released by').waitFor();
    expect(await payouts.textContent()).toContain('$11.35');
    await page.getByText('downloaded').first().waitFor();
    expect(shop.errors).toEqual([]);
    await shop.page.context().close();
  });

  it('[PAY-01] [PAY-03] [PAY-09] connects, withdraws what is past its hold, and gets a statement', async () => {
    const payouts = page.getByRole('region', { name: 'Payouts' });
    await payouts.getByLabel('Country of your home and bank').selectOption('US');
    await payouts.getByRole('button', { name: 'Connect with Stripe' }).click();
    await page.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard' && url.search === '');
    await payouts.getByText('Stripe connected').waitFor();
    await product.resources.stripeSimulator?.advance(15);
    await page.reload();
    await payouts.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Withdraw $11.35?').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await payouts.getByText('paid', { exact: true }).waitFor();
    const { body } = await creator.get('/api/creator/statements');
    expect(body.items).toHaveLength(1);
    const csv = (await creator.get(`/api/creator/statements/${body.items[0].id}.csv`)).body as string;
    expect(csv.trim().split('\n').length).toBeGreaterThan(71);
  });

  it.each([
    ['dark', DESKTOP],
    ['light', PHONE],
  ] as const)('finds every screen accessible and fitting, %s', async (colorScheme, device) => {
    const visit = await opened(creator, { ...device, colorScheme });
    const editor = '/creator-pack/two-hundred';
    for (const path of ['/dashboard', '/dashboard?tab=profile', '/earnings', editor, `${editor}?view=grid`]) {
      await visit.page.goto(path, { waitUntil: 'networkidle' });
      const overflowPx = await visit.page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect({ path, violations: await violationNames(visit.page), overflowPx }).toEqual({
        path,
        violations: [],
        overflowPx: 0,
      });
    }
    await visit.page.context().close();
  });

  it('[FIT-01] scrolls sideways at no width, with a name of 80 letters in one word neither', async () => {
    const name = 'Dampfschifffahrt'.repeat(5);
    const other = await product.signedUp('long@example.com');
    await other.patch('/api/me', { displayName: name });
    const { body } = await other.post('/api/creator/packs', { name, genre: 'Lofi', mood: 'Chill' });
    const editor = '/creator-pack/two-hundred';
    for (const [who, paths] of [
      [other, ['/dashboard', `/creator-pack/${body.slug}`]],
      [creator, ['/earnings', editor, `${editor}?view=grid`]],
    ] as const) {
      const visit = await opened(who);
      for (const path of paths) {
        await visit.page.goto(path, { waitUntil: 'networkidle' });
        for (const width of [390, 768, 1024, 1280, 1440]) {
          await visit.page.setViewportSize({ width, height: 900 });
          // The grid renders for the new width a moment later.
          await visit.page
            .waitForFunction((wanted) => document.documentElement.scrollWidth === wanted, width)
            .catch(() => undefined);
          const scrollWidth = await visit.page.evaluate(() => document.documentElement.scrollWidth);
          expect({ path, width, scrollWidth }).toEqual({ path, width, scrollWidth: width });
        }
      }
      await visit.page.context().close();
    }
  });

  it('[EDIT-10] [EDIT-11] deletes the bought pack, and the buyer still has it', async () => {
    const [first] = (await packOf()).samples;
    await page.goto('/creator-pack/two-hundred');
    await page.getByRole('button', { name: 'Delete pack' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete pack' }).click();
    await page.getByText('Pack deleted successfully').waitFor();
    const again = await listener.post(
      '/api/downloads',
      { sampleId: first?.id, expectedCredits: 0 },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    expect(again).toMatchObject({ status: 200, body: { charged: 0 } });
    const bytes = Buffer.from(
      await (await fetch(new URL(again.body.download.url, product.url))).arrayBuffer(),
    );
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(first?.sha256);
    expect((await product.browser().get(`/api/packs/junie_okafor/two-hundred`)).status).toBe(404);
    expect(errors.filter((line) => !/ERR_INTERNET_DISCONNECTED/.test(line))).toEqual([
      expect.stringMatching(/^500 .*\/samples\?/),
    ]);
  });
});
