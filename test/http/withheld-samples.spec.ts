import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ReturnPurchases } from '../../application/purchases/return-purchases.js';
import { TakeDownSample } from '../../application/publishing/takedowns.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { HoldSample, RefuseSample, ReleaseSample } from '../../application/publishing/decide-on-sample.js';
import type { StatusCause } from '../../domain/publishing/sample-status.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { listenerWith } from '../support/shop.js';
import { wavOf } from '../support/wav.js';

let product: TestProduct;
let admin: HttpClient;
let creator: HttpClient;
let listener: HttpClient;
let visitor: HttpClient;
let commands: CommandBus;
let hertz = 100;
let pack: { id: string; slug: string; handle: string };
/** The ids of the pack's three samples. */
let sounds: string[];
let because: StatusCause;

const path = (rest = '') => `/api/creator/packs/${pack.id}${rest}`;
const upload = async (
  client: HttpClient,
  to: string,
  name: string,
  bytes: Buffer,
  method: 'post' | 'put' = 'post',
) => {
  const form = new FormData();
  form.append('audio', new Blob([new Uint8Array(bytes)]), `${name}.wav`);
  return client[method](to, undefined, { raw: form });
};
const sound = () => wavOf({ seconds: 1, hertz: (hertz += 7) });
const buy = (client: HttpClient, sampleId: string) =>
  client.post(
    '/api/downloads',
    { sampleId, expectedCredits: 1 },
    { headers: { 'idempotency-key': randomUUID() } },
  );
const own = async (sampleId: string) => {
  const { samples } = (await creator.get(path())).body as { samples: Record<string, unknown>[] };
  return samples.find(({ id }) => id === sampleId);
};
const previewOf = async (sampleId: string) => String((await own(sampleId))?.previewUrl);
const hold = (sampleId: string, why = because) =>
  commands.execute(new HoldSample({ sampleId }, why, admin.userId));
/** Waits until pack.json, which a reactor writes, has this many samples. */
const settledAt = async (count: number) => {
  while ((await mirrored()).length !== count) await pause(50);
};
/** Returns the pack's samples in each public list. */
async function shown() {
  const page = (await visitor.get(`/api/packs/${pack.handle}/${pack.slug}`)).body;
  const card = (await visitor.get('/api/packs?limit=100')).body.items.find(
    ({ id }: { id: string }) => id === pack.id,
  );
  const among = (items: { id: string }[]) => sounds.filter((each) => items.some(({ id }) => id === each));
  const named = await Promise.all(
    sounds.map(async (each) => (await visitor.get(`/api/samples/${each}`)).body.code ?? 'found'),
  );
  return {
    page: among(page.samples),
    count: page.sampleCount as number,
    card: (card?.sampleCount as number | undefined) ?? 'not listed',
    search: among((await visitor.get(`/api/samples?limit=100`)).body.items),
    creator: among((await visitor.get(`/api/creators/${pack.handle}`)).body.samples),
    named,
  };
}
/** The same, after the search has caught up. */
async function shownAfter() {
  const { position } = await product.resources.eventStore.head();
  await product.resources.logSubscriptions.caughtUp(position, 20_000, ['catalogue-search']);
  return shown();
}
/** Returns the samples in pack.json, which is public. */
const mirrored = async () => {
  const bucket = `bucket=Sounds&path=${encodeURIComponent(`Users/${pack.handle}/Packs/${pack.slug}/pack.json`)}`;
  const { samples = [] } = (await visitor.get(`/api/storage/object?${bucket}`)).body as {
    samples?: { id: string }[];
  };
  return samples.map(({ id }) => id);
};

beforeAll(async () => {
  product = await startTestProduct();
  commands = product.app.get(CommandBus, { strict: false });
  admin = await product.signedUp();
  await grantRoles(product.resources.database, admin.userId, 'admin');
  visitor = product.browser();
});
afterAll(() => product?.stop());

beforeEach(async () => {
  because = { kind: 'copy', id: randomUUID() };
  [creator, listener] = [await product.signedUp(), await listenerWith(product, 20)];
  await creator.becomeCreator();
  const draft = (await creator.post('/api/creator/packs', { name: 'Three', genre: 'Soul', mood: 'Chill' }))
    .body;
  pack = { id: draft.id, slug: draft.slug, handle: draft.creatorHandle };
  sounds = [];
  for (const name of ['One', 'Two', 'Three'])
    sounds.push((await upload(creator, path('/samples'), name, sound())).body.sample.id);
  expect((await creator.post(path('/publish'), {})).status).toBe(200);
});

describe('a sample that is held', () => {
  it('[RIGHT-03] leaves every list at once and comes back when it is released', async () => {
    const [first, ...others] = sounds as [string, string, string];
    await hold(first);
    const without = {
      page: others,
      count: 2,
      card: 2,
      search: others,
      creator: others,
      named: ['SampleNotAvailable', 'found', 'found'],
    };
    expect(await shownAfter()).toEqual(without);
    await settledAt(2);
    expect(await mirrored()).toEqual(others);
    expect(await buy(listener, first)).toMatchObject({ status: 404, body: { code: 'SampleNotAvailable' } });
    expect(await own(first)).toMatchObject({ status: 'held', statusReason: null });
    expect((await creator.get(path())).body).toMatchObject({ sampleCount: 3, status: 'published' });
    await commands.execute(new ReleaseSample(first, because, admin.userId));
    expect(await shownAfter()).toMatchObject({
      page: sounds,
      count: 3,
      card: 3,
      named: ['found', 'found', 'found'],
    });
    expect((await buy(listener, first)).status).toBe(201);
  });

  it('[RIGHT-06] plays for its creator, its buyers and administrators alone', async () => {
    const [first] = sounds as [string];
    await buy(listener, first);
    const preview = await previewOf(first);
    await hold(first);
    const answers = async () => {
      const all = [visitor, await product.signedUp(), creator, listener, admin].map((who) =>
        who.get(preview),
      );
      return (await Promise.all(all)).map(({ status, headers }) => [status, headers.get('cache-control')]);
    };
    const mine = [200, 'private, no-cache'];
    expect(await answers()).toEqual([[404, 'no-store'], [404, 'no-store'], mine, mine, mine]);
    // Buyers keep it.
    expect((await listener.get('/api/library/downloads')).body.items).toHaveLength(1);
    expect((await buy(listener, first)).status).toBe(200);
  });

  it('[RIGHT-03] the only ones of a pack take it off the lists; the page stays', async () => {
    for (const each of sounds) await hold(each);
    expect(await shownAfter()).toMatchObject({
      page: [],
      count: 0,
      card: 'not listed',
      search: [],
      creator: [],
    });
    expect((await visitor.get('/sitemap.xml')).body).not.toContain(pack.slug);
    await creator.post(path('/unpublish'), {});
    expect(await creator.post(path('/publish'), {})).toMatchObject({
      status: 409,
      body: { code: 'DuplicateSuspected', sampleId: sounds[0], name: 'One' },
    });
  });

  it('[RIGHT-02] is free with other audio; the same recording does not come back as another sample', async () => {
    const bytes = sound();
    const added = await upload(creator, path('/samples'), 'Four', bytes);
    const { id } = added.body.sample;
    await hold(id);
    expect(await upload(creator, path('/samples'), 'Five', bytes)).toMatchObject({
      status: 409,
      body: { code: 'DuplicateSuspected', name: 'Five' },
    });
    expect((await upload(creator, path(`/samples/${id}/audio`), 'Other', sound(), 'put')).status).toBe(200);
    expect(await own(id)).toMatchObject({ status: 'free' });
    expect((await visitor.get(`/api/samples/${id}`)).status).toBe(200);
    expect(await upload(creator, path('/samples'), 'Six', bytes)).toMatchObject({ status: 409 });
    expect((await upload(creator, path(`/samples/${id}/audio`), 'Back', bytes, 'put')).status).toBe(200);
    expect(await own(id)).toMatchObject({ status: 'held' });
  });

  it('[RIGHT-05] is sold once that is allowed, though another creator published the same', async () => {
    const grace = await product.signedUp();
    await grace.becomeCreator();
    const draft = (await grace.post('/api/creator/packs', { name: 'Hers', genre: 'Soul', mood: 'Chill' }))
      .body;
    const bytes = sound();
    await upload(creator, path('/samples'), 'First', bytes);
    const { id } = (await upload(grace, `/api/creator/packs/${draft.id}/samples`, 'Bought', bytes)).body
      .sample;
    const publish = () => grace.post(`/api/creator/packs/${draft.id}/publish`, {});
    expect((await publish()).body.code).toBe('DuplicateAudio');
    await hold(id);
    expect((await publish()).body.code).toBe('DuplicateSuspected');
    await commands.execute(new ReleaseSample(id, because, admin.userId, { allowed: true }));
    expect((await publish()).status).toBe(200);
  });
});

describe('a sample that is refused', () => {
  it('[RIGHT-04] is not sold, stays with its buyers, and its creator reads why', async () => {
    const [first] = sounds as [string];
    await buy(listener, first);
    await commands.execute(new RefuseSample({ sampleId: first }, because, admin.userId, 'It is Ben’s'));
    expect(await own(first)).toMatchObject({ status: 'refused', statusReason: 'It is Ben’s' });
    expect((await buy(listener, first)).status).toBe(200);
    expect((await buy(admin, first)).status).toBe(404);
    expect((await creator.delete(path(`/samples/${first}`))).status).toBe(204);
    // The reason is stored outside the log.
    const { rows } = await product.resources.database.pool.query(
      `select data::text as data from event where stream = $1 and type = 'SampleRefused'`,
      [`pack-${pack.id}`],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].data).not.toContain('Ben');
  });
});

describe('a sample that is taken down', () => {
  const takeDown = (sampleId: string) =>
    admin.post('/api/admin/takedowns', { sampleId, reason: 'Not theirs to sell' });

  it('[RIGHT-07] [NEWS-707] is gone for everybody, its buyers have their credits and certificates, the others are sold', async () => {
    const [first, second] = sounds as [string, string];
    const bought = await buy(listener, first);
    await buy(listener, second);
    const preview = await previewOf(first);
    expect(await takeDown(first)).toMatchObject({
      status: 201,
      body: { sampleId: first, status: 'taken_down', purchasesReturned: 1, purchasesWaiting: 0 },
    });
    expect((await takeDown(first)).body).toMatchObject({ purchasesReturned: 0 });
    const { eventStore, logSubscriptions } = product.resources;
    await logSubscriptions.caughtUp((await eventStore.head()).position, 20_000, ['decision-notices']);
    const { items } = (await creator.get('/api/inbox')).body;
    expect(items.map(({ text }: { text: string }) => text)).toContainEqual(
      expect.stringMatching(/^“.+” was taken down$/),
    );
    expect((await listener.get('/api/credits')).body.balance).toBe(19);
    for (const who of [visitor, listener, creator, admin]) {
      expect(await who.get(preview)).toMatchObject({ status: 410, body: { code: 'TakenDown' } });
      expect(await who.get(`/api/samples/${first}`)).toMatchObject({
        status: 410,
        body: { code: 'TakenDown' },
      });
    }
    // Other answers do not contain its waveform either.
    for (const answered of [`/api/samples/${first}`, `/api/samples/${first}/similar`]) {
      const { status, body } = await visitor.get(answered);
      expect([answered, status, JSON.stringify(body).includes('waveform')]).toEqual([answered, 410, false]);
    }
    expect((await buy(listener, first)).status).toBe(410);
    expect((await buy(listener, second)).status).toBe(200);
    expect((await listener.get(`/api/certificates/${bought.body.certificateId}`)).status).toBe(200);
    expect((await listener.get('/api/library/downloads')).body.items).toHaveLength(1);
    expect(await shownAfter()).toMatchObject({ count: 2, card: 2, named: ['TakenDown', 'found', 'found'] });
    expect(await own(first)).toMatchObject({ status: 'taken_down', statusReason: 'Not theirs to sell' });
    expect(await creator.delete(path(`/samples/${first}`))).toMatchObject({
      status: 409,
      body: { code: 'SampleTakenDown', sampleId: first },
    });
    await settledAt(2);
  });

  it('[RIGHT-07] also after it left its pack, and its pack was deleted', async () => {
    const [first, second] = sounds as [string, string];
    for (const each of [first, second]) await buy(listener, each);
    await creator.delete(path(`/samples/${first}`));
    await creator.delete(path());
    for (const each of [first, second])
      expect((await takeDown(each)).body).toMatchObject({ purchasesReturned: 1 });
    expect((await listener.get('/api/credits')).body.balance).toBe(20);
    expect((await buy(listener, second)).status).toBe(410);
  });

  it('[RIGHT-07] undoes purchases that were being made, by the reactor and by the sweep', async () => {
    const [first] = sounds as [string];
    await buy(listener, first);
    const { pool } = product.resources.database;
    await pool.query('update sample set taken_down = true where sample_id = $1', [first]);
    const returns = product.app.get(ReturnPurchases, { strict: false });
    expect(await returns.sweep()).toBe(1);
    await pool.query('update sample set taken_down = false where sample_id = $1', [first]);
    await buy(listener, first);
    await commands.execute(new TakeDownSample(first, 'Not theirs', admin.userId, { because }));
    expect((await listener.get('/api/credits')).body.balance).toBe(20);
  });

  it('[RIGHT-07] comes back by a release for the same reason alone, without the purchases', async () => {
    const [first] = sounds as [string];
    await buy(listener, first);
    await commands.execute(new TakeDownSample(first, 'Not theirs', admin.userId, { because }));
    await commands.execute(new ReleaseSample(first, { kind: 'copy', id: 'another' }, admin.userId));
    expect((await visitor.get(`/api/samples/${first}`)).status).toBe(410);
    await commands.execute(new ReleaseSample(first, because, admin.userId));
    expect((await visitor.get(`/api/samples/${first}`)).status).toBe(200);
    expect((await buy(listener, first)).status).toBe(201);
  });

  it('[RIGHT-07] is refused for a sample that is not there, and for both at once', async () => {
    expect((await takeDown('nothing')).status).toBe(404);
    const both = { sampleId: sounds[0], packId: pack.id, reason: 'Whatever' };
    expect((await admin.post('/api/admin/takedowns', both)).status).toBe(400);
    expect((await creator.post('/api/admin/takedowns', both)).status).toBe(403);
  });

  it('[RIGHT-08] read models are what a rebuild gives', async () => {
    const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });
});
