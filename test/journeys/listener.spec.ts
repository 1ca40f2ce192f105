import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { DESKTOP, PHONE } from '../support/browser.js';
import type { TestProduct } from '../support/product.js';
import { PASSWORD, Visits, listenerWith, openShop } from '../support/shop.js';
import { STOCKED_FILES, stock } from '../support/stock.js';
import { readZip } from '../support/zip.js';

/** The tasks of listeners from beginning to end in a real browser. */
describe('a listener', () => {
  let product: TestProduct;
  let pack: string;
  let twelve: string;
  const visits = Visits.forTests();

  beforeAll(async () => {
    ({ product } = visits);
    [pack = '', , twelve = ''] = await openShop(product, [
      {
        name: 'Kitchen Table Soul',
        genre: 'Soul',
        mood: 'Nostalgic',
        sounds: [
          { name: 'Felt keys', creditCost: 2, key: 'A Minor', bpm: 90 },
          { name: 'Table knock', creditCost: 2, bpm: 90 },
          { name: 'Hum', bpm: 70 },
        ],
      },
      {
        name: 'Night Shift',
        genre: 'Trap',
        mood: 'Dark',
        sounds: [
          { name: 'Sub slide', bpm: 140 },
          { name: 'Hat run', bpm: 140 },
        ],
      },
      {
        name: 'Stairwell Breaks',
        genre: 'Drill',
        mood: 'Dark',
        sounds: Array.from({ length: 12 }, (_, at) => ({ name: `Rim ${at + 1}`, bpm: 100 })),
      },
    ]);
  });

  const row = (page: Page, title: string) => page.getByRole('listitem', { name: new RegExp(`^${title}, `) });
  const download = (page: Page, title: string) =>
    row(page, title)
      .getByRole('button', { name: /^(Download for|Already downloaded)/ })
      .click();
  const credits = (page: Page, count: number) =>
    page.getByRole('link', { name: new RegExp(`^${count} credit`) }).waitFor();
  const confirm = (page: Page) =>
    page.getByRole('alertdialog').getByRole('button', { name: 'Download', exact: true });

  it('[FLT-06, SAVE-01, SAVE-03, DL-03, DL-04, DL-06, CRED-02, CRED-07, CRED-32, SET-06] filters, saves, undoes, buys, downloads again, runs out of credits and upgrades', async () => {
    const page = await visits.open(await listenerWith(product, 3));
    await page.goto('/discover');
    await page.getByRole('button', { name: /^Genre/ }).click();
    await page.getByRole('checkbox', { name: 'Soul', exact: true }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('3 results').waitFor();

    await row(page, 'Felt keys').getByRole('button', { name: 'Save to library' }).click();
    await page.getByText('Track added to your library').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Felt keys').getByRole('button', { name: 'Save to library' }).waitFor();

    await download(page, 'Felt keys');
    const file = page.waitForEvent('download');
    await confirm(page).click();
    const bought = readFileSync(await (await file).path());
    await credits(page, 1);
    const again = page.waitForEvent('download');
    await download(page, 'Felt keys');
    expect(readFileSync(await (await again).path()).equals(bought)).toBe(true);
    expect((await again).suggestedFilename()).toBe('Junie Okafor - Felt keys.wav');
    await credits(page, 1);

    await download(page, 'Table knock');
    await page.getByText('You have 1 credits remaining.').waitFor();
    await page.getByRole('button', { name: 'Go to Settings' }).click();
    await page.waitForURL(/settings/);
    const checkoutPage = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Choose Starter' }).click();
    const checkout = await checkoutPage;
    // The tab that opened the payment page has moved on by then, and still learns of the payment.
    await page.getByRole('link', { name: 'Discover', exact: true }).first().click();
    await page.waitForURL(/discover/);
    await checkout.getByRole('button', { name: /^Pay/ }).click();
    await checkout.waitForURL(/checkout=success/);
    await credits(checkout, 51);
    await credits(page, 51);
    await checkout.getByRole('button', { name: 'Upgrade to Premium' }).click();
    await checkout.getByText('$15.99 is charged today', { exact: false }).waitFor();
    await checkout.getByRole('button', { name: 'Upgrade', exact: true }).click();
    await credits(checkout, 151);
    await credits(page, 151);
    await checkout.close();
    await page.getByRole('link', { name: /^151 credit/ }).click();
    await page.getByText('Your plan').waitFor();
    await page.getByRole('button', { name: 'Upgrade to Studio' }).waitFor();

    await page.goto(pack);
    await download(page, 'Table knock');
    await page.getByRole('checkbox', { name: /lose my right of withdrawal/ }).check();
    const second = page.waitForEvent('download');
    await confirm(page).click();
    await second;
    await credits(page, 149);
  });

  it('[CRED-03, CRED-33] chooses a plan, signs up for it, and is led on to its payment page', async () => {
    // Without motion, because the home page's animation uses all of a machine without a graphics card.
    const page = await visits.open(undefined, { ...DESKTOP, reducedMotion: 'reduce' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Choose Premium' }).click();
    const alert = page.getByRole('alertdialog', { name: 'Sign In Required' });
    await alert.getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Welcome Back' });
    await dialog.getByRole('button', { name: 'Create an account' }).click();
    const creating = page.getByRole('dialog', { name: 'Create Account' });
    await creating.getByLabel('E-mail').fill(`${randomUUID()}@example.com`);
    await creating.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await creating.getByLabel(/^Confirm/).fill(PASSWORD);
    const checkoutPage = page.context().waitForEvent('page');
    await creating.getByRole('button', { name: 'Create account' }).click();
    const checkout = await checkoutPage;
    await checkout.getByText('$15.99', { exact: false }).first().waitFor();
    await checkout.getByRole('button', { name: /^Pay/ }).click();
    await checkout.waitForURL(/checkout=success/);
    await checkout.close();
    await page.bringToFront();
    await credits(page, 100);
  });

  it('[CRED-43] upgrades with a card whose bank asks: confirms on the page of the payment service, and the credits are there', async () => {
    const page = await visits.open(await product.signedUp());
    await page.goto('/settings?tab=credits');
    const checkoutPage = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Choose Starter' }).click();
    const checkout = await checkoutPage;
    await checkout.getByRole('radio', { name: /always asks/ }).check();
    await checkout.getByRole('button', { name: /^Pay/ }).click();
    await checkout.waitForURL(/checkout=success/);
    await checkout.close();
    await credits(page, 50);
    await page.getByRole('button', { name: 'Upgrade to Studio' }).click();
    await page.getByRole('button', { name: 'Upgrade', exact: true }).click();
    await page.getByText('Your bank wants you to confirm').waitFor();
    const invoicePage = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Confirm payment' }).click();
    const invoice = await invoicePage;
    await invoice.getByRole('button', { name: 'Confirm $19.99' }).click();
    await invoice.getByText('You can close this page.').waitFor();
    await invoice.close();
    await page.bringToFront();
    await page.getByText('150 credits arrived').waitFor();
    await credits(page, 200);
    await page.getByRole('button', { name: 'Switch to Premium', exact: false }).waitFor();
  });

  /** Returns the originals in an archive that the browser downloaded. */
  const soundsIn = async (archive: Promise<Download>) => {
    const entries = readZip(readFileSync(await (await archive).path()));
    return [...entries.keys()].filter((name) => name.startsWith('samples/'));
  };

  it('[DL-18, LIB-06] gets all 12 of a pack and all 39 of a selection, each as one archive', async () => {
    const listener = await listenerWith(product, 60);
    const { database, storage } = product.resources;
    const more = await stock(database, 27, { prefix: 'more' });
    for (const sampleId of more) {
      await storage.put(`${STOCKED_FILES}${sampleId}`, Buffer.alloc(50_000, 1), { contentType: 'audio/wav' });
      const headers = { 'idempotency-key': randomUUID() };
      const bought = await listener.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers });
      expect(bought.status).toBe(201);
    }
    const page = await visits.open(listener);
    const taken: string[] = [];
    page.on('download', (file) => taken.push(file.suggestedFilename()));
    await page.goto(twelve);
    await page.getByRole('button', { name: /^Download pack/ }).click();
    const whole = page.waitForEvent('download');
    await confirm(page).click();
    expect(await soundsIn(whole)).toHaveLength(12);
    await page.getByText('12 credits spent, 21 left.').waitFor();

    await page.goto('/library?downloads');
    await page.getByRole('checkbox', { name: /^Select Rim 1$/ }).check();
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByText('39 picked').waitFor();
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download again as ZIP' }).click();
    expect(await soundsIn(again)).toHaveLength(39);
    await page.locator('b', { hasText: /^39 samples$/ }).waitFor();
    await page.getByText('Downloaded', { exact: true }).waitFor();
    expect(taken).toEqual(['Stairwell Breaks.zip', expect.stringMatching(/^Offcut .*, 39 samples\.zip$/)]);
  });

  it('[SWP-02, SWP-03, SWP-04] swipes: passes one, saves the next, and sees it among the recent saves', async () => {
    const page = await visits.open(await listenerWith(product, 0));
    await page.goto('/swipe');
    const title = page.getByRole('heading', { level: 2 }).and(page.locator('.swipe-card h2'));
    const first = await title.innerText();
    await page.getByRole('button', { name: 'Pass' }).click();
    await page.waitForFunction(
      (before) => document.querySelector<HTMLElement>('.swipe-card h2')?.innerText !== before,
      first,
    );
    const second = await title.innerText();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Track added to your library').waitFor();
    await page.waitForFunction(
      (before) => document.querySelector<HTMLElement>('.swipe-card h2')?.innerText !== before,
      second,
    );
    await page.getByRole('region', { name: 'Recent Saves' }).getByText(second).waitFor();
  });

  it('[AUTH-04, AUTH-07, AUTH-14] forgets the password, and sets another by the mailed link, which works once', async () => {
    const listener = await product.signedUp();
    const page = await visits.open();
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot password' }).click();
    await page.getByLabel('E-mail').fill(listener.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a link to set a new password is on its way', { exact: false }).waitFor();
    const mails = (await product.browser().get('/dev/mailbox?format=json')).body as {
      to: string;
      links: string[];
    }[];
    const link = mails
      .find(({ to, links }) => to === listener.email && /reset=/.test(links.join()))
      ?.links.find((one) => one.includes('reset=')) as string;
    await page.goto(link);
    await page.getByLabel('New password').fill('an even finer phrase');
    await page.getByLabel('Confirm password').fill('an even finer phrase');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Password updated successfully!').waitFor();
    await page.getByLabel('E-mail').fill(listener.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await page.getByText('E-mail or password is wrong').first().waitFor();
    await page.getByLabel('Password', { exact: true }).fill('an even finer phrase');
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await page.getByText('Welcome back', { exact: false }).waitFor();
    await page.goto(link);
    await page.getByLabel('New password').fill('the same link again');
    await page.getByLabel('Confirm password').fill('the same link again');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Error', { exact: true }).waitFor();
  });

  it('[DL-03, DL-10, ROW-05] buys with the keyboard alone: to the list, along it, through the dialog, and back', async () => {
    const page = await visits.open(await listenerWith(product, 2));
    await page.goto(pack, { waitUntil: 'networkidle' });
    const focused = (name: RegExp) =>
      page.evaluate(
        ([source]) =>
          new RegExp(source as string).test(document.activeElement?.getAttribute('aria-label') ?? ''),
        [name.source],
      );
    for (let presses = 0; presses < 40 && !(await focused(/^Felt keys, /)); presses += 1)
      await page.keyboard.press('Tab');
    expect(await focused(/^Felt keys, /)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Table knock'),
    );
    await page.keyboard.press('d');
    await page.getByRole('alertdialog').locator(':focus').waitFor();
    const file = page.waitForEvent('download');
    for (let presses = 0; presses < 5; presses += 1) {
      if (await page.evaluate(() => document.activeElement?.textContent === 'Download')) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    expect((await file).suggestedFilename()).toBe('Junie Okafor - Table knock.wav');
    await credits(page, 0);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    // Focus is back in the row, so that the next key continues from there.
    expect(
      await page.evaluate(() => document.activeElement?.closest('[data-sample]')?.getAttribute('aria-label')),
    ).toMatch(/^Table knock/);
  });

  it('[DL-03, PLAY-01, LIB-01] buys on a phone by touch: hears it, opens the sheet, filters, pays, finds it in the library', async () => {
    const page = await visits.open(await listenerWith(product, 5), PHONE);
    await page.goto('/discover');
    await page.getByRole('button', { name: /^Filter/ }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filter' });
    await sheet.getByRole('button', { name: 'Soul', exact: true }).tap();
    await sheet.getByRole('button', { name: 'Apply' }).tap();
    await page.getByText('3 results').waitFor();
    await row(page, 'Hum').getByRole('button', { name: 'Play Hum' }).tap();
    await page.getByRole('button', { name: 'Audition: play on, tempo and key' }).tap();
    const audition = page.getByRole('dialog', { name: 'Hum' });
    await audition.getByRole('button', { name: /^My project/ }).tap();
    const project = page.getByRole('dialog', { name: 'My project' });
    await project.getByRole('button', { name: 'Faster' }).tap();
    await project.getByRole('button', { name: 'Close', exact: true }).tap();
    await audition.getByText('121 BPM').first().waitFor();
    await audition.getByRole('button', { name: 'Close' }).tap();
    await download(page, 'Hum');
    const file = page.waitForEvent('download');
    await confirm(page).tap();
    await file;
    await page.getByRole('link', { name: 'Library' }).tap();
    await page.getByRole('tab', { name: 'Downloaded Content' }).tap();
    await page.getByText('Hum', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  });
});
