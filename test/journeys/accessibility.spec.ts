import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settled, violationsOf } from '../support/accessibility.js';
import { DESKTOP, PHONE } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import type { TestProduct } from '../support/product.js';
import { Visits, listenerWith, openShop } from '../support/shop.js';

const THEMES = ['light', 'dark'] as const;

/** Checks what only some visitors see, and what opens over a page. */
describe('accessibility beyond the public pages', () => {
  let product: TestProduct;
  let listener: HttpClient;
  let pack: string;
  let certificate: string;
  const visits = Visits.forTests();

  beforeAll(async () => {
    ({ product } = visits);
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
  });

  const check = async (page: Page, what: string) => {
    const found: string[] = [];
    for (const [index, theme] of THEMES.entries()) {
      await page.evaluate((name) => void (document.documentElement.dataset.theme = name), theme);
      // Only colours differ in the second theme.
      const violations = await violationsOf(page, index === 0 ? {} : { runOnly: ['color-contrast'] });
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
  });

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
    await felt.getByRole('button', { name: /^Save to library/ }).click();
    await page.getByText('Track saved to your library').waitFor();
    await check(page, 'a toast');
    await felt.getByRole('button', { name: /^Saved/ }).click();
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
    await page
      .getByRole('region', { name: 'Player' })
      .getByRole('button', { name: /^My project/ })
      .click();
    const project = page.getByRole('dialog', { name: 'My project' });
    await project.getByRole('button', { name: 'Faster' }).click();
    await project.getByLabel('Key', { exact: true }).selectOption('A Minor');
    await check(page, 'the open project');
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
    await visitor.getByRole('button', { name: /^My project/ }).tap();
    await visitor.getByRole('dialog', { name: 'My project' }).waitFor();
    await check(visitor, 'the sheet of the project');
    // On a tablet too, the panel lies over the sheet of the audition that opened it.
    await visitor.setViewportSize({ width: 820, height: 1180 });
    await visitor.getByRole('dialog', { name: 'My project' }).getByRole('button', { name: 'Faster' }).tap();
  });

  it('[FLT-12] opens every filter panel inside the window, closes it when focus leaves, also with long choices', async () => {
    const page = await visits.open();
    const long =
      'mood=Motivational&mood=Mysterious&genre=Experimental&genre=Underground&instrument=Field+Recording&instrument=Upright+Bass&key=C%23+Minor&bpmMin=70';
    for (const path of ['/discover', `/discover?${long}`]) {
      await page.goto(path, { waitUntil: 'networkidle' });
      for (const width of [768, 820, 900, 1024, 1100, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of ['Key', 'Mood', 'Genre', 'Instrument']) {
          await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
          const panel = page.getByRole('group', { name: `${name} filter` });
          const box = await panel.boundingBox();
          const [left, right] = [box?.x ?? -1, (box?.x ?? 0) + (box?.width ?? 9_999)];
          expect({ path, width, name, inside: left >= 0 && right <= width }).toMatchObject({ inside: true });
          await page.keyboard.press('Escape');
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    }
    await page.getByRole('button', { name: /^Instrument/ }).click();
    const panel = page.getByRole('group', { name: 'Instrument filter' });
    await panel.getByRole('button', { name: 'Apply' }).focus();
    await page.keyboard.press('Tab');
    await panel.waitFor({ state: 'detached' });
  });

  it.each([
    [1366, 768],
    [1440, 900],
    [768, 1024],
    [390, 844],
  ])(
    '[SWP-08, TOAST-03] has every control of Swipe in a window of %i by %i, and no toast over one',
    async (width, height) => {
      const page = await visits.open(undefined, { viewport: { width, height } });
      await page.goto('/swipe', { waitUntil: 'networkidle' });
      const buttons = page.locator('.swipe-action, .swipe .chip, .tab-bar a, header a, header button');
      await page.getByRole('button', { name: 'Pass' }).waitFor();
      for (const action of await page.locator('.swipe-action').all()) {
        const box = await action.boundingBox();
        const tabs = await page.locator('.tab-bar').boundingBox();
        const lowest = tabs && tabs.height > 0 ? tabs.y : height;
        expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(lowest);
      }
      await page.keyboard.press('ArrowRight');
      const toast = page.locator('.toast');
      await toast.waitFor();
      await settled(page);
      const over = (await toast.boundingBox()) as { x: number; y: number; width: number; height: number };
      expect(over.x >= 0 && over.x + over.width <= width).toBe(true);
      for (const button of await buttons.all()) {
        const box = await button.boundingBox();
        if (!box || !(await button.isVisible())) continue;
        const apart =
          box.x >= over.x + over.width ||
          box.x + box.width <= over.x ||
          box.y >= over.y + over.height ||
          box.y + box.height <= over.y;
        expect(`${await button.innerText()} ${apart}`).toMatch(/true$/);
      }
    },
  );

  it('[UTIL-05] keeps every mark where the system sets the colours', async () => {
    const page = await visits.open(await listenerWith(product, 1), { ...DESKTOP, forcedColors: 'active' });
    await page.goto('/discover?genre=Soul', { waitUntil: 'networkidle' });
    await page
      .getByRole('button', { name: /^Play / })
      .first()
      .click();
    await page.locator('.sample-row[aria-current]').waitFor();
    await page.getByRole('slider', { name: 'Volume' }).waitFor();
    const marks = await page.evaluate(() => {
      const style = (selector: string, pseudo?: string) =>
        getComputedStyle(document.querySelector(selector) as Element, pseudo);
      const page = style('body').backgroundColor;
      const colour = (name: string) => style(':root').getPropertyValue(name);
      return {
        names: ['--wave', '--mark', '--focus'].map(colour),
        row: style('.sample-row[aria-current]').outlineStyle,
        nav:
          style('.cut-bar.nav-link:is([aria-current="page"], [data-current])', '::after').backgroundColor !==
          page,
        tempo: style('.tempo-track').backgroundImage.includes('gradient'),
        range: style('.tempo-track', '::before').backgroundColor !== page,
        filter: style('.filter-button-on').borderTopWidth,
        volume: style('.player-volume').forcedColorAdjust,
      };
    });
    expect(marks).toEqual({
      names: ['CanvasText', 'Highlight', 'Highlight'],
      row: 'solid',
      nav: true,
      tempo: true,
      range: true,
      filter: '2px',
      volume: 'none',
    });
    await page.goto('/settings?tab=credits');
    const part = await page
      .locator('.tape-part')
      .first()
      .evaluate((element) => {
        const { borderTopStyle, forcedColorAdjust } = getComputedStyle(element);
        return { borderTopStyle, forcedColorAdjust };
      });
    expect(part).toEqual({ borderTopStyle: 'solid', forcedColorAdjust: 'none' });
    await page.goto('/swipe');
    const chip = page.getByRole('button', { name: 'Soul', exact: true });
    const ground = () => chip.evaluate((element) => getComputedStyle(element).backgroundColor);
    const before = await ground();
    await chip.click();
    await page.mouse.move(0, 0);
    await settled(page);
    expect(await ground()).not.toBe(before);
  });
});
