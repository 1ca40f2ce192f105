import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LEGAL_DOCUMENTS, LEGAL_TITLES } from '../../application/legal/values.js';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP, PHONE } from '../support/browser.js';
import { balance, comesTo } from '../support/money-back.js';
import type { TestProduct } from '../support/product.js';
import { openShop, PASSWORD, Visits } from '../support/shop.js';
import { press } from '../support/stripe.js';
import { wavOf } from '../support/wav.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-legal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the law asks of a shop, in a real browser. */
describe('the law', () => {
  let product: TestProduct;
  let pack: string;
  const visits = Visits.forTests(async () => {
    for (const document of LEGAL_DOCUMENTS)
      writeFileSync(join(folder, `${document}.md`), `# ${LEGAL_TITLES[document]}\n\nOur **text**.\n`);
    return { LEGAL_DIR: folder };
  });
  beforeAll(async () => {
    ({ product } = visits);
    const sounds = [{ name: 'Felt keys', creditCost: 2 }, { name: 'Hum' }];
    [pack = ''] = await openShop(product, [{ name: 'Kitchen', genre: 'Soul', mood: 'Nostalgic', sounds }]);
  });

  it('[LAW-704, LAW-722, LAW-732] the footer of every page leads to every text, drawn by the server, accessible, and printable', async () => {
    const page = await visits.open(undefined, { ...PHONE, reducedMotion: 'reduce' });
    await page.goto('/');
    const links = page.getByRole('navigation', { name: 'Legal texts' }).getByRole('link');
    expect(await links.allTextContents()).toEqual([
      ...Object.values(LEGAL_TITLES),
      'Withdraw from contract here',
    ]);
    await links.filter({ hasText: 'Accessibility statement' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accessibility statement' }).waitFor();
    expect(await violationNames(page)).toEqual([]);
    const licences = await page.getByRole('link', { name: /^Licences of the software/ }).getAttribute('href');
    const notices = await fetch(new URL(String(licences), product.url));
    expect(notices.headers.get('content-type')).toContain('text/plain');
    expect(await notices.text()).toMatch(/^react \d+\.\d+\.\d+ \(MIT\)$/m);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    for (const path of [pack, '/sounds', '/search', '/discover', '/auth', '/nowhere']) {
      await page.goto(path);
      await links.first().waitFor();
      expect([path, await links.count()]).toEqual([path, 7]);
    }
    await page.goto('/');
    await links.first().waitFor();
    expect(await links.count()).toBe(7);
    const drawn = await (await fetch(`${product.url}/legal/imprint`)).text();
    expect(drawn).toContain('<p>Our <strong>text</strong>.</p>');
    expect((await fetch(`${product.url}/legal/cookies`)).status).toBe(404);
  });

  it('[LAW-702, LAW-705] a new account accepts the texts; others are asked once and can go on reading', async () => {
    const page = await visits.open(undefined, DESKTOP);
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Create an account' }).click();
    expect(await page.getByRole('link', { name: 'terms of use', exact: true }).getAttribute('href')).toBe(
      '/legal/terms',
    );
    await page.getByLabel('E-mail').fill('nora@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel(/^Confirm/).fill(PASSWORD);
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/me/acceptances'));
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await (await answered).json()).toEqual({ versions: {} });

    // An account that was made without the form.
    const max = await visits.open(await product.signedUp(), DESKTOP);
    await max.goto(pack);
    const banner = max.getByRole('complementary', { name: 'Changed texts' });
    await banner.waitFor();
    expect(await violationNames(max)).toEqual([]);
    await max.getByRole('listitem', { name: /^Felt keys, / }).waitFor();
    await banner.getByRole('button', { name: 'Accept' }).press('Enter');
    await banner.waitFor({ state: 'detached' });
    await max.reload();
    await max.getByRole('listitem', { name: /^Felt keys, / }).waitFor();
    expect(await banner.count()).toBe(0);
  });

  it('[LAW-710, LAW-711] asks for the consent before the first download, and takes a withdrawal by keyboard', async () => {
    const ada = await product.signedUp();
    const { body } = await ada.post('/api/stripe/create-checkout-session', { plan: 'starter' });
    await press(body.url, { outcome: 'paid' });
    await comesTo(() => balance(ada), 50);
    const page = await visits.open(ada, DESKTOP);
    await page.goto(pack);
    const buy = (title: string) =>
      page
        .getByRole('listitem', { name: new RegExp(`^${title}, `) })
        .getByRole('button', { name: /^Download for/ })
        .click();
    await buy('Felt keys');
    const dialog = page.getByRole('alertdialog');
    const download = dialog.getByRole('button', { name: 'Download', exact: true });
    expect(await download.isDisabled()).toBe(true);
    expect(await violationNames(page)).toEqual([]);
    await dialog.getByRole('checkbox', { name: /lose my right of withdrawal/ }).press('Space');
    const first = page.waitForEvent('download');
    await download.press('Enter');
    await first;
    await buy('Hum');
    await download.waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.goto('/withdraw');
    await page.getByRole('button', { name: /^Choose the contract in_/ }).press('Enter');
    expect(await page.getByLabel('E-mail address of your account').inputValue()).toBe(ada.email);
    // The focus moves in a later task than the press.
    await page.locator('[name="name"]:focus').waitFor();
    await page.keyboard.type('Ada Lovelace');
    expect(await violationNames(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('button', { name: 'Confirm withdrawal' });
    await page.locator('h1:focus', { hasText: 'Confirm withdrawal' }).waitFor();
    expect(await violationNames(page)).toEqual([]);
    await confirm.press('Enter');
    await page.getByText(/^We received your withdrawal on /).waitFor();
    await comesTo(() => balance(ada), 0);
    await page.reload();
    await page.getByText(/^Withdrawn on /).waitFor();
  });

  it('[LAW-712] a creator declares how a sound was made; the shop refuses what it does not allow, and shows the rest', async () => {
    const creator = await product.signedUp();
    await creator.patch('/api/me', { displayName: 'Mo Vasquez' });
    await creator.becomeCreator();
    const face = { name: 'Dreams', genre: 'Soul', mood: 'Chill' };
    const { id, slug } = (await creator.post('/api/creator/packs', face)).body;
    const form = new FormData();
    form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 2, hertz: 510 }))]), 'Machine choir.wav');
    const added = await creator.post(`/api/creator/packs/${id}/samples`, undefined, { raw: form });
    const page = await visits.open(creator, DESKTOP);
    await page.goto(`/creator-pack/${slug}`);
    await page.getByRole('button', { name: 'Publish Pack' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ready to publish?' });
    const origin = dialog.getByLabel(/without a stated origin/);
    const publish = dialog.getByRole('button', { name: 'Publish Pack' });
    await dialog.getByLabel('I made these sounds, or have the rights to sell them').press('Space');
    await publish.press('Enter');
    await dialog.getByText('Choose an origin').waitFor();
    expect(await violationNames(page)).toEqual([]);
    await origin.selectOption('ai-generated');
    await publish.press('Enter');
    await page
      .getByText(/does not accept sounds of this origin/)
      .first()
      .waitFor();
    await origin.selectOption('ai-assisted');
    await publish.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    const listener = await visits.open(undefined, DESKTOP);
    await listener.goto(`/sample/${added.body.sample.id}`);
    await listener.getByText('AI-assisted', { exact: true }).first().waitFor();
    await listener.goto('/search?origin=ai-assisted');
    await listener.getByRole('listitem', { name: /^Machine choir, / }).waitFor();
    expect(await listener.getByRole('listitem', { name: /^Felt keys, / }).count()).toBe(0);
  });
});
