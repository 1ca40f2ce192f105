import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { ReturnPurchase } from '../../application/purchases/return-purchases.js';
import { recordPack } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { paidInvoice } from '../support/books.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { LIMIT_MS } from '../support/until.js';

const SINGLE = [5, 3, 1, 1];
const PRICE = 6;
/** 6 of 10 credits: 3.0, 1.8, 0.6 and 0.6. The remainders .8 and the first .6 get the two credits that are left. */
const PARTS = [3, 2, 1, 0];
/** What the creator earns for a credit of the buyer's invoice, in micro-dollars. */
const SHARE = 119_880;

describe('the price of a whole pack', () => {
  let product: TestProduct;
  let junie: HttpClient;
  let ada: HttpClient;
  let pack = '';
  let packs = 0;

  const path = () => `/api/creator/packs/${pack}`;
  const price = (credits: unknown, by = junie, headers = {}) =>
    by.put(`${path()}/price`, { credits }, { headers });
  const buy = (expectedCredits: number, who = ada, key: string = randomUUID()) =>
    who.post(`/api/packs/${pack}/downloads`, { expectedCredits }, { headers: { 'idempotency-key': key } });
  const buyOne = (n: number, who = ada) =>
    who.post(
      '/api/downloads',
      { sampleId: `${pack}-${n}`, expectedCredits: SINGLE[n] },
      { headers: { 'idempotency-key': randomUUID() } },
    );
  const change = (n: number, creditCost: number) =>
    junie.patch(`${path()}/samples/${pack}-${n}`, { creditCost });
  const balance = async (who = ada) => (await who.get('/api/credits')).body.balance as number;
  const charged = ({ body }: { body: { items: { charged: number }[] } }) =>
    body.items.map((item) => item.charged);
  const earned = async (creator: HttpClient) => {
    const { eventStore, logSubscriptions } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    return (await creator.get('/api/creator/balance')).body.totalEarningsMicroUsd as number;
  };
  const undone = async (sampleId: string) => {
    const why = { reason: 'defect', explanation: 'hum' } as const;
    const metadata = { actor: 'pia', correlationId: randomUUID() };
    return product.app
      .get(CommandBus, { strict: false })
      .execute(new ReturnPurchase({ buyerId: ada.userId, sampleId }, why, metadata));
  };

  beforeAll(async () => {
    product = await startTestProduct();
    junie = await product.signedUp();
    await junie.post('/api/creator/application', {});
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    const { eventStore, creditExecutor, database, storage } = product.resources;
    pack = `priced-${(packs += 1)}`;
    await recordPack(
      eventStore,
      { packId: pack, creatorId: junie.userId },
      SINGLE.map((priceCredits) => ({ priceCredits })),
    );
    const { rows } = await database.pool.query('select original_key from sample where pack_id = $1', [pack]);
    for (const { original_key: key } of rows as { original_key: string }[])
      await storage.put(key, Buffer.from('x'), { contentType: 'audio/wav' });
    ada = await product.signedUp();
    await creditExecutor.grantInvoice(paidInvoice(ada.userId), { correlationId: 'c' });
  });

  it('[PRICE-700] is below the sum of the samples; its creator alone sets and clears it, for the version that they saw', async () => {
    const codes = await Promise.all([0, -1, 1.5, '6', undefined].map((credits) => price(credits)));
    expect(codes.map(({ status, body }) => [status, body.code])).toEqual(
      codes.map(() => [400, 'InvalidRequest']),
    );
    expect(await price(10)).toMatchObject({
      status: 422,
      body: { code: 'PackPriceTooHigh', sumCredits: 10 },
    });
    expect(await price(PRICE, ada)).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    const set = await price(PRICE);
    expect(set).toMatchObject({ status: 200, body: { priceCredits: PRICE } });
    const stale = { 'if-match': `"${set.body.version - 1}"` };
    expect(await price(4, junie, stale)).toMatchObject({ status: 409, body: { code: 'StaleVersion' } });
    expect(await price(null)).toMatchObject({ status: 200, body: { priceCredits: null } });
  });

  it('[PRICE-701] is divided among the samples by their prices, with largest remainders, and charged once', async () => {
    await price(PRICE);
    expect(await buy(10)).toMatchObject({ status: 409, body: { code: 'PriceChanged', priceCredits: PRICE } });
    const key = randomUUID();
    const [first, again] = await Promise.all([buy(PRICE, ada, key), buy(PRICE, ada, key)]);
    expect([first, again].map(({ status }) => status)).toEqual([201, 201]);
    expect(charged(first)).toEqual(PARTS);
    expect(charged(again)).toEqual(PARTS);
    expect(await balance()).toBe(50 - PRICE);
    expect(await buy(PRICE)).toMatchObject({ status: 200, body: { charged: 0 } });
    const { rows } = await product.resources.database.pool.query(
      `select data from event where type = 'SamplePurchased' and data->>'buyerId' = $1 order by position`,
      [ada.userId],
    );
    const sales = (
      rows as { data: { priceCredits: number; valueMicroUsd: number; shareMicroUsd: number } }[]
    ).map(({ data }) => data);
    expect(sales).toMatchObject(
      SINGLE.map((singleCredits, n) => ({
        priceCredits: PARTS[n],
        valueMicroUsd: (PARTS[n] as number) * 199_800,
        shareMicroUsd: (PARTS[n] as number) * SHARE,
        packPart: { packCredits: PRICE, packSumCredits: 10, orderSumCredits: 10, singleCredits },
      })),
    );
  });

  it('[PRICE-702] costs less by the part of the owned samples, rounded up; two tabs pay once', async () => {
    await price(PRICE);
    await buyOne(1);
    // 7 of 10 credits are missing: 6 · 7 / 10 is 4.2.
    expect(await buy(4)).toMatchObject({ status: 409, body: { priceCredits: 5 } });
    const tabs = await Promise.all([buy(5), buy(5)]);
    expect(tabs.map(({ body }) => body.charged).sort()).toEqual([0, 5]);
    expect(tabs.map(charged).sort()).toEqual([
      [0, 0, 0, 0],
      [3, 0, 1, 1],
    ]);
    expect(await balance()).toBe(50 - 3 - 5);
    expect(await buy(0, junie)).toMatchObject({ status: 200, body: { charged: 0 } });
  });

  it('[PRICE-703] never exceeds the sum: it rests while the samples cost no more, and stays when samples are added', async () => {
    await price(PRICE);
    const cost = async () => {
      const { body } = await ada.get(await pageOf());
      return [body.totalCostCredits, body.packCostCredits];
    };
    const pageOf = async () => {
      const { slug, creatorHandle } = (await junie.get(path())).body;
      return `/api/packs/${creatorHandle}/${slug}`;
    };
    expect(await cost()).toEqual([10, PRICE]);
    await change(0, 1);
    expect(await cost()).toEqual([6, null]);
    expect(await price(PRICE)).toMatchObject({ status: 200, body: { priceCredits: PRICE } });
    expect(await buy(PRICE)).toMatchObject({ status: 201 });
    await junie.delete(`${path()}/samples/${pack}-1`);
    expect(await cost()).toEqual([3, null]);
    const bob = await product.signedUp();
    await product.resources.creditExecutor.grantInvoice(paidInvoice(bob.userId), { correlationId: 'c' });
    expect(charged(await buy(3, bob))).toEqual([1, 1, 1]);
    await change(0, 5);
    expect(await cost()).toEqual([7, PRICE]);
  });

  it('[BOOK-818] certificates of a pack name its samples and no price, and the list of credits has what each part cost', async () => {
    await price(PRICE);
    await buy(PRICE);
    await earned(junie);
    const { rows } = await product.resources.database.pool.query<{ id: string }>(
      `select certificate_id as id from owned_sample where buyer_id = $1 order by sample_id`,
      [ada.userId],
    );
    const certificates = await Promise.all(rows.map(({ id }) => ada.get(`/api/certificates/${id}`)));
    expect(certificates.map(({ body }) => body.sample.id)).toEqual(SINGLE.map((_, n) => `${pack}-${n}`));
    expect(JSON.stringify(certificates.map(({ body }) => body))).not.toMatch(/"\w*(price|credit)\w*":/i);
    const { items } = (await ada.get('/api/credits/ledger?limit=50')).body;
    const spent = (items as { reason: string; delta: number }[]).filter(
      ({ reason }) => reason === 'download',
    );
    expect(spent.reduce((sum, { delta }) => sum + delta, 0)).toBe(-PRICE);
  });

  it('[PRICE-707] finance sees the price of the pack behind a part of it', async () => {
    await price(PRICE);
    await buy(PRICE);
    const { eventStore, logSubscriptions } = product.resources;
    await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS);
    const [sold] = await eventStore.readStream(`purchase-${ada.userId}.${pack}-1`);
    const { purchaseId } = (sold as { data: object }).data as { purchaseId: string };
    const petra = await signedUpAs(product, 'finance');
    const traced = await petra.get(`/api/finance/trace/${purchaseId}`);
    expect(JSON.stringify(traced.body)).toContain('6 of 10 credits, alone 3');
  });

  it('[PRICE-704] a part goes back alone and exactly; a part of 0 credits gives back none', async () => {
    await price(PRICE);
    await buy(PRICE);
    expect(await undone(`${pack}-0`)).toMatchObject({ accepted: true, changed: true });
    expect(await balance()).toBe(50 - PRICE + 3);
    expect(await undone(`${pack}-3`)).toMatchObject({ accepted: true, changed: true });
    expect(await balance()).toBe(50 - PRICE + 3);
    // The missing samples are 6 of 10 credits, which cost 3.6.
    expect(charged(await buy(4))).toEqual([3, 0, 0, 1]);
  });

  it('[PRICE-711] a takedown gives back the exact part of each sample, and the price rests when the others cost no more', async () => {
    await price(PRICE);
    await buy(PRICE);
    const before = await earned(junie);
    const pia = await signedUpAs(product, 'admin');
    const takeDown = (what: object) => pia.post('/api/admin/takedowns', { ...what, reason: 'Not theirs' });
    expect(await takeDown({ sampleId: `${pack}-0` })).toMatchObject({ status: 201 });
    expect(await balance()).toBe(50 - PRICE + PARTS[0]!);
    expect(await earned(junie)).toBe(before - PARTS[0]! * SHARE);
    const bob = await product.signedUp();
    await product.resources.creditExecutor.grantInvoice(paidInvoice(bob.userId), { correlationId: 'c' });
    expect(await buy(PRICE, bob)).toMatchObject({ status: 409, body: { priceCredits: 5 } });
    expect(charged(await buy(5, bob))).toEqual([3, 1, 1]);
    expect(await takeDown({ packId: pack })).toMatchObject({ status: 201 });
    expect(await Promise.all([balance(), balance(bob)])).toEqual([50, 50]);
    expect(await earned(junie)).toBe(before - PRICE * SHARE);
    expect((await buy(PRICE)).status).toBe(404);
  });

  it('[PRICE-712] each part is shared between the creators of a split, and taken back from both', async () => {
    const otto = await product.signedUp();
    await otto.post('/api/creator/application', {});
    const { rows } = await product.resources.database.pool.query(
      'select handle from creator_profile where user_id = $1',
      [otto.userId],
    );
    const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });
    const offer = { creator: (rows[0] as { handle: string }).handle, bps: 3_333 };
    const { id } = (await junie.post(`${path()}/splits`, offer, keyed())).body;
    expect((await otto.post(`/api/splits/${id}/accept`, undefined, keyed())).status).toBe(200);
    await price(PRICE);
    const before = await earned(junie);
    await buy(PRICE);
    const ottos = PARTS.map((credits) => Math.floor((credits * SHARE * 3_333) / 10_000));
    const sum = ottos.reduce((all, each) => all + each, 0);
    expect(await earned(otto)).toBe(sum);
    expect(await earned(junie)).toBe(before + PRICE * SHARE - sum);
    expect(await undone(`${pack}-1`)).toMatchObject({ accepted: true, changed: true });
    expect(await earned(otto)).toBe(sum - ottos[1]!);
    expect(await earned(junie)).toBe(before + (PRICE - PARTS[1]!) * SHARE - sum + ottos[1]!);
  });

  it('[PRICE-700] a suspended creator cannot change it while the pack is on sale', async () => {
    const pia = await signedUpAs(product, 'admin');
    const suspended = await pia.post(`/api/admin/creators/${junie.userId}/suspend`, { reason: 'why' });
    expect(suspended.status).toBe(200);
    expect(await price(PRICE)).toMatchObject({ status: 403, body: { code: 'CreatorSuspended' } });
    expect((await buy(10)).status).toBe(201);
  });
});
