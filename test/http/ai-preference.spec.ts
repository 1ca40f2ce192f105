import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { PublishPack } from '../../application/publishing/publish-pack.js';
import { licenceText } from '../../application/purchases/licence.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith } from '../support/shop.js';
import { wavOf } from '../support/wav.js';
import { LIMIT_MS } from '../support/until.js';

let product: TestProduct;
let creator: HttpClient;
let listener: HttpClient;
let visitor: HttpClient;
let pack: { id: string; slug: string; handle: string };
let sounds: { id: string; previewUrl: string }[];

const sql = async (text: string, values: unknown[] = []) =>
  (await product.resources.database.pool.query(text, values)).rows;
const allow = (trains: unknown) => creator.put('/api/creator/ai-preference', { trains });
const catchUp = async () => {
  const { eventStore, logSubscriptions } = product.resources;
  expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
};
const buy = async (sampleId: string) => {
  const key = { headers: { 'idempotency-key': randomUUID() } };
  return (await listener.post('/api/downloads', { sampleId, expectedCredits: 1 }, key)).body
    .certificateId as string;
};

beforeAll(async () => {
  product = await startTestProduct();
  [creator, listener, visitor] = [
    await product.signedUp(),
    await listenerWith(product, 20),
    product.browser(),
  ];
  await creator.becomeCreator();
  const draft = (await creator.post('/api/creator/packs', { name: 'Two', genre: 'Soul', mood: 'Chill' }))
    .body;
  pack = { id: draft.id, slug: draft.slug, handle: draft.creatorHandle };
  sounds = [];
  for (const hertz of [200, 300, 400]) {
    const form = new FormData();
    form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 1, hertz }))]), `${hertz}.wav`);
    sounds.push(
      (await creator.post(`/api/creator/packs/${pack.id}/samples`, undefined, { raw: form })).body.sample,
    );
  }
  await creator.post(`/api/creator/packs/${pack.id}/publish`, {});
});
afterAll(() => product?.stop());

describe('training models with sounds', () => {
  /** Returns the preference in each public answer, and the headers that repeat it. */
  const said = async () => {
    const paths = [
      `/api/packs/${pack.handle}/${pack.slug}`,
      `/api/creators/${pack.handle}`,
      `/api/samples/${sounds[0]?.id}`,
      String(sounds[0]?.previewUrl),
    ];
    const [page, person, sample, preview] = await Promise.all(paths.map((path) => visitor.get(path)));
    const listed = (await visitor.get('/api/samples?limit=1')).body.items[0];
    return {
      said: [page, sample]
        .map((answer) => answer?.body.creator.aiTraining)
        .concat(person?.body.aiTraining, listed.creator.aiTraining),
      headers: [page, person, sample, preview].map((answer) => answer?.headers.get('tdm-reservation')),
      signals: [
        ...new Set([page, person, sample, preview].map((answer) => answer?.headers.get('content-signal'))),
      ],
    };
  };
  const reserved = {
    said: [false, false, false, false],
    headers: ['1', '1', '1', '1'],
    signals: ['search=yes, ai-train=no'],
  };
  const open = {
    said: [true, true, true, true],
    headers: ['0', '0', '0', '0'],
    signals: ['search=yes, ai-train=yes'],
  };

  it('[RIGHT-09] is not allowed until the creator says so, and again not when they say that', async () => {
    expect((await creator.get('/api/creator/ai-preference')).body).toEqual({ trains: false });
    expect(await said()).toEqual(reserved);
    expect(await allow(true)).toMatchObject({ status: 200, body: { trains: true } });
    await allow(true);
    expect(await said()).toEqual(open);
    await allow(false);
    expect(await said()).toEqual(reserved);
    const events = await sql(`select type, data->>'trains' as trains from event where stream = $1`, [
      `ai-preference-${creator.userId}`,
    ]);
    expect(events).toEqual([
      { type: 'AiPreferenceSet', trains: 'true' },
      { type: 'AiPreferenceSet', trains: 'false' },
    ]);
    expect((await allow('yes')).status).toBe(400);
    expect((await visitor.put('/api/creator/ai-preference', { trains: true })).status).toBe(401);
  });

  it('[RIGHT-10] robots.txt, tdmrep.json and pack.json say it, too', async () => {
    const robots = String((await visitor.get('/robots.txt')).body);
    expect(robots).toMatch(
      /^User-agent: \*\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\n/,
    );
    const rules = async () => (await visitor.get('/.well-known/tdmrep.json')).body;
    const policy = expect.stringMatching(/\/tdm-policy\.json$/);
    expect(await rules()).toEqual([{ location: '/', 'tdm-reservation': 1, 'tdm-policy': policy }]);
    await allow(true);
    expect(await rules()).toMatchObject([
      { location: `/creator/${pack.handle}`, 'tdm-reservation': 0 },
      { location: `/pack/*/${pack.handle}`, 'tdm-reservation': 0 },
      { location: '/', 'tdm-reservation': 1 },
    ]);
    expect((await visitor.get('/tdm-policy.json')).headers.get('content-type')).toContain(
      'application/ld+json',
    );
    const file = `bucket=Sounds&path=${encodeURIComponent(`Users/${pack.handle}/Packs/${pack.slug}/pack.json`)}`;
    const mirrored = async () => (await visitor.get(`/api/storage/object?${file}`)).body.aiTraining;
    while ((await mirrored()) !== true) await pause(50);
    await allow(false);
    while ((await mirrored()) !== false) await pause(50);
  });
});

describe('the licence', () => {
  it('[RIGHT-11] names the version that was given when the sound was bought, however late it is written', async () => {
    await allow(true);
    await sql(`update licence set since = now() + interval '1 day' where version = '1.1'`);
    const before = await buy(String(sounds[0]?.id));
    const read = async (id: string) => (await listener.get(`/api/certificates/${id}`)).body;
    const old = await read(before);
    expect(old.licenceVersion).toBe('1.0');
    expect(old).not.toHaveProperty('aiTraining');
    await sql(`update licence set since = now() where version = '1.1'`);
    await sql('delete from certificate where certificate_id = $1', [before]);
    expect(await read(before)).toEqual(old);
    const newer = await buy(String(sounds[1]?.id));
    const allowed = await read(newer);
    expect(allowed).toMatchObject({ licenceVersion: '1.1', aiTraining: true });
    await allow(false);
    // A certificate keeps the permission that it was issued with.
    expect(await read(newer)).toEqual(allowed);
    expect(await read(await buy(String(sounds[2]?.id)))).toMatchObject({ aiTraining: false });
    const check = async (certificate: object) =>
      (await visitor.post('/api/certificates/verify', certificate)).body.valid as boolean;
    expect(await Promise.all([check(old), check(allowed)])).toEqual([true, true]);
    const { aiTraining: _, ...without } = allowed;
    expect(await Promise.all([check({ ...allowed, aiTraining: false }), check(without)])).toEqual([
      false,
      false,
    ]);
    expect(await check({ ...old, aiTraining: true })).toBe(false);
  });

  it('[RIGHT-11] has a text for each version, which never changes', () => {
    expect(licenceText('1.0')).toHaveLength(4);
    expect(licenceText('1.1').filter((sentence) => !licenceText('1.0').includes(sentence))).toEqual([
      'You may not train models with it that generate sound or music, unless this certificate says that its creator allows it.',
      'You may not register the sound with services that recognise content, such as Content ID. Your own work may be registered there as far as it does not claim the sound.',
    ]);
    expect(licenceText('9.9')).toEqual([]);
  });
});

describe('the origin of a sound', () => {
  const change = (id: string | undefined, origin: unknown) =>
    creator.patch(`/api/creator/packs/${pack.id}/samples/${id}`, { origin });
  const found = async (origin: string) =>
    (await visitor.get(`/api/samples?origin=${origin}`)).body as {
      items: { id: string; origin: string | null }[];
      facets: { origin: Record<string, number> };
    };

  it('[RIGHT-750] is stated by the creator, filters a search, and can be taken back', async () => {
    const [first, second] = sounds;
    expect(await found('recorded&origin=licensed')).toMatchObject({ items: [], facets: { origin: {} } });
    expect((await change(first?.id, 'recorded')).body.sample).toMatchObject({ origin: 'recorded' });
    expect((await change(second?.id, 'ai-assisted')).status).toBe(200);
    await catchUp();
    expect(await found('recorded&origin=licensed')).toMatchObject({
      items: [{ id: first?.id, origin: 'recorded' }],
      facets: { origin: { recorded: 1, 'ai-assisted': 1 } },
    });
    expect((await visitor.get(`/api/samples/${second?.id}`)).body.origin).toBe('ai-assisted');
    await change(first?.id, null);
    await catchUp();
    expect((await found('recorded')).items).toEqual([]);
    expect(await change(first?.id, 'painted')).toMatchObject({ status: 400 });
  });

  it('[LAW-721] [LAW-730] is needed before a pack goes on sale or gets a date, but not for what was sold before', async () => {
    const strict = await startTestProduct({ REQUIRE_ORIGIN: 'on' });
    try {
      const maker = await strict.signedUp();
      await maker.becomeCreator();
      const { body: draft } = await maker.post('/api/creator/packs', {
        name: 'Tapes',
        genre: 'Soul',
        mood: 'Chill',
      });
      const path = `/api/creator/packs/${draft.id}`;
      const add = async (hertz: number, meta: object) => {
        const form = new FormData();
        form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 1, hertz }))]), `tape ${hertz}.wav`);
        form.append('meta', JSON.stringify(meta));
        return maker.post(`${path}/samples`, undefined, { raw: form });
      };
      await add(310, {});
      await add(320, { origin: 'recorded' });
      const sampleId = (await maker.get(path)).body.samples[0].id;
      const needed = { status: 422, body: { code: 'OriginNeeded', sampleId } };
      const releaseAt = new Date(Date.now() + 86_400_000).toISOString();
      expect(await maker.post(`${path}/publish`, {})).toMatchObject(needed);
      expect(await maker.put(`${path}/release`, { releaseAt })).toMatchObject(needed);
      expect((await maker.get(path)).body.status).toBe('draft');
      // An import by the operator, as from an old bucket.
      const writer = { userId: maker.userId, packId: draft.id, takesUnstated: true } as const;
      const commands = strict.app.get(CommandBus, { strict: false });
      expect((await commands.execute(new PublishPack(writer))).accepted).toBe(true);
      expect((await maker.patch(path, { description: 'From a cellar' })).status).toBe(200);
      // Samples that are added to a pack on sale are on sale at once.
      expect(await add(330, {})).toMatchObject({ status: 422, body: { code: 'OriginNeeded' } });
      const own = async () =>
        ((await maker.get(path)).body.samples as { origin: string | null }[]).map(({ origin }) => origin);
      expect(await own()).toEqual([null, 'recorded']);
      expect((await add(330, { origin: 'synthesised' })).status).toBe(201);
      const [, second] = (await maker.get(path)).body.samples as { id: string }[];
      expect(await maker.patch(`${path}/samples/${second?.id}`, { origin: null })).toMatchObject({
        status: 422,
        body: { code: 'OriginNeeded', sampleId: second?.id },
      });
      expect(await own()).toEqual([null, 'recorded', 'synthesised']);
      await maker.post(`${path}/unpublish`, {});
      expect(await maker.post(`${path}/publish`, {})).toMatchObject(needed);
      await maker.patch(`${path}/samples/${sampleId}`, { origin: 'synthesised' });
      expect((await maker.post(`${path}/publish`, {})).status).toBeLessThan(300);
    } finally {
      await strict.stop();
    }
  });

  it('[RIGHT-751] is refused where the shop does not accept it, and nothing changes', async () => {
    expect(await change(sounds[0]?.id, 'ai-generated')).toMatchObject({
      status: 422,
      body: { code: 'OriginNotAccepted', sampleId: sounds[0]?.id, origin: 'ai-generated' },
    });
    const form = new FormData();
    form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 500 }))]), 'five.wav');
    form.append('meta', JSON.stringify({ origin: 'ai-generated' }));
    const samples = `/api/creator/packs/${pack.id}/samples`;
    expect(await creator.post(samples, undefined, { raw: form })).toMatchObject({
      status: 422,
      body: { code: 'OriginNotAccepted' },
    });
    const own = (await creator.get(`/api/creator/packs/${pack.id}`)).body.samples as { origin: string }[];
    expect(own.map(({ origin }) => origin)).toEqual([null, 'ai-assisted', null]);
  });

  it('[RIGHT-752] is on the certificate as it was when the licence was given', async () => {
    await change(sounds[0]?.id, 'synthesised');
    const buyer = await listenerWith(product, 5);
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const { body } = await buyer.post('/api/downloads', { sampleId: sounds[0]?.id, expectedCredits: 1 }, key);
    const certificate = (await buyer.get(`/api/certificates/${body.certificateId}`)).body;
    expect(certificate.origin).toBe('synthesised');
    await change(sounds[0]?.id, 'licensed');
    expect((await buyer.get(`/api/certificates/${body.certificateId}`)).body).toEqual(certificate);
    const verdict = async (asked: object) =>
      (await visitor.post('/api/certificates/verify', asked)).body.valid as boolean;
    const { origin: _, ...without } = certificate;
    expect(
      await Promise.all([certificate, { ...certificate, origin: 'recorded' }, without].map(verdict)),
    ).toEqual([true, false, false]);
  });
});
