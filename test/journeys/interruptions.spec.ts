import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { HttpClient } from '../support/http-client.js';
import type { TestProduct } from '../support/product.js';
import { PASSWORD, Visits, listenerWith, openShop } from '../support/shop.js';
import { recordPack } from '../support/catalogue.js';
import { draftPack, wav } from '../support/publishing.js';

const MANY = 60;
const twoFiles = ['Kettle', 'Spoon'].map((name, n) => ({
  name: `${name}.wav`,
  mimeType: 'audio/wav',
  buffer: wav(300 + n),
}));

/** Other tabs, ended sessions, lost connections and browser buttons must lose no work and block no page. */
describe('when something comes between', () => {
  let product: TestProduct;
  let pack: string;
  const visits = Visits.forTests();

  beforeAll(async () => {
    ({ product } = visits);
    const sounds = [{ name: 'Felt keys' }, { name: 'Table knock' }, { name: 'Hum' }];
    [pack = ''] = await openShop(product, [
      { name: 'Kitchen Table Soul', genre: 'Lofi', mood: 'Nostalgic', sounds },
    ]);
    const shelf = { packId: 'shelf', creatorId: (await product.signedUp()).userId, genre: 'Soul' } as const;
    await recordPack(
      product.resources.eventStore,
      shelf,
      Array.from({ length: MANY }, () => ({})),
    );
  });

  const row = (page: Page, title: string) => page.getByRole('listitem', { name: new RegExp(`^${title}, `) });
  const press = (page: Page, title: string, name: string | RegExp) =>
    row(page, title).getByRole('button', { name }).click();
  const confirm = (page: Page) =>
    page.getByRole('alertdialog').getByRole('button', { name: 'Download', exact: true });
  const owned = (page: Page, title: string) =>
    row(page, title)
      .getByRole('button', { name: /^Already downloaded/ })
      .waitFor();
  const balanceOf = async (who: HttpClient) => (await who.get('/api/credits')).body.balance as number;
  /** Ends sessions as if from elsewhere, so the page does not know. */
  const endSessionsOf = (who: HttpClient) =>
    product.resources.database.pool.query('delete from session where user_id = $1', [who.userId]);
  const signInAgain = async (page: Page, who: HttpClient) => {
    const dialog = page.getByRole('dialog', { name: 'Welcome Back' });
    await dialog.getByText('Your session has ended', { exact: false }).waitFor();
    await dialog.getByLabel('E-mail').fill(who.email);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  it('[AUTH-12, SAVE-06] a second tab sees what was saved and bought in the first, and the sign-out', async () => {
    const page = await visits.open(await listenerWith(product, 3));
    await page.goto(pack);
    const other = await page.context().newPage();
    await other.goto(pack);
    await row(other, 'Felt keys').waitFor();
    await press(page, 'Felt keys', 'Save to library');
    await row(other, 'Felt keys').getByRole('button', { name: 'Saved' }).waitFor();
    await press(page, 'Felt keys', /^Download for/);
    const file = page.waitForEvent('download');
    await confirm(page).click();
    await file;
    await owned(other, 'Felt keys');
    await other.getByTitle('Your credits').getByText('2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).first().waitFor();
    await row(other, 'Felt keys').getByRole('button', { name: 'Save to library' }).waitFor();
  });

  it('[DL-05] a purchase goes on after its session ended and another began, and is charged once', async () => {
    const listener = await listenerWith(product, 3);
    const page = await visits.open(listener);
    await page.goto(pack);
    await press(page, 'Hum', /^Download for/);
    await confirm(page).waitFor();
    await endSessionsOf(listener);
    const file = page.waitForEvent('download');
    await confirm(page).click();
    await signInAgain(page, listener);
    expect((await file).suggestedFilename()).toBe('Junie Okafor - Hum.wav');
    await owned(page, 'Hum');
    await listener.post('/api/auth/sign-in', { email: listener.email, password: PASSWORD });
    expect(await balanceOf(listener)).toBe(2);
  });

  it('[SET-02] what was typed is kept and saved after signing in again', async () => {
    const listener = await listenerWith(product, 0);
    const page = await visits.open(listener);
    await page.goto('/settings');
    await page.getByLabel('Display name').fill('Ada of the Late Shift');
    await endSessionsOf(listener);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await signInAgain(page, listener);
    await page.getByText('Profile updated successfully!').waitFor();
    expect(await page.getByLabel('Display name').inputValue()).toBe('Ada of the Late Shift');
  });

  it('[DL-09, ERR-04] without a connection it says so, charges nothing, and goes on once there is one', async () => {
    const listener = await listenerWith(product, 3);
    const page = await visits.open(listener);
    await page.goto(pack);
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/discover-screen')),
    );
    await press(page, 'Table knock', /^Download for/);
    await confirm(page).waitFor();
    await page.context().setOffline(true);
    await confirm(page).click();
    await page.getByText('Failed to process purchase. Please try again.').waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('link', { name: 'Discover' }).first().click();
    await page.getByText('Discover could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    // A page that was never opened needs the network. It loads by itself once the network is back.
    await page.getByRole('link', { name: 'Collections' }).first().click();
    await page.getByText('You are offline').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Browse Collections' }).waitFor();
    await page.getByRole('link', { name: /Lofi/ }).first().waitFor();
    expect(await balanceOf(listener)).toBe(3);
    await page.goBack();
    await page.goBack();
    await row(page, 'Table knock').waitFor();
    await press(page, 'Table knock', /^Download for/);
    const file = page.waitForEvent('download');
    await confirm(page).click();
    await file;
    expect(await balanceOf(listener)).toBe(2);
  });

  it('[UPL-848] files that are chosen without a connection wait on the tape, and are sent once there is one', async () => {
    const creator = await product.signedUp();
    await creator.becomeCreator();
    const page = await visits.open(creator);
    await page.goto(`/creator-pack/${(await draftPack(creator)).slug}`);
    await page.getByText('Drop your files below.').waitFor();
    // The editor fetches the code of the tape soon after it is shown.
    const tapeCode = await page.waitForFunction(() => {
      const fetched = performance.getEntriesByType('resource').map(({ name }) => name);
      const found = ['uploads', 'file-check', 'upload-tape', 'upload-list', 'origin-dialog'].map((part) =>
        fetched.find((name) => name.includes(`/assets/${part}-`) && name.endsWith('.js')),
      );
      return found.every((name) => name !== undefined) && found;
    });
    // Waits for the files that these files import.
    await tapeCode.evaluate(
      async (found) => void (await Promise.all(found ? found.map((name) => import(name)) : [])),
    );
    await page.context().setOffline(true);
    await page.getByLabel('Audio files').setInputFiles(twoFiles);
    const said = page.getByRole('region', { name: 'Uploads' }).getByRole('status');
    await said.getByText('Connection lost.').waitFor({ state: 'attached' });
    await page.context().setOffline(false);
    await said.getByText('All files are uploaded.').waitFor({ state: 'attached' });
    for (const name of ['Kettle', 'Spoon']) await page.getByText(name, { exact: true }).first().waitFor();
  });

  it('[UPL-849] files that are chosen without a connection are sent once there is one, even if the code of the upload tape is missing', async () => {
    const creator = await product.signedUp();
    await creator.becomeCreator();
    const page = await visits.open(creator);
    const tapeCode = /\/assets\/(upload-|origin-dialog)/;
    const loseConnection = async () => {
      const queue = await page.waitForFunction(() =>
        performance.getEntriesByType('resource').find(({ name }) => /\/assets\/uploads-.*js$/.test(name)),
      );
      await queue.evaluate(async (entry) => void (entry && (await import(entry.name))));
      await page.context().setOffline(true);
    };
    let lost: Promise<void> | undefined;
    await page.route(tapeCode, async (route) => {
      // Once: a later request must not end the connection that the test has restored.
      await (lost ??= loseConnection());
      await route.abort('internetdisconnected');
    });
    await page.goto(`/creator-pack/${(await draftPack(creator)).slug}`);
    await page.getByText('Drop your files below.').waitFor();
    await page.waitForFunction(() => !navigator.onLine);
    await page.evaluate(() =>
      window.addEventListener('pagehide', () => sessionStorage.setItem('left', 'yes')),
    );
    await page.getByLabel('Audio files').setInputFiles(twoFiles);
    await page.getByText('You are offline').waitFor();
    await page.unroute(tapeCode);
    await page.context().setOffline(false);
    for (const name of ['Kettle', 'Spoon'])
      await page.getByRole('listitem').filter({ hasText: name }).first().waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('left'))).toBeNull();
  });

  it('[FLT-06, HDR-01] back keeps filters and the place on the page, a reload the filters', async () => {
    const page = await visits.open();
    await page.goto('/search');
    await page.getByRole('button', { name: /^Genre/ }).click();
    await page.getByRole('checkbox', { name: 'Soul', exact: true }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(`${MANY} tracks found`).waitFor();
    const far = page.getByRole('listitem').nth(35);
    await far.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(500);
    // A click through the driver would scroll first.
    const sounds = await page.getByRole('link', { name: 'Sounds' }).first().boundingBox();
    await page.mouse.click((sounds?.x ?? 0) + 5, (sounds?.y ?? 0) + 5);
    await page.waitForURL('**/sounds');
    await page.goBack();
    await page.getByText(`${MANY} tracks found`).waitFor();
    expect(new URL(page.url()).searchParams.get('genre')).toBe('Soul');
    await page.waitForFunction((top) => Math.abs(window.scrollY - top) < 100, before);
    await page.reload();
    await page.getByText(`${MANY} tracks found`).waitFor();
  });
});
