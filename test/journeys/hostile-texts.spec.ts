import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { asWritten } from '../../application/shared/text.js';
import { clean, faultsOfDrawn, missingOn, openedBy } from '../support/injected.js';
import { CANARY, hostileTexts, IN_LINES, INJECTIONS, REFUSED } from '../support/hostile-texts.js';
import { recordPack } from '../support/catalogue.js';
import { keyed, type HttpAnswer, type HttpClient } from '../support/http-client.js';
import { draftPack, upload, wav } from '../support/publishing.js';
import { listenerWith, Visits } from '../support/shop.js';
import { grantRoles } from '../support/staff.js';

const COLLECTION = { genre: 'Soul', mood: 'Chill' } as const;
/** The number of sounds per pack with injections as titles. */
const SOUNDS = 50;
const shown = INJECTIONS.map(asWritten);
const names = shown.filter(({ length }) => length <= 80);

const visits = Visits.forTests();
let eve: HttpClient;
let lio: HttpClient;
let admin: HttpClient;
let mal: HttpClient;
let handle: string;
let filesSlug: string;
let complaints: string[];
const [eveName, lioName, adminName, malName] = [3, 23, 43, 63].map((at) => names[at] as string) as [
  string,
  string,
  string,
  string,
];
/** Texts that pages must show: packs with their texts, and texts of people. */
const packs: { id: string; slug: string; name: string; description: string; sounds: string[] }[] = [];
const descriptions = hostileTexts(2_000);
const statements = hostileTexts(5_000) as [string, string];
const [first, second] = statements;
const [bio = '', takedown = '', adjustment = '', suspension = '', request = '', answer = ''] =
  hostileTexts(1_000);
const details = hostileTexts(1_900);
/** Titles that the product derives from their file names. */
const uploadedNames: string[] = [];
const uploaded = [
  `'><img src=x onerror=__xss=1>`,
  `'-(__xss=1)-'`,
  "{{constructor.constructor('__xss=1')()}}",
];

const done = (answered: HttpAnswer): HttpAnswer => {
  if (answered.status >= 300) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
  return answered;
};

/** Records a pack on sale without files, then gives it hostile names. */
async function offer(name: string, description: string, sounds: string[]): Promise<void> {
  const packId = `pack${packs.length}`;
  const samples = sounds.map((_, index) => ({ title: `Plain ${index}`, tempo: 90 }));
  await recordPack(
    visits.product.resources.eventStore,
    { packId, creatorId: eve.userId, ...COLLECTION, name: packId },
    samples,
  );
  const path = `/api/creator/packs/${packId}`;
  const { slug } = done(await eve.patch(path, { name, description })).body;
  const changes = sounds.map((title, index) => ({ sampleId: `${packId}-${index}`, name: title }));
  const { refused, pack } = done(await eve.patch(`${path}/samples`, { changes })).body;
  expect(refused).toEqual([]);
  expect(pack.samples.map((sample: { name: string }) => sample.name)).toEqual(sounds);
  expect(pack).toMatchObject({ title: name, description });
  packs.push({ id: packId, slug, name, description, sounds });
}

beforeAll(async () => {
  const { product } = visits;
  const person = async (displayName: string) => {
    const client = await listenerWith(product, 5);
    expect(done(await client.patch('/api/me', { displayName })).body.user.displayName).toBe(displayName);
    return client;
  };
  [eve, lio, admin, mal] = await Promise.all([
    person(eveName),
    person(lioName),
    person(adminName),
    person(malName),
  ]);
  await grantRoles(product.resources.database, admin.userId, 'admin', 'finance');
  handle = done(await eve.becomeCreator()).body.handle;
  done(await mal.becomeCreator());
  done(await eve.put('/api/creator/profile', { bio }));
  for (let at = 0; at < shown.length; at += SOUNDS)
    await offer(names[at / 2] as string, descriptions[at / SOUNDS] ?? bio, shown.slice(at, at + SOUNDS));
  for (let at = 0; at < 8; at += 1)
    await offer(names[at * 20 + 5] as string, `${shown[at * 24 + 6]}`, [`${shown[at]}`]);
  const { id, slug } = await draftPack(eve, { name: names[100], ...COLLECTION });
  filesSlug = slug;
  const sounds: string[] = [];
  for (const name of uploaded) {
    const added = await upload(eve, `/api/creator/packs/${id}/samples`, {
      name: `${name}.wav`,
      bytes: wav(),
    });
    expect(done(added).body.sample.filename).toBe(`${name}.wav`);
    sounds.push(added.body.sample.id);
    uploadedNames.push(added.body.sample.name);
  }
  done(await eve.post(`/api/creator/packs/${id}/publish`));
  for (const sampleId of sounds)
    done(await lio.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed()));
  await writeWords();
  const { position } = await product.resources.eventStore.head();
  await product.resources.logSubscriptions.caughtUp(position, 20_000, ['catalogue-search']);
});

/** Writes texts that people and staff write about each other, and texts that an older client brings. */
async function writeWords(): Promise<void> {
  const subject = (at: number) => ({ kind: 'pack', id: packs[at]?.id });
  const good = { inGoodFaith: true, isTrue: true };
  complaints = [];
  for (const [at, statement] of statements.entries()) {
    const body = { subject: subject(at), kind: 'copyright', statement, work: bio, ...good };
    complaints.push(done(await lio.post('/api/complaints', body)).body.id);
  }
  const rejected = { decision: 'rejected', reason: answer };
  done(await admin.post(`/api/admin/complaints/${complaints[1]}/answer`, rejected, keyed()));
  for (const detail of details)
    done(await mal.post('/api/reports', { ...subject(2), reason: 'other', detail }));
  done(await admin.post('/api/admin/takedowns', { packId: packs.at(-1)?.id, reason: takedown }));
  done(
    await admin.post(
      '/api/admin/adjustments',
      { userId: lio.userId, credits: 3, reason: adjustment },
      keyed(),
    ),
  );
  done(await admin.post(`/api/admin/creators/${mal.userId}/suspend`, { reason: suspension }));
  done(await admin.post(`/api/admin/staff/${lio.userId}/roles/finance`, { reason: request }, keyed()));
  const items = shown.slice(0, 60).map((text, at) => ({
    id: `old-${at}`,
    type: 'sample',
    title: text,
    artist: names[at],
    pack: names[at + 60],
    artwork: at % 2 ? null : `//${CANARY}/${at}.png`,
    url: 'javascript:__xss=1',
  }));
  done(await lio.post('/api/library/saved/import', { items }));
  const downloads = shown
    .slice(60, 90)
    .map((text) => ({ url: text, track: text, artwork: 'javascript:__xss=1' }));
  done(await lio.post('/api/library/downloads/import', { items: downloads }));
  for (const title of shown.slice(90, 100))
    done(
      await lio.post('/api/library/history', { id: title, title, artist: title, url: 'javascript:__xss=1' }),
    );
}

describe('a text that tries to be a program', () => {
  it('[DOOR-30] is shown as it was written on pages of the shop', async () => {
    const pages = [
      ...packs
        .slice(0, -1)
        .filter(({ sounds }, at) => sounds.length > 1 || at % 4 === 0)
        .map(
          ({ slug, name, description, sounds }) =>
            [`/pack/${slug}/${handle}`, [name, description, eveName, ...sounds]] as const,
        ),
      [`/creator/${handle}`, [eveName, bio, ...packs.slice(0, -1).map(({ name }) => name)]],
      ['/sounds', packs.slice(-4, -1).map(({ name }) => name)],
      ['/sounds?row=new-releases', packs.slice(0, -1).map(({ name }) => name)],
      ['/discover', [eveName]],
      ['/collection/genre-soul', packs.slice(0, -1).map(({ name }) => name)],
      [`/search?${new URLSearchParams({ q: 'xss' })}`, [eveName]],
      [`/search?${new URLSearchParams({ q: shown[40] as string })}`, [shown[40] as string]],
      ['/swipe', []],
      [`/auth?${new URLSearchParams({ next: shown[41] as string, reset: shown[42] as string })}`, []],
      [`/no-such-page/${encodeURIComponent(shown[43] as string)}`, []],
    ] as const;
    expect(
      await openedBy(visits, undefined, pages, async (page) => {
        await suggested(page);
        for (const [path, texts] of pages.filter(([path]) => /^\/(pack|creator|collection)\//.test(path)))
          expect([path, ...(await faultsOfDrawn(page, path, texts))]).toEqual([path]);
      }),
    ).toEqual(clean(pages));
  });

  it('[DOOR-31] is shown as it was written in libraries, in the studio and to who is concerned', async () => {
    const own = packs[0] as (typeof packs)[0];
    const library = [
      ['/library?saved', [...shown.slice(0, 60), ...names.slice(0, 20)]],
      ['/library?downloads', uploadedNames],
      [`/complaint/${complaints[0]}`, [first, bio, own.name]],
      [`/complaint/${complaints[1]}`, [second, answer]],
      ['/settings?tab=credits', []],
      ['/settings', [lioName]],
    ] as const;
    expect(await openedBy(visits, lio, library)).toEqual(clean(library));
    const studio = [
      ['/dashboard', packs.map(({ name }) => name)],
      ['/dashboard?tab=profile', [eveName, bio]],
      [`/creator-pack/${own.slug}`, [own.name, own.description, ...own.sounds]],
      [`/creator-pack/${filesSlug}`, uploadedNames],
      [`/creator-pack/${packs.at(-1)?.slug}`, [takedown]],
      [`/complaint/${complaints[0]}`, [lioName, first]],
    ] as const;
    expect(await openedBy(visits, eve, studio)).toEqual(clean(studio));
    const suspended = [['/dashboard', [suspension]]] as const;
    expect(await openedBy(visits, mal, suspended)).toEqual(clean(suspended));
  });

  it('[DOOR-32] is shown as it was written to staff', async () => {
    const pages = [
      ['/admin/credits', []],
      ['/admin/approvals', [lioName, adminName, request]],
      ['/admin/audit', [takedown, adjustment, suspension, request]],
      ['/admin/reports', details],
      [`/admin/complaints?complaint=${complaints[0]}`, [lioName, eveName, first, `${packs[0]?.name}`]],
      [`/admin/complaints?complaint=${complaints[1]}&state=closed`, [second, answer]],
      ['/admin/mails', []],
      ['/admin/roles', [adminName]],
      ['/finance/approvals', []],
    ] as const;
    const creators = async (page: Page) => {
      for (const [status, texts] of [
        ['Approved', [eveName]],
        ['Suspended', [malName, suspension]],
      ] as const) {
        await page.getByText(status, { exact: true }).first().click();
        expect(await missingOn(page, texts)).toEqual([]);
      }
    };
    expect(await openedBy(visits, admin, [...pages, ['/admin', []]], creators)).toEqual(
      clean([...pages, ['/admin', []]]),
    );
  });

  it('[DOOR-33] is refused as a name, and in every text, where it has what cannot be seen', async () => {
    const { id } = await draftPack(eve);
    const refused = async (texts: readonly string[], send: (text: string) => Promise<HttpAnswer>) => {
      const answers = await Promise.all(texts.map(send));
      expect(answers.map(({ status, body }, at) => [texts[at], status, body.code])).toEqual(
        texts.map((text) => [text, 400, 'InvalidRequest']),
      );
    };
    const pack = `/api/creator/packs/${id}`;
    const names = [...IN_LINES, ...REFUSED];
    await refused(names, (name) => eve.patch(pack, { name }));
    await refused(names, (displayName) => eve.patch('/api/me', { displayName }));
    await refused(names, (name) => eve.post('/api/creator/packs', { ...COLLECTION, name }));
    await refused(REFUSED, (description) => eve.patch(pack, { description }));
    await refused(REFUSED, (text) => eve.put('/api/creator/profile', { bio: text }));
    await refused(REFUSED, (detail) =>
      mal.post('/api/reports', { kind: 'pack', id, reason: 'other', detail }),
    );
    await refused(REFUSED, (reason) => admin.post('/api/admin/takedowns', { packId: id, reason }));
    // A link must lead to a page of its network.
    for (const network of ['twitter', 'instagram', 'tiktok', 'youtube'])
      await refused(
        INJECTIONS.filter((text) => /^(javascript|vbscript|data|blob|\/|<|")/i.test(text)),
        (link) => eve.put('/api/creator/profile', { [network]: link }),
      );
  });
});

/** Types titles into the header's search box. */
async function suggested(page: Page): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Search samples, packs, creators' });
  for (const text of ['<script', '"><', 'javascript:', '{{constr']) {
    await box.fill(text);
    await page.getByRole('option').filter({ hasText: text }).first().waitFor();
  }
}
