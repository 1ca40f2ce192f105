import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP } from '../support/browser.js';
import { openShop, Visits } from '../support/shop.js';

describe('[EMB-706] the player on another site', () => {
  const visits = Visits.forTests();
  let packId: string;
  let sampleIds: string[];
  /** Shows the frames of its query. The host name differs from the product's. */
  const blog = createServer((request, response) => {
    const frames = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('frame');
    const html = frames.map(
      (path) =>
        `<iframe sandbox="allow-scripts" src="${visits.product.url}${path}" title="${path}" width="320" height="440"></iframe>`,
    );
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Blog</title>${html}`);
  });
  const framed = async (...paths: string[]) => {
    const page = await visits.open();
    const { port } = blog.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams(paths.map((path) => ['frame', path]))}`);
    return { page, players: paths.map((path) => page.frameLocator(`iframe[title="${path}"]`)) };
  };

  beforeAll(async () => {
    await new Promise<void>((ready) => blog.listen(0, '127.0.0.1', ready));
    const sounds = ['Hum', 'Drip', 'Buzz'].map((name) => ({ name, bpm: 90 }));
    const [path = ''] = await openShop(visits.product, [
      { name: 'Night shift', genre: 'Trap', mood: 'Dark', sounds },
    ]);
    const [, , slug, handle] = path.split('/');
    const pack = (await visits.product.browser().get(`/api/packs/${handle}/${slug}`)).body;
    packId = pack.id;
    sampleIds = pack.samples.map(({ id }: { id: string }) => id);
  });
  afterAll(() => void blog.close());

  it('plays in a sandboxed frame, goes on, seeks with the keyboard and pauses', async () => {
    const { players } = await framed(`/embed/pack/${packId}`);
    const [player] = players as [(typeof players)[0]];
    await player.getByRole('button', { name: 'Play Hum' }).first().press('Enter');
    await player.getByRole('button', { name: 'Pause Hum' }).first().waitFor();
    const position = player.getByRole('slider', { name: 'Position' });
    await position.press('End');
    await player.getByRole('button', { name: 'Pause Drip' }).last().waitFor();
    expect(await position.getAttribute('aria-valuetext')).toMatch(/^0:0\d of 0:04$/);
    await player.getByRole('button', { name: 'Play Buzz' }).click();
    await player.getByRole('button', { name: 'Pause Buzz' }).first().press(' ');
    await player.getByRole('button', { name: 'Play Buzz' }).first().waitFor();
    expect(await player.getByRole('button', { name: /^Pause/ }).count()).toBe(0);
    expect(await player.getByRole('link', { name: 'Get it on Offcut' }).getAttribute('target')).toBe(
      '_blank',
    );
  });

  it('stops when another one starts', async () => {
    const page = await visits.open();
    const [first, second] = sampleIds.map((id) => `/embed/sample/${id}`) as [string, string];
    // Sandboxed frames do not hear of each other.
    await page.goto('/');
    await page.setContent(
      [first, second].map((src) => `<iframe src="${src}" title="${src}"></iframe>`).join(''),
    );
    const at = (src: string) => page.frameLocator(`iframe[title="${src}"]`);
    await at(first).getByRole('button', { name: 'Play Hum' }).click();
    await at(first).getByRole('button', { name: 'Pause Hum' }).waitFor();
    await at(second).getByRole('button', { name: 'Play Drip' }).click();
    await at(first).getByRole('button', { name: 'Play Hum' }).waitFor();
    await at(second).getByRole('button', { name: 'Pause Drip' }).waitFor();
  });

  it('says when a sound cannot be played', async () => {
    const page = await visits.open();
    await page.route('**/media/previews/**', (route) => route.abort());
    await page.goto(`/embed/sample/${sampleIds[0]}`);
    await page.getByRole('button', { name: 'Play Hum' }).click();
    await page.getByText('This sound could not be played. Try again.').waitFor();
    await page.getByRole('button', { name: 'Play Hum' }).waitFor();
  });

  it.each(['dark', 'light'] as const)('is accessible and fits 320 px in %s', async (colorScheme) => {
    const page = await visits.open(undefined, {
      ...DESKTOP,
      viewport: { width: 320, height: 440 },
      colorScheme,
    });
    for (const path of [`pack/${packId}`, `sample/${sampleIds[0]}`, 'sample/none']) {
      await page.goto(`/embed/${path}`);
      expect(await violationNames(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    }
  });
});
