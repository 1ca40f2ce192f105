import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { DESKTOP, PHONE, startBrowser } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { Visits, listenerWith, openShop } from '../support/shop.js';

const THEMES = ['light', 'dark'] as const;

/** Resolves once nothing slides, fades or changes colour any more: what still moves is not what people read. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // Asking for the animations applies pending styles, so those that these start are among the answers;
    // colours that are inherited change one after the other, hence again until there are none.
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
        );
    for (let left = passing(); left.length > 0; left = passing())
      await Promise.all(left.map((one) => one.finished.catch(() => null)));
    await document.fonts.ready;
  });

/** What only some visitors see, and what opens over a page: read by machines as by people. */
describe('accessibility beyond the public pages', () => {
  let product: TestProduct;
  let browser: Browser;
  let listener: HttpClient;
  let pack: string;
  let certificate: string;
  const visits = new Visits(
    () => browser,
    () => product,
  );

  beforeAll(async () => {
    product = await startTestProduct({}, { web: true });
    browser = await startBrowser();
    const sounds = [{ name: 'Felt keys', key: 'A Minor' }, { name: 'Hum' }];
    [pack = ''] = await openShop(product, [
      { name: 'Kitchen Table Soul', genre: 'Soul', mood: 'Nostalgic', sounds },
    ]);
    listener = await listenerWith(product, 1);
    const { items } = (await listener.get('/api/samples')).body as { items: { id: string; title: string }[] };
    const hum = items.find(({ title }) => title === 'Hum')?.id as string;
    await listener.put(`/api/library/saved/${hum}`, { id: hum, type: 'sample', title: 'Hum' });
    const key = { headers: { 'idempotency-key': '7d1f8d5e-4f6c-4f0e-9a55-0a7b1d7f2b11' } };
    const bought = await listener.post('/api/downloads', { sampleId: hum, expectedCredits: 1 }, key);
    certificate = bought.body.certificateId;
  }, 120_000);
  afterEach(async () => expect(await visits.close()).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const check = async (page: Page, what: string) => {
    if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ content: axe.source });
    const found: string[] = [];
    for (const [index, theme] of THEMES.entries()) {
      await page.evaluate((name) => void (document.documentElement.dataset.theme = name), theme);
      await settled(page);
      const violations = await page.evaluate(
        // Only colours differ in the second theme.
        (rules) =>
          (window as unknown as { axe: typeof axe }).axe.run(rules).then((result) => result.violations),
        index === 0 ? {} : { runOnly: ['color-contrast'] },
      );
      for (const { id, nodes } of violations)
        for (const { html, target, any } of nodes)
          found.push(`${theme}, ${id}: ${target} ${html.slice(0, 120)} ${any[0]?.message ?? ''}`);
    }
    expect({ what, found }).toEqual({ what, found: [] });
  };
  const visit = (who?: HttpClient, options = DESKTOP) =>
    visits.open(who, { ...options, reducedMotion: 'reduce' });

  it('finds nothing to object to on the pages of somebody signed in, and those that mails lead to, in both themes', async () => {
    const page = await visit(listener);
    const paths = [
      '/library',
      '/library?downloads',
      '/settings',
      '/settings?tab=credits',
      '/settings?tab=security',
      '/search?q=nothing-like-it',
      '/collection/genre-soul',
      `/certificates/${certificate}`,
      '/auth?reset=token',
      '/auth?verify=token',
      '/clear-cache',
      '/mailing-list',
      '/no-such-page',
    ];
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await check(page, path);
    }
    const visitor = await visit();
    await visitor.goto('/auth', { waitUntil: 'networkidle' });
    await check(visitor, '/auth');
  }, 120_000);

  it('changes all colours at once for people who ask for no motion', async () => {
    const page = await visit(listener);
    await page.goto(pack, { waitUntil: 'networkidle' });
    const changing = await page.evaluate(() => {
      const { dataset } = document.documentElement;
      dataset.theme = dataset.theme === 'light' ? 'dark' : 'light';
      return document.getAnimations().filter((one) => one instanceof CSSTransition).length;
    });
    expect(changing).toBe(0);
  });

  it('finds nothing to object to in dialogs and menus, in both themes', async () => {
    const page = await visit(listener);
    await page.goto(pack, { waitUntil: 'networkidle' });
    const felt = page.getByRole('listitem', { name: /^Felt keys, / });
    const close = () => page.keyboard.press('Escape');
    await felt.getByRole('button', { name: 'Save to library' }).click();
    await page.getByText('Track saved to your library').waitFor();
    await check(page, 'a toast');
    await felt.getByRole('button', { name: 'Saved' }).click();
    await page.getByText('Remove track?').waitFor();
    await check(page, 'a confirmation');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await felt.getByRole('button', { name: /^Download for/ }).click();
    await page.getByText('Insufficient Credits').waitFor();
    await check(page, 'an alert');
    await close();
    await felt.getByRole('button', { name: 'Similar sounds' }).click();
    await page.getByRole('dialog').waitFor();
    await check(page, 'similar sounds');
    await close();
    await felt.getByRole('button', { name: /^Play / }).click();
    await page.getByRole('button', { name: /^Audition/ }).click();
    await page.getByRole('group', { name: 'Audition' }).waitFor();
    await check(page, 'the audition panel');
    await close();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'My Library' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: 'Downloaded Content' }).waitFor();
    await check(page, 'the account menu');
    await close();
    await close();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await check(page, 'the list of keys');
    await close();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await check(page, 'the commands');
    await close();
    await page.goto('/search', { waitUntil: 'networkidle' });
    for (const filter of ['Key', 'Genre']) {
      await page.getByRole('button', { name: new RegExp(`^${filter}`) }).click();
      await page.getByRole('button', { name: 'Apply' }).waitFor();
      await check(page, `the filter ${filter}`);
      await close();
    }
    await page.getByRole('combobox').first().fill('felt');
    await page.getByRole('option').first().waitFor();
    await check(page, 'suggestions');

    const visitor = await visit(undefined, PHONE);
    await visitor.goto('/discover', { waitUntil: 'networkidle' });
    await visitor.getByRole('button', { name: 'Sign in' }).first().tap();
    await visitor.getByRole('dialog').waitFor();
    await check(visitor, 'the sign-in dialog');
    await visitor.getByRole('button', { name: 'Create an account' }).tap();
    await check(visitor, 'the sign-up dialog');
    await visitor.getByRole('button', { name: 'Close' }).tap();
    await visitor.getByRole('button', { name: /^Filter/ }).tap();
    await visitor.getByRole('dialog').waitFor();
    await check(visitor, 'the sheet of filters');
    await visitor.getByRole('button', { name: 'Close' }).tap();
    await visitor
      .getByRole('button', { name: /^Play / })
      .first()
      .tap();
    await visitor.getByRole('button', { name: /^Audition/ }).tap();
    await visitor.getByRole('dialog').waitFor();
    await check(visitor, 'the audition sheet');
  }, 120_000);
});
