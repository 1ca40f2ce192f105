import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { NoticeMails } from '../../application/notices/notice-mails.js';
import { recordPack } from '../support/catalogue.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { mailsTo, comesTo } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { LIMIT_MS } from '../support/until.js';

const DAY_MS = 86_400_000;

describe('promotion codes of creators', () => {
  let product: TestProduct;
  let junie: HttpClient;
  let ada: HttpClient;
  let packs = 0;

  const create = (body: object, by = junie, key = randomUUID() as string) =>
    by.post('/api/creator/promotions', body, keyed(key));
  const redeem = (code: string, by = ada, key = randomUUID() as string) =>
    by.post('/api/promotions/redeem', { code }, keyed(key));
  const end = (code: string, by = junie) => by.post(`/api/creator/promotions/${code}/end`, {});
  const pack = async (samples = 2, creatorId = junie.userId): Promise<string> => {
    const packId = `pack${(packs += 1)}`;
    await recordPack(
      product.resources.eventStore,
      { packId, creatorId },
      Array.from({ length: samples }, () => ({ priceCredits: 3 })),
    );
    return packId;
  };
  const codeFor = async (terms: object = {}, samples = 2): Promise<{ code: string; packId: string }> => {
    const packId = await pack(samples);
    const code = `CODE-${packId.toUpperCase()}`;
    expect(await create({ code, packId, limit: 5, ...terms })).toMatchObject({ status: 201 });
    return { code, packId };
  };
  const listed = async (packId: string) =>
    (await junie.get(`/api/creator/promotions?packId=${packId}`)).body.items[0];

  beforeAll(async () => {
    product = await startTestProduct();
    junie = await product.signedUp();
    ada = await product.signedUp();
    await junie.post('/api/creator/application', {});
  });
  afterAll(() => product?.stop());

  it('[PROMO-700] gives n people the samples once each, whatever tabs, keys and people ask at the same time', async () => {
    const { code, packId } = await codeFor({ limit: 3 });
    const people = await Promise.all(Array.from({ length: 5 }, () => product.signedUp()));
    // Five people in two tabs each, all at once.
    const answers = await Promise.all([...people, ...people].map((each) => redeem(code, each)));
    const counts = new Map<string, number>();
    for (const { status, body } of answers) {
      const what = status === 201 ? 'given' : (body.code as string);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    expect(counts.get('given')).toBe(3);
    expect((counts.get('PromotionUsedUp') ?? 0) + (counts.get('PromotionRedeemed') ?? 0)).toBe(7);
    expect(await listed(packId)).toMatchObject({ used: 3, limit: 3, samplesGiven: 6, status: 'used-up' });
    // One person with ten keys.
    const other = await codeFor();
    const again = await Promise.all(Array.from({ length: 10 }, () => redeem(other.code)));
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(again.filter(({ body }) => body.code === 'PromotionRedeemed')).toHaveLength(9);
    expect(await listed(other.packId)).toMatchObject({ used: 1, samplesGiven: 2 });
  });

  it('[PROMO-701, PROMO-708] what a code gave is owned like a purchase, for nothing: library and certificate', async () => {
    const { code, packId } = await codeFor();
    const before = (await ada.get('/api/credits')).body;
    const key = randomUUID();
    const redeemed = await redeem(code.toLowerCase(), ada, key);
    expect(redeemed).toMatchObject({
      status: 201,
      body: {
        code,
        pack: { id: packId },
        received: [{ sampleId: `${packId}-0` }, { sampleId: `${packId}-1` }],
      },
    });
    expect(await redeem(code.toLowerCase(), ada, key)).toMatchObject({ status: 201, body: redeemed.body });
    expect((await ada.get('/api/credits')).body).toEqual(before);
    const library = (await ada.get('/api/library/downloads')).body.items as { sampleId: string }[];
    expect(library.map(({ sampleId }) => sampleId)).toEqual(
      expect.arrayContaining([`${packId}-0`, `${packId}-1`]),
    );
    const { certificateId, sampleId } = redeemed.body.received[0];
    await product.resources.logSubscriptions.caughtUp(
      (await product.resources.eventStore.head()).position,
      10_000,
    );
    expect(await ada.get(`/api/certificates/${certificateId}`)).toMatchObject({
      status: 200,
      body: { sample: { id: sampleId }, licensee: { id: ada.userId } },
    });
    const { rows } = await product.resources.database.pool.query(`select data from event where stream = $1`, [
      `purchase-${ada.userId}.${sampleId}`,
    ]);
    expect(rows).toMatchObject([
      { data: { promotion: code, priceCredits: 0, valueMicroUsd: 0, shareMicroUsd: 0, shares: [] } },
    ]);
    expect((await junie.get('/api/creator/balance')).body).toMatchObject({ totalEarningsMicroUsd: 0 });
    const counted = await product.resources.database.pool.query(
      'select * from download_count where id = any($1)',
      [[packId, sampleId, junie.userId]],
    );
    expect(counted.rows).toEqual([]);
  });

  it('[PROMO-702] gives only the named samples, and only those that the person does not own', async () => {
    const packId = await pack(3);
    const first = [`${packId}-0`];
    await create({ code: 'ONLY-ONE', packId, limit: 5, sampleIds: first });
    expect((await redeem('only-one')).body.received).toHaveLength(1);
    await create({ code: 'ALL-THREE', packId, limit: 5 });
    expect((await redeem('ALL-THREE')).body.received).toMatchObject([
      { sampleId: `${packId}-1` },
      { sampleId: `${packId}-2` },
    ]);
    await create({ code: 'NOTHING-LEFT', packId, limit: 5 });
    expect(await redeem('NOTHING-LEFT')).toMatchObject({ status: 409, body: { code: 'AllOwned' } });
    const [newest] = (await junie.get(`/api/creator/promotions?packId=${packId}`)).body.items;
    expect(newest).toMatchObject({ code: 'NOTHING-LEFT', used: 0 });
  });

  it('[PROMO-703] a code is unique in the shop, well formed, and for a published pack of its creator', async () => {
    const { code, packId } = await codeFor();
    const otto = await product.signedUp();
    await otto.post('/api/creator/application', {});
    const theirs = await pack(1, otto.userId);
    const of = (more: object) => ({ code: `FRESH-${packId}`, packId, limit: 5, ...more });
    expect(await create(of({ code: ` ${code.toLowerCase()} `, limit: 6 }))).toMatchObject({
      status: 409,
      body: { code: 'PromotionCodeTaken' },
    });
    expect(await create({ code, packId: theirs, limit: 5 }, otto)).toMatchObject({
      status: 409,
      body: { code: 'PromotionCodeTaken' },
    });
    for (const bad of ['abc', 'a b c d', '-abcd', 'ab--cd', 'ÄÖÜß', 'x'.repeat(33)])
      expect(await create(of({ code: bad }))).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest' },
      });
    for (const limit of [0, -1, 1.5, 1_001])
      expect(await create(of({ limit }))).toMatchObject({ status: 400 });
    const soon = new Date(Date.now() + DAY_MS).toISOString();
    const past = new Date(Date.now() - DAY_MS).toISOString();
    const far = new Date(Date.now() + 400 * DAY_MS).toISOString();
    for (const period of [{ until: past }, { from: soon, until: soon }, { until: far }, { from: far }])
      expect(await create(of(period))).toMatchObject({
        status: 422,
        body: { code: 'PromotionPeriodRefused' },
      });
    for (const more of [{ packId: theirs }, { packId: 'none' }, { sampleIds: [`${theirs}-0`] }])
      expect(await create(of(more))).toMatchObject({ status: 404 });
    expect((await ada.get('/api/creator/promotions')).status).toBe(403);
  });

  it('[PROMO-743] each collaborator of the pack gets a notice and a mail about a new code, which asks for no consent', async () => {
    const { eventStore, logSubscriptions, database } = product.resources;
    const packId = await pack();
    const offered = async (bps: number) => {
      const other = await product.signedUp();
      await other.post('/api/creator/application', {});
      await database.pool.query('update user_account set email_verified_at = now() where user_id = $1', [
        other.userId,
      ]);
      const offer = { creator: other.email, bps };
      const { body } = await junie.post(`/api/creator/packs/${packId}/splits`, offer, keyed());
      return [other, body.id] as const;
    };
    const [otto, splitId] = await offered(2_000);
    const [mira] = await offered(1_000);
    expect((await otto.post(`/api/splits/${splitId}/accept`, undefined, keyed())).status).toBe(200);
    expect((await create({ code: 'FOR-THE-BAND', packId, limit: 5 })).status).toBe(201);
    const { position } = await eventStore.head();
    expect(await logSubscriptions.caughtUp(position, 10_000, ['split-notices'])).toBe(true);
    const about = async (who: HttpClient) =>
      (await who.get('/api/inbox')).body.items.filter(({ text: each }: { text: string }) =>
        each.includes('free with the code'),
      );
    const text = `gives up to 5 people “${packId}” free with the code FOR-THE-BAND. These downloads have no share`;
    expect(await about(mira)).toEqual([]);
    expect(await about(otto)).toMatchObject([
      { kind: 'payouts', href: '/earnings', text: expect.stringContaining(text) },
    ]);
    await product.app.get(NoticeMails, { strict: false }).run();
    const mails = async () => (await mailsTo(product, otto, '')).filter((mail) => mail.includes(text)).length;
    await comesTo(mails, 1);
  });

  it('[PROMO-704] refuses each code by its reason: unknown, early, late, ended, own, and of a suspended creator', async () => {
    expect(await redeem('NO-SUCH-CODE')).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    const later = await codeFor({ from: new Date(Date.now() + DAY_MS).toISOString() });
    expect(await redeem(later.code)).toMatchObject({ status: 409, body: { code: 'PromotionNotStarted' } });
    expect(await listed(later.packId)).toMatchObject({ status: 'scheduled' });
    const own = await codeFor();
    expect(await redeem(own.code, junie)).toMatchObject({ status: 422, body: { code: 'OwnPromotion' } });
    expect(await end(own.code, ada)).toMatchObject({ status: 403 });
    expect(await end(own.code.toLowerCase())).toMatchObject({ status: 200, body: { status: 'ended' } });
    expect(await end(own.code)).toMatchObject({ status: 200, body: { status: 'ended' } });
    expect(await redeem(own.code)).toMatchObject({ status: 410, body: { code: 'PromotionEnded' } });
    const mira = await product.signedUp();
    await mira.post('/api/creator/application', {});
    const packId = await pack(1, mira.userId);
    await create({ code: 'STOPPED', packId, limit: 5 }, mira);
    const admin = await product.signedUp();
    await grantRoles(product.resources.database, admin.userId, 'admin');
    const suspended = await admin.post(`/api/admin/creators/${mira.userId}/suspend`, { reason: 'A copy' });
    expect(suspended.status).toBeLessThan(300);
    expect(await redeem('STOPPED')).toMatchObject({ status: 409, body: { code: 'PromotionUnavailable' } });
  });

  it('[PROMO-741] attempts to redeem and to make codes count together, because both show whether a code exists', async () => {
    const { packId } = await codeFor();
    const attempts = [
      await redeem('NO-SUCH-CODE', junie),
      await create({ code: 'A-NEW-ONE', packId, limit: 1 }),
    ];
    const [left, then] = attempts.map(({ headers }) => {
      const [, rest] = /"redeem-0"; r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      return Number(rest);
    });
    expect(left).toBeGreaterThan(1);
    expect(then).toBe((left as number) - 1);
  });

  it('[PROMO-707] a takedown closes the file and keeps the certificate, and no credits come back', async () => {
    const { code, packId } = await codeFor({}, 1);
    const { certificateId, sampleId } = (await redeem(code)).body.received[0];
    const { database, eventStore, logSubscriptions } = product.resources;
    const admin = await product.signedUp();
    await grantRoles(database, admin.userId, 'admin');
    const taken = await admin.post('/api/admin/takedowns', { packId, reason: 'A copy of another work' });
    expect(taken).toMatchObject({ status: 201, body: { purchasesReturned: 0 } });
    await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS);
    expect((await ada.get('/api/credits')).body.balance).toBe(0);
    expect((await ada.get(`/api/downloads/${sampleId}/midi`)).status).toBe(410);
    expect((await ada.get(`/api/certificates/${certificateId}`)).status).toBe(200);
    expect(await redeem(code, await product.signedUp())).toMatchObject({
      status: 409,
      body: { code: 'PromotionUnavailable' },
    });
  });
});
