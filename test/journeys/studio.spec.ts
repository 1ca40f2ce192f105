import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

const audio = (name: string, buffer: Buffer) => ({ name, mimeType: 'audio/wav', buffer });
const take = (n: number) => wavOf({ seconds: SECONDS, hertz: 80 + n * 7, rateHz: 22_050 });

/** Real files of other kinds than WAV, as the last of the takes. */
const OTHERS = ['sound.flac', 'sound.ogg', 'sound.opus', 'take.aiff', 'moov-last.m4a', 'cbr.mp3'];
const nameOf = (n: number, kind = 'wav') => `Take_${String(n + 1).padStart(3, '0')}_90bpm.${kind}`;

/** 195 recordings of seven kinds, and five files that are not audio or not wanted. */
const FILES = [
  ...Array.from({ length: GOOD - OTHERS.length }, (_, n) => audio(nameOf(n), take(n))),
  ...OTHERS.map((name, n) =>
    audio(
      nameOf(GOOD - OTHERS.length + n, name.split('.')[1]),
      readFileSync(join('test/audio/fixtures', name)),
    ),
  ),
  audio('broken.wav', Buffer.from('RIFF, or so it says')),
  audio('empty.wav', Buffer.alloc(0)),
  audio(
    'really an mp3.wav',
    Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(4_000, 0x55)]),
  ),
  audio('take one again.wav', take(0)),
  { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not audio') },
];

describe('a creator’s way from nothing to money', () => {
  it('[ACC-01] [ACC-03] [NEWP-01] applies, waits, is approved, and makes a pack', async () => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Create New Pack' }).first().click();
    const form = page.getByRole('dialog');
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
    await page.reload();
    await page.getByText('Drop audio files here').waitFor();
    await creator.confirmEmail();
  });

  it('[SMOD-02] [SMOD-03] [SMOD-07] drops 200 files, loses the connection, meets a full disk, and every good one arrives once', async () => {
    const { storage } = product.resources;
    const put = storage.put.bind(storage);
    let isFull = true;
    const stored = jest.spyOn(storage, 'put').mockImplementation(async (key, body, ...more) => {
      if (!isFull || !key.includes('/samples/')) return put(key, body, ...more);
      isFull = false;
      if ('destroy' in body) body.destroy();
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    });
    expectLog(/ENOSPC/);
    await page.getByLabel('Audio files').setInputFiles(FILES);
    await page.getByText('1 file failed.').waitFor();
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('Please upload WAV, AIFF, FLAC').first().waitFor();
    await page.locator('.edit-open').nth(9).waitFor();
    await page.context().setOffline(true);
    await page.getByText('The upload starts again when the connection is back.').first().waitFor();
    await page.context().setOffline(false);
    for (let seconds = 0; seconds < 150; seconds += 1) {
      if ((await packOf()).sampleCount >= GOOD) break;
      await page.waitForTimeout(1_000);
    }
    stored.mockRestore();
    const pack = await packOf();
    expect(pack.samples).toHaveLength(GOOD);
    const wanted = FILES.slice(0, GOOD).map(({ buffer }) =>
      createHash('sha256').update(buffer).digest('hex'),
    );
    expect(pack.samples.map(({ sha256 }) => sha256).sort()).toEqual(wanted.sort());
    await page.getByText('4 files refused.').waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.getByText('The same recording as').waitFor();
    while ((await page.getByRole('button', { name: /^Dismiss / }).count()) > 0)
      await page
        .getByRole('button', { name: /^Dismiss / })
        .first()
        .click();
  });

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

  it('[EDIT-440] [PUB-02] warns the second of two tabs before it replaces a change, merges the others, and publishes', async () => {
    const editor = '/creator-pack/two-hundred';
    const other = await page.context().newPage();
    const sheetOf = (tab: Page) => tab.getByRole('complementary').last();
    const openSheet = async (tab: Page, name: string) => {
      await tab.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
      await tab.getByRole('heading', { name: 'Edit Sample' }).waitFor();
      return sheetOf(tab);
    };
    const rename = async (tab: Page, name: string, next: string) => {
      await (await openSheet(tab, name)).getByLabel('Name').fill(next);
      return () => sheetOf(tab).getByRole('button', { name: 'Save sample' }).click();
    };
    const isWarned = async (tab: Page) => {
      await tab.getByText('This pack changed elsewhere').waitFor();
      await tab.getByRole('button', { name: 'OK' }).click();
    };
    const toastOf = async (tab: Page, title: string, description: string) =>
      tab.locator('.toast', { hasText: title }).filter({ hasText: description }).first().waitFor();
    const firstNames = async () => (await packOf()).samples.slice(0, 2).map(({ name }) => name);
    await page.goto(editor);

    // Grid and side panel: the sheet changes two fields of a row, of which the grid has one.
    await other.goto(`${editor}?view=grid`);
    await type(other, 0, 0, 'Of the grid');
    await type(other, 1, 0, 'Beside');
    const saveSheet = await rename(page, 'First of all', 'Of the sheet');
    await sheetOf(page).getByLabel('BPM').fill('91');
    await saveSheet();
    await toastOf(page, 'Updated', 'Of the sheet');
    await other.getByRole('button', { name: 'Save & Update' }).click();
    await isWarned(other);
    expect(await firstNames()).toEqual(['Of the sheet', 'Second of all']);
    await other.getByText('1 cell changed elsewhere').waitFor();
    await other.getByRole('button', { name: 'Use theirs' }).click();
    await other.getByRole('button', { name: 'Save & Update' }).click();
    await other.getByText('Everything is saved.').waitFor();
    expect(await firstNames()).toEqual(['Of the sheet', 'Beside']);
    expect((await packOf()).samples[0]?.bpm).toBe(91);

    // Side panel after grid: the text typed in the sheet survives the warning, and is saved when wanted.
    const saveAgain = await rename(page, 'Of the sheet', 'Sheet again');
    await type(other, 0, 0, 'Grid again');
    await other.getByRole('button', { name: 'Save & Update' }).click();
    await other.getByText('Everything is saved.').waitFor();
    await saveAgain();
    await isWarned(page);
    expect(await firstNames()).toEqual(['Grid again', 'Beside']);
    await saveAgain();
    await toastOf(page, 'Updated', 'Sheet again');
    expect(await firstNames()).toEqual(['Sheet again', 'Beside']);

    // Pack details twice.
    await other.goto(editor);
    const describe = async (tab: Page, text: string) => {
      await tab.getByRole('button', { name: 'Edit Pack Info' }).click();
      await tab.getByRole('dialog').getByLabel('Description').fill(text);
      return () => tab.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    };
    const saveMine = await describe(page, 'Mine');
    await (
      await describe(other, 'Theirs')
    )();
    await toastOf(other, 'Updated', 'Two Hundred');
    await saveMine();
    await isWarned(page);
    expect((await packOf()).description).toBe('Theirs');
    await saveMine();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await packOf()).description).toBe('Mine');

    // Price twice.
    const price = async (tab: Page, credits: string) => {
      await tab.getByRole('button', { name: 'Pack Price' }).click();
      await tab.getByLabel('Price of the whole pack in credits').fill(credits);
      return () => tab.getByRole('button', { name: 'Save price' }).click();
    };
    const saveLow = await price(page, '100');
    await (
      await price(other, '120')
    )();
    await other.getByText('The price was saved').waitFor();
    await saveLow();
    await isWarned(page);
    expect((await packOf()).priceCredits).toBe(120);
    await page.getByRole('button', { name: 'Remove price' }).click();
    await page.getByText('The pack costs the sum of its samples').waitFor();
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Done' }).click();

    // Order and edit: the order is not saved over an unseen change, and an edit does not undo the order.
    const moveDown = async (name: string) => {
      await page.getByRole('button', { name: `Move ${name}`, exact: true }).focus();
      // The list hears the next key once it has announced the step.
      for (const [key, said] of [
        ['Space', `${name} is at 1 of ${GOOD}.`],
        ['ArrowDown', `${name} is at 2 of ${GOOD}.`],
        ['Space', `${name} was dropped at 2 of ${GOOD}.`],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByText(said).waitFor({ state: 'attached' });
      }
    };
    await other.reload();
    await (
      await rename(other, 'Beside', 'Beside it')
    )();
    await toastOf(other, 'Updated', 'Beside it');
    await moveDown('Sheet again');
    await isWarned(page);
    expect(await firstNames()).toEqual(['Sheet again', 'Beside it']);
    const saveLate = await rename(other, 'Beside it', 'On top');
    await moveDown('Sheet again');
    while ((await firstNames())[1] !== 'Sheet again') await page.waitForTimeout(100);
    await saveLate();
    await toastOf(other, 'Updated', 'On top');
    expect(await firstNames()).toEqual(['On top', 'Sheet again']);

    // Publication and edit: nothing unseen is published, and an edit from before the publication is saved.
    const saveOnSale = await rename(other, 'Sheet again', 'On sale');
    await publishPack(page);
    await isWarned(page);
    const { status, samples } = await packOf();
    expect([status, samples.filter(({ origin }) => origin !== null)]).toEqual(['draft', []]);
    await page.getByRole('dialog').getByRole('button', { name: 'Publish Pack' }).click();
    await page.getByText("Pack published successfully! It's now visible across the site.").waitFor();
    await saveOnSale();
    await toastOf(other, 'Updated', 'On sale');
    expect(await packOf()).toMatchObject({ status: 'published' });
    expect(await firstNames()).toEqual(['On top', 'On sale']);
    await other.close();
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
            .waitForFunction((wanted) => document.documentElement.scrollWidth === wanted, width, {
              timeout: 5_000,
            })
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
