import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { recordPack } from '../support/catalogue.js';
import { DESKTOP, PHONE, startBrowser } from '../support/browser.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

/** Checks the page before a script runs and after hydration. */
describe('the first paint', () => {
  let product: TestProduct;
  let browser: Browser;
  let handle: string;
  let paths: string[];

  beforeAll(async () => {
    product = await startTestProduct({ PLAYLIST_URL: 'https://music.example/p' }, { web: true });
    browser = await startBrowser();
    const mira = await product.signedUp('mira@example.com');
    await mira.patch('/api/me', { displayName: 'Mira </script><b>Anand' });
    await mira.post('/api/creator/application');
    const { eventStore } = product.resources;
    const pack = { creatorId: mira.userId, genre: 'Trap', mood: 'Dark' } as const;
    const samples = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ title: `Cut ${n} <!-- "é" & '` }));
    await recordPack(eventStore, { ...pack, packId: 'late', name: 'Late & Early', slug: 'late' }, samples(3));
    await recordPack(eventStore, { ...pack, packId: 'long', name: 'Long', slug: 'long' }, samples(130));
    const [first] = (await product.browser().get('/api/packs')).body.items;
    handle = first.creator.handle;
    paths = [
      '/',
      '/#pricing',
      '/sounds',
      '/sounds?row=new-releases',
      '/sounds?utm_source=x',
      '/discover',
      '/discover?genre=Trap',
      `/pack/late/${handle}`,
      `/pack/late/${handle}?back=collections`,
      `/pack/long/${handle}`,
      `/creator/${handle}`,
      '/collection/genre-trap',
      '/collections',
      '/search',
      '/search?q=cut',
      '/swipe',
      '/auth',
      '/certificates/verify',
      '/mailing-list',
      '/no-such-page',
      '/pack/no/one',
    ];
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const html = (path: string) =>
    fetch(product.url + path, { headers: { accept: 'text/html' } }).then((answer) => answer.text());

  /** Opens a page that records its console messages. */
  async function listening(options = {}): Promise<{ page: Page; said: string[] }> {
    const context = await browser.newContext({ ...DESKTOP, ...options, baseURL: product.url });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('pageerror', (error) => said.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      // A busy machine may use prefetched files later than the browser expects, or request one again while the
      // service worker takes over the page. Neither is a fault.
      const expected =
        /Failed to load resource|WebGL|GPU|swiftshader|not used within a few seconds|cross-world service worker/i;
      if (['error', 'warning'].includes(message.type()) && !expected.test(message.text()))
        said.push(`${new URL(page.url()).pathname}: ${message.text()}`);
    });
    return { page, said };
  }

  /** Holds the client's scripts back. @returns lets them through */
  async function holdClient(page: Page): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  /** Waits until React has hydrated the screen and the header shows the signed-out state. */
  async function takenOver(page: Page): Promise<void> {
    await page.waitForFunction(() => {
      const screen = [...document.querySelectorAll('#content > *')].at(-1);
      return screen && Object.keys(screen).some((key) => key.startsWith('__reactProps'));
    });
    await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
  }

  it.each([
    ['wide and dark', { colorScheme: 'dark', timezoneId: 'Asia/Tokyo', locale: 'de-DE' }],
    ['a phone, light', { ...PHONE, colorScheme: 'light' }],
  ])('is taken over without a word in the console: %s', async (_, options) => {
    const { page, said } = await listening(options);
    for (const path of paths) {
      await page.goto(path);
      await takenOver(page).catch((error: Error) => said.push(`${path}: ${error.message}`));
    }
    expect(said).toEqual([]);
    await page.context().close();
  });

  it('shows headings, packs and links where no script runs', async () => {
    const { page } = await listening({ javaScriptEnabled: false });
    const seen = async (path: string) => {
      await page.goto(path);
      const [headings, links] = await Promise.all([
        page.locator('h1, h2, h3').allTextContents(),
        page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      ]);
      return { headings: headings.join('|'), links };
    };
    for (const path of ['/', '/sounds', '/discover', `/creator/${handle}`, '/collection/genre-trap']) {
      const { headings, links } = await seen(path);
      expect(headings).toContain('Late & Early');
      expect(links).toContain(`/pack/late/${handle}`);
    }
    const pack = await seen(`/pack/late/${handle}`);
    expect(pack.headings).toContain('Late & Early');
    expect(pack.links).toContain(`/creator/${handle}`);
    expect(await page.locator('.sample-row').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('Cut 2 <!-- "é" & \'')]),
    );
    await page.context().close();
  });

  it('[SRCH-722] shows the results of a search where no script runs, and asks for none again', async () => {
    const still = await listening({ javaScriptEnabled: false });
    await still.page.goto('/search?q=cut&genre=Trap&hasMidi=false&utm_source=x');
    expect(await still.page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Search results for "cut"',
    );
    expect(await still.page.title()).toContain('Search results for "cut"');
    expect(await still.page.locator('.sample-row').count()).toBe(50);
    await still.page.context().close();
    const { page, said } = await listening();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/search?q=cut', { waitUntil: 'networkidle' });
    await takenOver(page);
    expect(asked.filter((path) => path === '/api/samples')).toEqual([]);
    expect(said).toEqual([]);
    await page.context().close();
  });

  it('[SRCH-722] draws no more than five new searches a second', async () => {
    const startedAt = performance.now();
    const pages = await Promise.all(Array.from({ length: 12 }, (_, at) => html(`/search?q=flood${at}`)));
    const drawn = pages.filter((page) => page.includes('first-answers')).length;
    // Each second that the requests fell into has its own five.
    const seconds = 1 + Math.ceil((performance.now() - startedAt) / 1_000);
    expect(drawn).toBeGreaterThanOrEqual(5);
    expect(drawn).toBeLessThanOrEqual(5 * seconds);
  });

  it('asks nothing again that stands in the page, except for somebody signed in', async () => {
    const { page } = await listening();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/pack/late/${handle}`, { waitUntil: 'networkidle' });
    await takenOver(page);
    expect(asked.filter((path) => path.startsWith('/api/packs'))).toEqual([]);
    const visitor = await product.signedUp('nell@example.com');
    const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: product.url }));
    await page.context().addCookies(cookies);
    await Promise.all([page.waitForRequest(`**/api/packs/${handle}/late`), page.reload()]);
    await page.context().close();
  });

  it('[WEB-932] does what was pressed before the client ran as soon as it can', async () => {
    const { page } = await listening();
    const release = await holdClient(page);
    // Nothing that can be pressed is shown before the script that holds presses runs.
    await page.route('**/start.js', async (route) => {
      await page.waitForTimeout(500);
      await route.continue();
    });
    await page.goto(`/pack/late/${handle}`, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForTimeout(200);
    expect(await page.getByText('Sign in required').count()).toBe(0);
    release();
    await page.getByText('Sign in required').waitFor();
    await page.context().close();
  });

  it('[WEB-22] keeps what was typed before the client ran', async () => {
    const { page } = await listening();
    const release = await holdClient(page);
    await page.goto(`/pack/late/${handle}`, { waitUntil: 'commit' });
    const box = page.getByRole('combobox', { name: 'Search samples, packs, creators' }).first();
    await box.pressSequentially('rhodes');
    release();
    // Only the running client offers to open the account.
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    // React empties the field for a moment and then restores the typed text.
    await page.waitForFunction(
      (field) => (field as HTMLInputElement).value === 'rhodes',
      await box.elementHandle(),
    );
    await box.press('Enter');
    await page.waitForURL('**/search?q=rhodes');
    await page.context().close();
  });

  it('[WEB-932] sends a form that was filled in and sent before the client ran', async () => {
    const { page } = await listening();
    const release = await holdClient(page);
    await page.goto('/', { waitUntil: 'commit' });
    await page.getByLabel('E-mail address').fill('noor@example.com');
    await page.keyboard.press('Enter');
    release();
    await page.getByText('We sent a link to noor@example.com.').waitFor();
    await page.context().close();
  });

  it('[WEB-933] keeps what was ticked and chosen before the client ran', async () => {
    const { page } = await listening();
    const release = await holdClient(page);
    await page.goto('/search?q=cut', { waitUntil: 'commit' });
    const boxes = page.getByRole('checkbox', { name: /^Select Cut/ });
    const ticked = () =>
      boxes.evaluateAll((all) =>
        all.filter((box) => (box as HTMLInputElement).checked).map(({ ariaLabel }) => ariaLabel),
      );
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await boxes.nth(3).check();
    await boxes.nth(3).uncheck();
    await page.getByLabel('Sort by').locator('visible=true').selectOption('length');
    const before = await ticked();
    expect(before).toHaveLength(2);
    release();
    await page.getByRole('region', { name: 'Selection' }).getByText('2 picked').waitFor();
    await page.waitForURL('**/search?q=cut&sort=length');
    expect((await ticked()).toSorted()).toEqual(before.toSorted());
    await page.context().close();
  });

  it('is never behind the log', async () => {
    expect(await html('/sounds')).not.toContain('Brand new');
    const { eventStore } = product.resources;
    const pack = {
      packId: 'new',
      creatorId: 'nobody',
      name: 'Brand new',
      genre: 'Trap',
      mood: 'Dark',
    } as const;
    await recordPack(eventStore, { ...pack, creatorId: (await product.signedUp('new@example.com')).userId }, [
      {},
    ]);
    const listed = async () => JSON.stringify((await product.browser().get('/api/sounds')).body);
    while (!(await listed()).includes('Brand new')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await html('/sounds')).toContain('Brand new');
  });
});
