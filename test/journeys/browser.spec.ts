import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { publishPack } from '../support/browser.js';
import { Visits } from '../support/shop.js';
import { wavOf } from '../support/wav.js';

const PASSWORD = 'a fine pass phrase';
const FIXTURES = join(process.cwd(), 'test/audio/fixtures');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const UPLOADS = [
  { name: 'Long_take_90bpm_Amin.wav', mimeType: 'audio/wav', buffer: wavOf({ seconds: 70, hertz: 220 }) },
  {
    name: 'Small_phrase_100bpm.mp3',
    mimeType: 'audio/mpeg',
    buffer: readFileSync(join(FIXTURES, 'cbr.mp3')),
  },
  {
    name: 'Other_phrase_80bpm.m4a',
    mimeType: 'audio/mp4',
    buffer: readFileSync(join(FIXTURES, 'moov-last.m4a')),
  },
];

/** The main tasks of creators and listeners in a real browser. */
describe('in the browser', () => {
  const visits = Visits.forTests();

  const arrive = async (path: string): Promise<Page> => {
    const page = await visits.open();
    await page.goto(path);
    return page;
  };

  const signUp = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create an account' }).click();
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Confirm password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  it('[NEWP-01, NEWP-03, SMOD-04, EDIT-06, KIND-720, KIND-725, PUB-02, PUB-04, PUB-770] a creator makes a pack of real files and publishes it', async () => {
    const page = await arrive('/');
    await signUp(page, 'junie@example.com');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /apply/i }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your name, as listeners see it').fill('Junie Okafor');
    await dialog.getByLabel('What you make, and how').fill('Soul from the kitchen.');
    await dialog.getByRole('button', { name: 'Send Application' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Create New Pack' }).first().click();
    await dialog.getByLabel('Name').fill('Kitchen Table Soul');
    await dialog.getByLabel('Genre').selectOption('Soul');
    await dialog.getByLabel('Mood').selectOption('Nostalgic');
    await dialog.getByRole('button', { name: /create/i }).click();
    await page.waitForURL(/creator-pack\/kitchen-table-soul/);

    await page.getByLabel('Audio files').setInputFiles(UPLOADS);
    const rows = page.getByRole('list', { name: 'Samples' });
    // A press on a row that moves to its place by name would be lost.
    for (const [place, title] of ['Long take', 'Other phrase', 'Small phrase'].entries())
      await rows
        .getByRole('button', { name: /^Edit / })
        .nth(place)
        .and(rows.getByRole('button', { name: `Edit ${title}` }))
        .waitFor({ timeout: 60_000 });
    const cover = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#2F5BE7' } })
      .png()
      .toBuffer();
    await page
      .getByLabel('Cover image')
      .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: cover });

    await rows.getByRole('button', { name: 'Edit Long take' }).click();
    const sheet = page.getByRole('dialog').or(page.getByRole('complementary')).last();
    await sheet.getByRole('slider', { name: 'Start of the preview' }).press('ArrowRight');
    await sheet.getByText('Listeners hear 0:03 to 1:03.').waitFor();
    await sheet.getByRole('button', { name: 'Use this part' }).dblclick();
    await page.getByText('The preview has another part now').waitFor();
    await page.getByRole('group', { name: 'Credit cost' }).getByRole('button', { name: '2 credits' }).click();
    await sheet.getByRole('button', { name: 'Save sample' }).click();
    await rows.getByText('2', { exact: true }).first().waitFor();

    await publishPack(page);
    await page.getByText('Confirm your e-mail address before you publish').waitFor();
    await Object.assign(visits.product.browser(), { email: 'junie@example.com' }).confirmEmail();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish Pack' }).click();
    await page.getByText("Pack published successfully! It's now visible across the site.").waitFor();
    await page.getByText('Published', { exact: true }).first().waitFor();
  });

  it('[SRCH-01, PLAY-01, PLAY-06, DL-02] a visitor finds it at once, hears it, and is asked to sign in to have it', async () => {
    const page = await arrive('/search?q=long%20take');
    await page.getByRole('heading', { name: 'Search results for "long take"' }).waitFor();
    await page.getByText('1 track found').waitFor();
    await page.getByRole('button', { name: 'Play Long take' }).first().click();
    await page.getByRole('button', { name: 'Pause Long take' }).first().waitFor();
    const position = page.getByLabel('Position in the preview');
    await rises(async () => Number(await position.inputValue()));
    await page
      .getByRole('button', { name: /^Download for 2/ })
      .first()
      .click();
    await page.getByText('Sign in required').waitFor();
    await page.getByText('Please sign in to download tracks.').waitFor();
  });

  it('[CRED-02, DL-03, DL-06, DL-10, LIB-01] a listener picks a plan, pays, buys, and has the very file', async () => {
    const page = await arrive('/search?q=long%20take');
    await signUp(page, 'noor@example.com');
    await page
      .getByRole('button', { name: /^Download for 2/ })
      .first()
      .click();
    await page.getByText('Insufficient Credits').waitFor();
    await page.getByText('Go to Settings to subscribe and get more credits.').waitFor();
    await page.keyboard.press('Escape');

    await page.goto('/#pricing');
    const checkoutPage = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Choose Starter' }).click();
    const checkout = await checkoutPage;
    await checkout.getByRole('button', { name: /^Pay/ }).click();
    await checkout.waitForURL(/checkout=success/);
    await checkout.getByText('50', { exact: true }).first().waitFor();
    await checkout.close();

    await page.goto('/search?q=long%20take');
    await page
      .getByRole('button', { name: /^Download for 2/ })
      .first()
      .click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await dialog.getByText('Confirm Download').waitFor();
    await dialog.getByText("You're about to download:").waitFor();
    await dialog.getByText('2 Credits').waitFor();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('checkbox', { name: /lose my right of withdrawal/ }).check();
    await dialog.getByRole('button', { name: 'Download' }).click();
    const delivered = readFileSync(await (await downloading).path());
    expect(sha256(delivered)).toBe(sha256(UPLOADS[0]?.buffer as Buffer));
    await page.getByText('48', { exact: true }).first().waitFor();

    await page.goto('/library?downloads');
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Already downloaded - click to download again' }).first().click();
    expect(sha256(readFileSync(await (await again).path()))).toBe(sha256(UPLOADS[0]?.buffer as Buffer));
    await page.getByText('48', { exact: true }).first().waitFor();
  });
});

/** Waits until a number read from the page is positive. */
async function rises(read: () => Promise<number>): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    if ((await read()) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it stays at zero');
}
