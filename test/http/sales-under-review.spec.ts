import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CURRENT_CONSENT } from '../../application/subscriptions/values.js';
import { PostgresCreditBatchStore } from '../../adapters/credits/postgres-credit-batch-store.js';
import { ReviewAlerts } from '../../application/ledger/renew-alerts.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { balance, comesTo } from '../support/money-back.js';
import { Office } from '../support/office.js';
import { stock } from '../support/stock.js';
import { onboard, press } from '../support/stripe.js';
import { LIMIT_MS } from '../support/until.js';

const office = Office.forTests();
let junie: HttpClient;

/** Junie sells samples and has a payout account. */
beforeEach(async () => {
  junie = await office.product.signedUp();
  await junie.becomeCreator();
  const approved = await office.pia.post(`/api/admin/creator-applications/${junie.userId}/approve`);
  expect(approved.status).toBe(200);
  const account = { userId: junie.userId, email: junie.email, country: 'US' };
  const { body } = await junie.post('/api/stripe/connect/create-account', account);
  await onboard(body.url, 'completed');
});

async function onSale(count: number, priceCredits: number): Promise<string[]> {
  const prefix = `r${randomUUID().slice(0, 8)}-`;
  const ids = await stock(office.product.resources.database, count, {
    creatorId: junie.userId,
    priceCredits,
    prefix,
  });
  await office.store(ids);
  return ids;
}
/** 150 credits for 19.99 USD. */
async function payForStudio(who: HttpClient): Promise<void> {
  const { body } = await who.post('/api/stripe/create-checkout-session', { plan: 'studio' });
  await press(body.url, { outcome: 'paid' });
  await comesTo(() => balance(who), 150);
}
const buy = async (who: HttpClient, sampleId: string, expectedCredits: number) => {
  await who.post('/api/me/contracts/consent', { version: CURRENT_CONSENT });
  expect((await who.post('/api/downloads', { sampleId, expectedCredits }, keyed())).status).toBe(201);
};
const earned = async () => {
  const { eventStore, logSubscriptions } = office.product.resources;
  expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
  return (await junie.get('/api/creator/balance')).body;
};
const advance = (days: number) => office.product.resources.stripeSimulator!.advance(days);
const withdraw = (amountUsdCents?: number) =>
  junie.post('/api/creator/withdrawals', amountUsdCents === undefined ? {} : { amountUsdCents }, keyed());
const underReview = async () => (await office.petra.get('/api/finance/sales-under-review')).body.items;
/** Gives credits as administrators could before there were limits. */
const mint = async (credits: number, valueMicroUsd: number) => {
  const { database, eventStore, stripeSimulator } = office.product.resources;
  const now = () => stripeSimulator!.now();
  const adjustmentId = randomUUID();
  const adjustment = { adjustmentId, by: office.pia.userId as string, explanation: 'Sorry' };
  const grant = {
    type: 'GrantCredits',
    userId: office.ada.userId as string,
    lotId: `adjustment-${adjustmentId}`,
    kind: 'promotional',
    reason: 'admin_adjustment',
    credits,
    valueMicroUsd,
    grantedAt: now().toISOString(),
    adjustment,
  } as const;
  const metadata = { actor: adjustment.by, correlationId: 'before the limits' };
  const store = new PostgresCreditBatchStore(database, eventStore, { now });
  await store.transact([{ type: 'GrantCredits', grant, metadata }], (batch) =>
    batch.decideCredits(grant, metadata),
  );
};

describe('what adjusted credits bring their creator', () => {
  it('[PAY-07, ADM-44] is withdrawn after its hold and not before, like what was paid for', async () => {
    await payForStudio(office.ada);
    const { rows } = await office.product.resources.database.pool.query(
      'select lot_id from credit_grant where user_id = $1',
      [office.ada.userId],
    );
    for (const sample of await onSale(3, 50)) await buy(office.ada, sample, 50);
    const asked = await office.adjust(501, { valueUsdCents: 1_999, makesGood: rows[0].lot_id });
    expect(asked.status).toBe(202);
    const agree = (who: HttpClient) => office.decide(who, asked.body.id, 'approve');
    expect((await agree(office.pia)).status).toBe(403);
    expect((await agree(office.quinn)).status).toBe(200);
    expect(await balance(office.ada)).toBe(501);
    for (const sample of await onSale(10, 50)) await buy(office.ada, sample, 50);
    // 60 % of both lots, except for the one unspent credit. Each sale is rounded down.
    const share = (await earned()).heldMicroUsd;
    expect(share).toBeGreaterThan(0.6 * 2 * 19_900_000);
    await advance(13.9);
    expect(await earned()).toMatchObject({ availableMicroUsd: 0, heldMicroUsd: share });
    expect(await withdraw()).toMatchObject({ status: 422, body: { code: 'InsufficientEarnings' } });
    await advance(0.2);
    expect(await earned()).toMatchObject({ availableMicroUsd: share, heldMicroUsd: 0, inDoubtMicroUsd: 0 });
    expect(await underReview()).toEqual([]);
    expect((await withdraw()).body).toMatchObject({ amountUsdCents: Math.floor(share / 10_000) });
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-37, ADM-44] is withdrawn by nobody where no product asks as much for a credit, and finance sees it; a plain sale beside it is paid', async () => {
    expect((await office.adjust(1, { valueUsdCents: 10_000_000 })).body.code).toBe('CreditsWorthTooMuch');
    await mint(1, 100_000_000_000);
    const [gold = ''] = await onSale(1, 1);
    await buy(office.ada, gold, 1);
    const bea = await office.product.signedUp();
    await payForStudio(bea);
    for (const sample of await onSale(3, 50)) await buy(bea, sample, 50);
    await advance(14.1);
    expect(await earned()).toMatchObject({
      availableMicroUsd: 11_993_998,
      heldMicroUsd: 60_000_000_000,
      inDoubtMicroUsd: 60_000_000_000,
    });
    expect(await withdraw(1_200)).toMatchObject({
      status: 422,
      body: { code: 'InsufficientEarnings', availableMicroUsd: 11_993_998 },
    });
    expect((await withdraw()).body).toMatchObject({ amountUsdCents: 1_199 });
    const [sale, ...others] = await underReview();
    const { total, shareMicroUsd } = (await office.petra.get('/api/finance/sales-under-review')).body;
    expect({ total, shareMicroUsd }).toEqual({ total: 1, shareMicroUsd: sale.shareMicroUsd });
    expect(others).toEqual([]);
    expect(sale).toEqual({
      purchaseId: expect.any(String),
      soldAt: expect.any(String),
      creatorId: junie.userId,
      creatorName: expect.any(String),
      buyerId: office.ada.userId,
      buyerName: expect.any(String),
      sampleId: gold,
      sampleTitle: gold,
      credits: 1,
      valueMicroUsd: 100_000_000_000,
      perCreditMicroUsd: 100_000_000_000,
      dearestMicroUsd: 239_600,
      shareMicroUsd: 60_000_000_000,
      reason: 'An administrator gave the credits this value',
      requestId: null,
    });
    const alerts = async () =>
      (await office.petra.get('/api/finance/alerts')).body.items
        .filter(({ kind }: { kind: string }) => kind === 'sale-under-review')
        .map(({ item, text }: { item: string; text: string }) => [item, text]);
    const reviews = office.product.app.get(ReviewAlerts, { strict: false });
    for (const _ of [1, 2]) await reviews.run();
    const told =
      'Under review: a sale brought 100000.00 USD a credit, and no product costs more than 0.2396 USD. No one can withdraw its 60000.00 USD.';
    expect(await alerts()).toEqual([[sale.purchaseId, told]]);
    // After the return, the share belongs to no one.
    const undone = { sampleId: gold, reason: 'It was bought with minted credits' };
    expect((await office.quinn.post('/api/admin/defects', undone)).status).toBe(201);
    expect(await earned()).toMatchObject({ heldMicroUsd: 0, inDoubtMicroUsd: 0 });
    expect(await underReview()).toEqual([]);
    await reviews.run();
    expect(await alerts()).toEqual([]);
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-45] is withdrawn once two people released the sale, who are not its creator', async () => {
    await mint(1, 100_000_000);
    const [gold = ''] = await onSale(1, 1);
    await buy(office.ada, gold, 1);
    await advance(14.1);
    expect(await earned()).toMatchObject({ availableMicroUsd: 0, inDoubtMicroUsd: 60_000_000 });
    const saleOf = async () =>
      (await underReview()).find(({ sampleId }: { sampleId: string }) => sampleId === gold);
    const { purchaseId } = await saleOf();
    const release = (who: HttpClient, of = purchaseId, key?: string) =>
      who.post(
        `/api/finance/sales-under-review/${of}/release`,
        { reason: 'A sponsor paid for these credits' },
        keyed(key),
      );
    expect((await release(junie)).status).toBe(403);
    expect((await release(office.petra, 'no-such-sale')).body.code).toBe('NotFound');
    const key = randomUUID();
    const asked = await release(office.petra, purchaseId, key);
    expect([asked.status, asked.body]).toEqual([202, { id: expect.any(String), status: 'waiting' }]);
    expect((await release(office.petra, purchaseId, key)).body).toEqual(asked.body);
    expect((await saleOf()).requestId).toBe(asked.body.id);
    expect(await earned()).toMatchObject({ availableMicroUsd: 0 });
    const agree = (who: HttpClient) =>
      who.post(`/api/finance/approvals/${asked.body.id}/approve`, {}, keyed());
    expect((await agree(office.petra)).body.code).toBe('SecondPersonNeeded');
    const seen = (await office.quinn.get(`/api/admin/approvals/${asked.body.id}`)).body;
    expect(seen).toMatchObject({
      work: { kind: 'release-sale', purchaseId, creatorId: junie.userId, shareMicroUsd: 60_000_000 },
      beneficiary: junie.userId,
      reason: 'A sponsor paid for these credits',
    });
    const second = await office.withRole('finance');
    expect((await agree(second)).body.status).toBe('carried out');
    expect(await saleOf()).toBeUndefined();
    expect(await earned()).toMatchObject({ availableMicroUsd: 60_000_000, inDoubtMicroUsd: 0 });
    expect((await withdraw()).body).toMatchObject({ amountUsdCents: 6_000 });
    const acts = (await office.pia.get('/api/admin/audit?kind=release-sale')).body.items;
    expect(acts.map(({ did }: { did: string }) => did)).toEqual(['approved', 'asked']);
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-44] is listed newest first, page by page, in words for what was paid for and came back, too', async () => {
    await office.paidLot({ credits: 2, netMicroUsd: 9_990_000 });
    for (const sample of await onSale(2, 1)) await buy(office.ada, sample, 1);
    await earned();
    const path = '/api/finance/sales-under-review?limit=1';
    const first = (await office.petra.get(path)).body;
    const second = (await office.petra.get(`${path}&cursor=${first.nextCursor}`)).body;
    expect([first, second].map(({ items }) => [items.length, items[0].sampleId.at(-1)])).toEqual([
      [1, '1'],
      [1, '0'],
    ]);
    expect(first.items[0]).toMatchObject({
      perCreditMicroUsd: 4_995_000,
      reason: 'The credits were paid for at more than any product asks now',
    });
    expect((await office.petra.get('/api/finance/sales-under-review?limit=0')).status).toBe(400);
  });

  it('[GONE-14] what is said of its release, and of refusing that, is forgotten with its listener and with its creator', async () => {
    await office.paidLot({ credits: 1, netMicroUsd: 9_990_000 });
    for (const sample of await onSale(1, 1)) await buy(office.ada, sample, 1);
    await earned();
    const [{ purchaseId }] = await underReview();
    const path = `/api/finance/sales-under-review/${purchaseId}/release`;
    const asked = await office.petra.post(path, { reason: 'Ada Lovelace paid by bank' }, keyed());
    const request = `/api/admin/approvals/${asked.body.id}`;
    const no = { reason: 'Ada Lovelace never paid Junie' };
    expect((await office.quinn.post(`${request}/decline`, no, keyed())).status).toBe(200);
    const said = async () => {
      const { rows } = await office.product.resources.database.pool.query(
        `select about from remark where text ~ 'Ada Lovelace' order by text`,
      );
      return rows.map(({ about }) => about.toSorted());
    };
    const both = [junie.userId, office.ada.userId].toSorted();
    expect(await said()).toEqual([both, both]);
    expect((await office.ada.delete('/api/me')).status).toBeLessThan(300);
    expect(await said()).toEqual([]);
    expect((await office.quinn.get(request)).body.reason).toBe('');
  });

  it('[FIN-462] is dated by a calendar that every answer of the API states', async () => {
    await advance(1);
    const { clock } = office.product.resources;
    const before = clock.now().getTime();
    const stated = Date.parse(
      (await office.petra.get('/api/finance/periods')).headers.get('business-time') ?? '',
    );
    expect(stated).toBeGreaterThanOrEqual(before);
    expect(stated).toBeLessThanOrEqual(clock.now().getTime());
  });
});
