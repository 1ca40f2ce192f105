import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DESKTOP, openPage, startBrowser } from './browser.js';
import { HttpClient } from './http-client.js';
import { startTestProduct, type TestProduct } from './product.js';
import { wavOf } from './wav.js';

export const PASSWORD = 'a fine pass phrase';

/** A sound for sale: name, price and musical key. */
export interface Offered {
  name: string;
  creditCost?: number;
  key?: string;
  bpm?: number;
}

/** Publishes packs of short sounds for one creator. @returns the path of each pack's page, in order */
export async function openShop(
  product: TestProduct,
  packs: { name: string; genre: string; mood: string; sounds: Offered[] }[],
): Promise<string[]> {
  const creator = await product.signedUp(`${randomUUID()}@example.com`);
  await creator.patch('/api/me', { displayName: 'Junie Okafor' });
  await creator.becomeCreator();
  const { handle } = (await creator.get('/api/creator')).body as { handle: string };
  const paths: string[] = [];
  for (const { sounds, ...face } of packs) {
    const draft = await creator.post('/api/creator/packs', face);
    for (const [index, { name, ...meta }] of sounds.entries()) {
      const form = new FormData();
      form.append('meta', JSON.stringify(meta));
      const wav = wavOf({ seconds: 4, hertz: 220 + 30 * index });
      form.append('audio', new Blob([new Uint8Array(wav)]), `${name}.wav`);
      const path = `/api/creator/packs/${draft.body.id}/samples`;
      const added = await creator.post(path, undefined, { raw: form });
      if (added.status !== 201) throw new Error(`${name}: ${added.status} ${JSON.stringify(added.body)}`);
    }
    const published = await creator.post(`/api/creator/packs/${draft.body.id}/publish`, {});
    if (published.status >= 300) throw new Error(`${face.name}: ${published.status}`);
    paths.push(`/pack/${draft.body.slug}/${handle}`);
  }
  return paths;
}

/** Signs up a listener with credits from a promotional lot. */
export async function listenerWith(product: TestProduct, credits: number): Promise<HttpClient> {
  const listener = await product.signedUp();
  if (credits > 0) {
    const grant = { userId: listener.userId, grantId: randomUUID(), credits, grantedAt: new Date() };
    await product.resources.creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  }
  return listener;
}

/** A product with the built client, and a browser that visits it. */
export class Visits {
  product!: TestProduct;
  private browser!: Browser;
  private readonly opened: { page: Page; errors: string[] }[] = [];

  /**
   * Opens it for the tests of a file. A test fails if a page had an uncaught error or an answer of 500 or
   * more.
   */
  static forTests(settings: () => Promise<Record<string, string>> = async () => ({})): Visits {
    const visits = new Visits();
    beforeAll(async () => {
      visits.product = await startTestProduct(await settings(), { web: true });
      visits.browser = await startBrowser();
    });
    afterEach(async () => expect(await visits.close()).toEqual([]));
    afterAll(async () => {
      await visits.browser?.close();
      await visits.product?.stop();
    });
    return visits;
  }

  /** Opens a page in a new browser profile, signed in as `who`. @param browser as of `openPage` */
  async open(
    who?: HttpClient,
    options: BrowserContextOptions = DESKTOP,
    browser: Browser | 'profile' = this.browser,
  ): Promise<Page> {
    const { url } = this.product;
    const opened = await openPage(browser, url, options);
    this.opened.push(opened);
    const cookies = [...(who?.cookies ?? [])].map(([name, value]) => ({ name, value, url }));
    if (cookies.length > 0) await opened.page.context().addCookies(cookies);
    return opened.page;
  }

  /** Closes all pages. @returns the errors of these pages */
  private async close(): Promise<string[]> {
    const opened = this.opened.splice(0);
    for (const { page } of opened) await page.context().close();
    return opened.flatMap(({ errors }) => errors);
  }
}
