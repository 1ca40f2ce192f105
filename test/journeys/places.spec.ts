import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { recordPack } from '../support/catalogue.js';
import { DESKTOP, PHONE, openPage, startBrowser } from '../support/browser.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { openShop } from '../support/shop.js';

const PASSWORD = 'a fine pass phrase';

/** Leaving long lists and coming back to the same place. */
describe('the place on a page', () => {
  let product: TestProduct;
  let browser: Browser;
  let pack: string;
  /** A pack of sounds with audio. */
  let audible: string;

  beforeAll(async () => {
    product = await startTestProduct({}, { web: true });
    browser = await startBrowser();
    const mira = await product.signedUp('mira@example.com');
    await mira.post('/api/creator/application');
    const facts = {
      packId: 'late',
      creatorId: mira.userId,
      name: 'Late',
      slug: 'late',
      genre: 'Trap',
      mood: 'Dark',
    } as const;
    const samples = Array.from({ length: 220 }, (_, at) => ({ title: `Late ${at}` }));
    await recordPack(product.resources.eventStore, facts, samples);
    for (let at = 0; at < 40; at += 1)
      await mira.put(`/api/library/saved/late-${at}`, { type: 'sample', id: `late-${at}` });
    const handle = (await mira.get('/api/creator')).body.handle as string;
    pack = `/pack/late/${handle}`;
    [audible = ''] = await openShop(product, [
      { name: 'Night Shift', genre: 'Trap', mood: 'Dark', sounds: [{ name: 'Sub slide' }] },
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** Returns what explains why a list has stopped growing: its length, its last control and the last answers. */
  const foot = () => ({
    pagePx: document.body.scrollHeight,
    rows: document.querySelectorAll('[data-sample]').length,
    control: [...document.querySelectorAll('main button')].at(-1)?.outerHTML,
    answers: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/'))
      .slice(-8)
      .map((one) => [
        one.name,
        (one as PerformanceResourceTiming).responseStatus,
        one.startTime,
        one.duration,
      ]),
  });
  /** Scrolls until the place is reached, because lists grow while scrolling. */
  const scrollTo = async (page: Page, topPx: number) => {
    await page.waitForSelector('[data-sample], .lib-row');
    // A key press, like the mouse wheel, ends the restoration of the former place.
    await page.keyboard.press('Shift');
    const reached = page.waitForFunction(
      (top) => {
        window.scrollTo(0, top);
        return window.scrollY === top;
      },
      topPx,
      { polling: 100 },
    );
    await reached.catch(async (error: Error) => {
      throw new Error(`${error.message} ${JSON.stringify(await page.evaluate(foot))}`);
    });
  };
  /** Returns the title of the row at a height; with `near`, only if it is at most one row from that one. */
  const rowAt = ({ topPx, near }: { topPx: number; near?: string | undefined }): string | undefined => {
    const title = document
      .elementFromPoint(innerWidth / 2, topPx)
      ?.closest('.sample-row')
      ?.querySelector('.row-title p')
      ?.textContent?.trim();
    const number = (text = '') => Number(text.split(' ')[1]);
    return near === undefined || Math.abs(number(title) - number(near)) <= 1 ? title : undefined;
  };
  /** Waits for a row in the middle of the screen and returns it. */
  const middleRow = async (page: Page, near?: string): Promise<string> => {
    const topPx = (page.viewportSize()?.height ?? 0) / 2;
    const found = await page.waitForFunction(rowAt, { topPx, near }, { polling: 100 });
    return (await found.jsonValue()) as string;
  };
  const isBackAt = (page: Page, topPx: number) =>
    page.waitForFunction((top) => Math.abs(window.scrollY - top) < 16, topPx, { polling: 100 });

  it.each([
    ['1440', DESKTOP],
    ['390', PHONE],
  ])('[HDR-01] is kept by a reload, by back and by forward, %s px wide', async (_, options) => {
    const { page, errors } = await openPage(browser, product.url, options);
    await page.goto('/collections');
    await page.evaluate(
      (body) =>
        fetch('/api/auth/sign-in', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      { email: 'mira@example.com', password: PASSWORD },
    );
    const places: [string, number][] = [
      ['/discover?genre=Trap', 5_000],
      ['/search', 6_500],
      [pack, 7_000],
      ['/library', 900],
    ];
    for (const [path, topPx] of places) {
      await page.goto(path);
      await scrollTo(page, topPx);
      await page.waitForTimeout(300);
      // The row and not the scroll position, which the browser changes when an answer arrives for the parts above.
      const row = await middleRow(page);
      await page.reload();
      await middleRow(page, row);
    }
    // From a deep list to a pack, which opens at its top, then back and forward.
    await page.goto('/search');
    await scrollTo(page, 5_500);
    const row = await middleRow(page);
    await page.evaluate(() =>
      document
        .elementFromPoint(innerWidth / 2, innerHeight / 2)
        ?.closest('.sample-row')
        ?.querySelector<HTMLElement>('a.row-cover')
        ?.click(),
    );
    await page.waitForURL(`**${pack}`);
    await isBackAt(page, 0);
    await scrollTo(page, 4_000);
    const packRow = await middleRow(page);
    await page.goBack();
    await isBackAt(page, 5_500);
    await middleRow(page, row);
    // Until the place has settled, growth above may still move it.
    await page.waitForTimeout(800);
    await page.goForward();
    await middleRow(page, packRow);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('[HDR-01] is kept by a reload, also if the server takes ten seconds to answer', async () => {
    const { page, errors } = await openPage(browser, product.url, DESKTOP);
    await page.clock.install();
    await page.goto('/discover?genre=Trap');
    await scrollTo(page, 5_000);
    let answer = (): void => undefined;
    const waited = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/samples**', (route) => waited.then(() => route.continue()));
    await Promise.all([page.waitForRequest('**/api/samples**'), page.reload()]);
    await page.clock.fastForward(10_000);
    answer();
    await isBackAt(page, 5_000);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  /** Returns which controls of bars and page the toast covers, and whether the focused control is visible. */
  const lookAround = () => {
    const box = (element: Element) => element.getBoundingClientRect();
    const strip = box(document.querySelector('.toast') as Element);
    const controls = (within: string) =>
      [...document.querySelectorAll(`:is(${within}) :is(a, button, input)`)].filter((one) =>
        one.checkVisibility({ visibilityProperty: true }),
      );
    const meets = (one: Element) => box(one).bottom > strip.top + 0.5 && box(one).top < strip.bottom - 0.5;
    const isUnder = (one: Element) => {
      const { left, top, width, height } = box(one);
      return !!document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.toast');
    };
    const page = controls('main').filter((one) => box(one).bottom <= strip.top);
    return {
      isOpen: strip.height > 40 && page.length > 2,
      isPlaced:
        innerWidth < 640
          ? strip.left === 0 && strip.right === document.documentElement.clientWidth
          : strip.left === 16 && strip.width === 420,
      bars: controls('header, .player, .tab-bar').filter(meets).length,
      page: page.filter(isUnder).length,
      isFocusOpen: !document.activeElement?.matches('main *') || !meets(document.activeElement),
    };
  };
  /** Focuses a control that a strip at the foot of the page would cover. */
  const focusAtTheFoot = () => {
    window.scrollTo(0, 0);
    const bars = [...document.querySelectorAll('.player, .tab-bar')].map((one) =>
      one.getBoundingClientRect(),
    );
    const foot = Math.min(innerHeight, ...bars.filter(({ height }) => height > 0).map(({ top }) => top));
    const controls = [...document.querySelectorAll<HTMLElement>('main :is(a, button)')];
    const last = controls.find((one) => {
      const { top, bottom, height } = one.getBoundingClientRect();
      return height > 0 && bottom <= foot && top > foot - 56;
    });
    last?.focus({ preventScroll: true });
  };
  /** Navigates without a page load, as links do. */
  const goWithin = async (page: Page, path: string) => {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await page.waitForLoadState('networkidle');
  };
  const IN_THE_OPEN = { isOpen: true, isPlaced: true, bars: 0, page: 0, isFocusOpen: true };
  const WIDTHS = [390, 768, 1024, 1440];

  it('[TOAST-04] lies under no toast, at any width, with the player and without', async () => {
    const { page, errors } = await openPage(browser, product.url);
    await page.goto('/collections');
    await page.request.post('/api/auth/sign-in', { data: { email: 'mira@example.com', password: PASSWORD } });
    for (const isDocked of [false, true]) {
      await page.goto(audible, { waitUntil: 'networkidle' });
      if (isDocked)
        await page
          .getByRole('button', { name: /^Play / })
          .first()
          .click();
      for (const path of [audible, '/search', pack, '/library', '/dashboard', '/settings']) {
        await goWithin(page, path);
        await page
          .getByRole('region', { name: 'Player' })
          .waitFor({ state: isDocked ? 'visible' : 'detached' });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          // Lists lay out their rows again.
          await page.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
          );
          await page.evaluate(focusAtTheFoot);
          await page.keyboard.press('a');
          await page.locator('.toast').waitFor();
          await page.waitForFunction(() => document.documentElement.style.getPropertyValue('--news') > '0px');
          const where = { path, isDocked, width };
          let seen = await page.evaluate(lookAround);
          // The former page stays visible until the next one arrives, which then fills gradually.
          while (!seen.isOpen) {
            await page.waitForTimeout(50);
            seen = await page.evaluate(lookAround);
          }
          expect({ ...where, ...seen }).toEqual({ ...where, ...IN_THE_OPEN });
          await page.getByRole('button', { name: 'Close notification' }).click();
          await page.locator('.toast').waitFor({ state: 'detached' });
        }
      }
    }
    // The user can scroll the end of a page out from under the strip.
    await page.keyboard.press('a');
    await page.locator('.toast').waitFor();
    // Once the page has made room for the strip, its end is above it.
    await page.waitForFunction(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      const [end, strip] = ['main', '.toast'].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      return end && strip && end.bottom <= strip.top + 1;
    });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it.each([390, 1440])(
    '[TOAST-04] a dialog has all its buttons beside a toast, %i px wide',
    async (width) => {
      const { page, errors } = await openPage(browser, product.url, { viewport: { width, height: 700 } });
      await page.goto('/discover', { waitUntil: 'networkidle' });
      await page.getByRole('button', { name: 'Sign in' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create an account' }).click();
      await dialog.getByLabel('E-mail').fill('new@example.com');
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await dialog.getByLabel('Confirm password').fill('another pass phrase');
      await dialog.getByLabel('Confirm password').press('Enter');
      const toast = page.locator('.toast');
      await toast.waitFor();
      await page.waitForFunction(() => {
        const [toast, dialog] = ['.toast', '[role=dialog]'].map((one) =>
          document.querySelector(one)?.getBoundingClientRect(),
        );
        return toast && dialog && toast.top === 0 && toast.bottom <= dialog.top;
      });
      expect(errors).toEqual([]);
      await page.context().close();
    },
  );

  it('[SND-06] a row of packs is where it was left when one comes back to it', async () => {
    const { userId: creatorId } = await product.signedUp();
    for (let at = 0; at < 12; at += 1) {
      const facts = {
        packId: `side-${at}`,
        creatorId,
        name: `Side ${at}`,
        slug: `side-${at}`,
        genre: 'Soul',
        mood: 'Dark',
      } as const;
      await recordPack(product.resources.eventStore, facts, [{ title: `Side ${at}` }]);
    }
    const { page, errors } = await openPage(browser, product.url, PHONE);
    await page.goto('/sounds', { waitUntil: 'networkidle' });
    const strip = page.getByRole('region', { name: 'New releases' }).locator('.pack-strip');
    const leftPx = () => strip.evaluate((element) => element.scrollLeft);
    await strip.evaluate((element) => element.scrollTo({ left: 600 }));
    await page.waitForFunction(() => document.querySelector('.pack-strip')?.scrollLeft === 600);
    const card = strip.getByRole('article').nth(4);
    await card.getByRole('heading').getByRole('link').click();
    await page.waitForURL(/\/pack\//);
    await page.goBack();
    await strip.getByRole('article').nth(4).waitFor();
    expect(await leftPx()).toBe(600);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
