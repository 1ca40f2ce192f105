import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DESKTOP } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import type { TestProduct } from '../support/product.js';
import { Visits } from '../support/shop.js';
import { wavOf } from '../support/wav.js';
import { valueOnce } from '../support/until.js';

const PACK = '/pack/kitchen-table-soul/Junie_Okafor';

/** Every page by its address, in a real browser against the real product. */
describe('pages', () => {
  let product: TestProduct;
  let creator: HttpClient;
  let packId: string;
  const visits = Visits.forTests();

  beforeAll(async () => {
    ({ product } = visits);
    creator = await product.signedUp('junie@example.com');
    await creator.patch('/api/me', { displayName: 'Junie Okafor' });
    await creator.becomeCreator();
    await creator.get('/api/creator');
    const draft = await creator.post('/api/creator/packs', {
      name: 'Kitchen Table Soul',
      genre: 'Soul',
      mood: 'Nostalgic',
    });
    packId = draft.body.id;
    const form = new FormData();
    form.append('meta', '{}');
    form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 3, hertz: 220 }))]), 'Only.wav');
    const added = await creator.post(`/api/creator/packs/${packId}/samples`, undefined, { raw: form });
    expect(added.status).toBe(201);
    expect((await creator.post(`/api/creator/packs/${packId}/publish`, {})).status).toBeLessThan(300);
  });

  const arrive = (client?: HttpClient, options = {}) => visits.open(client, { ...DESKTOP, ...options });
  /** Checks a page opened by its address, and again after a reload. */
  const headingsOf = async (page: Page, path: string, wanted: RegExp) => {
    const heading = page.getByRole('heading', { level: 1, name: wanted });
    const answer = await page.goto(path);
    await heading.waitFor({ state: 'attached' });
    const first = { status: answer?.status(), at: new URL(page.url()).pathname };
    await page.reload();
    await heading.waitFor({ state: 'attached' });
    return { first, reloadedAt: new URL(page.url()).pathname };
  };

  it.each([
    ['/', /Take the leftovers/],
    ['/sounds', /Sounds/],
    ['/discover', /Discover/],
    ['/search', /All Tracks/],
    [PACK, /Kitchen Table Soul/],
    ['/collections', /Browse Collections/],
    ['/collection/genre-soul', /Soul/],
    ['/creator/Junie_Okafor', /Junie Okafor/],
    ['/swipe', /Swipe/],
    ['/auth', /Welcome|Sign in/i],
  ])('[HDR-01] a visitor opens %s by its address, and reloads it', async (path, heading) => {
    const page = await arrive();
    const found = await headingsOf(page, path, heading);
    expect(found).toEqual({ first: { status: 200, at: path }, reloadedAt: path });
  });

  it.each([
    ['/library', /Library/],
    ['/settings', /Settings/],
  ])('[HDR-01] somebody signed in opens %s by its address, and reloads it', async (path, heading) => {
    const page = await arrive(creator);
    const found = await headingsOf(page, path, heading);
    expect(found).toEqual({ first: { status: 200, at: path }, reloadedAt: path });
  });

  it.each([
    ['/dashboard', /Creator Dashboard|Dashboard/],
    ['/creator-pack/kitchen-table-soul', /Kitchen Table Soul/],
    ['/earnings', /Sales|Earnings/],
    ['/clear-cache', /Clear cache/],
  ])('[HDR-02] %s opens by its address, and is there after a reload', async (path, heading) => {
    const page = await arrive(creator);
    const found = await headingsOf(page, path, heading);
    expect(found).toEqual({ first: { status: 200, at: path }, reloadedAt: path });
  });

  it.each(['/no-such-page', '/sounds/more', '/pack/a/b/c'])(
    '[HDR-02] %s shows the 404 page',
    async (path) => {
      const page = await arrive();
      const answer = await page.goto(path);
      await page.getByText('Oops! Page not found').waitFor();
      expect(answer?.status()).toBe(404);
    },
  );

  it('[FLU-01, FLU-02] dye is stirred on the home page only, under every control', async () => {
    const page = await arrive();
    await page.goto('/');
    const canvas = page.locator('.fluid canvas');
    await canvas.waitFor({ state: 'attached' });
    const box = await page.evaluate(() => {
      const rect = document.querySelector('.fluid')?.getBoundingClientRect();
      return [rect?.width, rect?.height, innerWidth, innerHeight];
    });
    expect(box.slice(0, 2)).toEqual(box.slice(2));
    await page.mouse.move(300, 900);
    await page.mouse.move(500, 820, { steps: 4 });
    // The canvas takes no clicks, so the link below it works.
    await page.getByRole('link', { name: 'Explore Sounds' }).click();
    await page.waitForURL('**/sounds');
    await page.locator('canvas').waitFor({ state: 'detached' });
  });

  it('[FLU-01] a browser without WebGL shows the page without it', async () => {
    const page = await arrive();
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    const warned = page.waitForEvent('console', (message) => message.text().includes('WebGL'));
    await page.goto('/');
    expect((await warned).type()).toBe('warning');
    expect(await page.locator('canvas').count()).toBe(0);
  });

  it('[ROW-06] a track has mood and genre of its pack, its own key and instruments, and costs 1 by default', async () => {
    const [sample] = (await creator.get('/api/samples')).body.items;
    expect(sample).toMatchObject({ genre: 'Soul', mood: 'Nostalgic', creditCost: 1, isRoyaltyFree: true });
    const changed = await creator.patch(`/api/creator/packs/${packId}/samples/${sample.id}`, {
      key: 'F# Minor',
      instruments: ['Piano', 'Bass'],
      isRoyaltyFree: false,
    });
    expect(changed.status).toBe(200);
    const pack = await creator.patch(`/api/creator/packs/${packId}`, { mood: 'Dark' });
    expect(pack.status).toBe(200);
    const [after] = await valueOnce(
      async () => (await creator.get('/api/samples')).body.items,
      ([first]) => first.mood === 'Dark' && first.key === 'F# Minor',
    );
    expect(after).toMatchObject({
      genre: 'Soul',
      mood: 'Dark',
      key: 'F# Minor',
      instruments: ['Piano', 'Bass'],
      isRoyaltyFree: false,
      artworkUrl: (await creator.get(`/api/packs/Junie_Okafor/kitchen-table-soul`)).body.artworkUrl,
    });
  });
});
