import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { listenerWith, openShop, Visits } from '../support/shop.js';

/** A CDN with its own host name. It requests the same paths from the product and forwards the answers. */
class Cdn {
  readonly asked: string[] = [];
  /** Paths that it answers with 404, as if they needed a session. */
  lacks = (_path: string): boolean => false;
  origin = '';
  private readonly server: Server = createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? '').replace(/^\/offcut/, '');
      this.asked.push(path);
      // Like the product's own refusal, other origins may read it.
      if (this.lacks(path)) return response.writeHead(404, { 'access-control-allow-origin': '*' }).end();
      const { range } = request.headers;
      const answer = await fetch(this.origin + path, { headers: range ? { range } : {} });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
      else response.end();
    })().catch(() => response.destroy());
  });

  async open(): Promise<string> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/offcut`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('[OPS-208] with MEDIA_BASE_URL', () => {
  const cdn = new Cdn();
  let base: string;
  let path: string;
  const visits = Visits.forTests(async () => ({ MEDIA_BASE_URL: `${(base = await cdn.open())}/` }));

  beforeAll(async () => {
    cdn.origin = visits.product.url;
    const sounds = ['Hum', 'Drip'].map((name) => ({ name, bpm: 90 }));
    [path = ''] = await openShop(visits.product, [
      { name: 'Night shift', genre: 'Trap', mood: 'Dark', sounds },
    ]);
  });
  afterAll(() => cdn.close());

  /** Returns the previews and pictures that a page requested from this site. */
  const askedHere = (page: Page): string[] => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin === visits.product.url && url.pathname.startsWith('/media/')) asked.push(url.pathname);
    });
    return asked;
  };
  const shown = (page: Page) =>
    page.waitForFunction(() => {
      const [picture] = [...document.querySelectorAll<HTMLImageElement>('main .cover img')];
      return picture?.complete && picture.naturalWidth > 0 && picture.currentSrc;
    });
  const play = async (page: Page) => {
    await page.getByRole('button', { name: 'Play Hum' }).first().click();
    await page.getByRole('button', { name: 'Pause Hum' }).first().waitFor();
    await page.waitForFunction(() => {
      const input = document.querySelector<HTMLInputElement>('[aria-label="Position in the preview"]');
      return Number(input?.value) > 0;
    });
  };

  it('pages fetch pictures and previews from there, whether the server drew them or not', async () => {
    const html = await (await fetch(visits.product.url + path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(`srcSet="${base}/media/covers/`);
    expect(html).toContain(`imagesrcset="${base}/media/covers/`);
    expect(html).toContain(`<meta property="og:image" content="${base}/media/covers/`);
    expect(html).not.toMatch(/="\/media\//);
    const page = await visits.open();
    const here = askedHere(page);
    await page.goto(path);
    expect(await (await shown(page)).jsonValue()).toContain(`${base}/media/covers/`);
    await play(page);
    expect(cdn.asked).toContainEqual(expect.stringMatching(/^\/media\/previews\//));
    expect(here).toEqual([]);
  });

  it('this site gives what is not there', async () => {
    cdn.lacks = () => true;
    const page = await visits.open();
    await page.goto(path);
    expect(await (await shown(page)).jsonValue()).toContain(`${visits.product.url}/media/covers/`);
    await play(page);
    cdn.lacks = () => false;
  });

  it('downloads never go there', async () => {
    const listener = await listenerWith(visits.product, 5);
    const slug = path.split('/')[2];
    const [pack] = (await listener.get('/api/packs')).body.items.filter(
      (each: { slug: string }) => each.slug === slug,
    );
    const { samples } = (await listener.get(`/api/packs/${pack.creator.handle}/${slug}`)).body;
    const bought = await listener.post(
      '/api/downloads',
      { sampleId: samples[0].id, expectedCredits: 1 },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    expect(bought.status).toBe(201);
    expect(JSON.stringify(bought.body)).not.toContain(base);
    expect(cdn.asked.filter((each) => !/^\/media\/(?:previews|covers|avatars)\//.test(each))).toEqual([]);
  });

  it('the policies of pages and of these answers allow it, and nothing else more', async () => {
    const { origin } = new URL(base);
    const policyOf = async (at: string) => (await fetch(visits.product.url + at)).headers;
    const policy = (await policyOf('/healthz')).get('content-security-policy') ?? '';
    const allowing = policy.split(';').filter((directive) => directive.includes(origin));
    expect(allowing.map((directive) => directive.split(' ')[0]).toSorted()).toEqual([
      'connect-src',
      'img-src',
      'media-src',
    ]);
    const cover = cdn.asked.find((each) => each.startsWith('/media/covers/')) ?? '';
    const open = await policyOf(cover);
    expect([open.get('cross-origin-resource-policy'), open.get('access-control-allow-origin')]).toEqual([
      'cross-origin',
      '*',
    ]);
    for (const at of ['/api/credits', '/media/signed/x']) {
      const closed = await policyOf(at);
      expect([closed.get('cross-origin-resource-policy'), closed.get('access-control-allow-origin')]).toEqual(
        ['same-origin', null],
      );
    }
  });
});
