import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Remarks } from '../../application/shared/remarks.js';
import type { HttpClient } from '../support/http-client.js';
import { startWithStaff, subscribe, balance, comesTo, pull, bookOf, mailsTo } from '../support/money-back.js';
import { caughtUp, type TestProduct } from '../support/product.js';
import { purchaseOf, stock, STOCKED_FILES } from '../support/stock.js';

let product: TestProduct;
let petra: HttpClient;
let samples: string[];
beforeAll(async () => {
  ({ product, petra } = await startWithStaff());
  samples = await stock(product.resources.database, 50, { prefix: 'withdrawals-' });
});
afterAll(() => product?.stop());

const name = 'Ada Lovelace';
const withdraw = (orderNumber: string, email: string, who = product.browser()) =>
  who.post('/api/withdrawals', { name, orderNumber, email });
const eventsOf = async (stream: string) => product.resources.eventStore.readStream(stream);

describe('the right of withdrawal', () => {
  it('[LAW-706, LAW-707] refunds what is unspent once, ends the plan, and is acknowledged by mail, without sign-in', async () => {
    const { ada, invoiceId } = await subscribe(product);
    await product.resources.creditExecutor.buy(purchaseOf(ada.userId, samples.slice(0, 10)));
    const owed = await bookOf(petra, 'stripe:balance');
    expect((await ada.get('/api/me/contracts')).body.items).toEqual([
      expect.objectContaining({ orderNumber: invoiceId, withdrawnAt: null }),
    ]);
    const answer = await withdraw(invoiceId, ada.email.toUpperCase());
    expect(answer.status).toBe(202);
    await withdraw(invoiceId, ada.email);
    await comesTo(() => balance(ada), 0);
    await caughtUp(product);
    expect(owed - (await bookOf(petra, 'stripe:balance'))).toBe(7_990_000);
    const [mail, ...more] = await mailsTo(product, ada, 'We received your withdrawal');
    expect(more).toEqual([]);
    expect(mail).toContain(`Order number: ${invoiceId}\nName: ${name}\nPaid: `);
    expect(mail).toMatch(/Received: \d+ \w+ \d{4} at \d\d:\d\d UTC/);
    expect(mail).toContain('$7.99 for 40 unspent credits goes back');
    await comesTo(async () => (await ada.get('/api/subscription')).body.scheduledChange?.kind, 'cancel');
    expect(await eventsOf(`contract-${invoiceId}`)).toHaveLength(1);
    const [{ withdrawnAt }] = (await ada.get('/api/me/contracts')).body.items;
    expect(withdrawnAt).toBe(answer.body.receivedAt);
    const acts = (await petra.get(`/api/finance/events?stream=contract-${invoiceId}`)).body.items;
    expect(acts.map(({ type }: { type: string }) => type)).toEqual(['ContractWithdrawn']);
    // The event has only the hash of the name, which goes with the account.
    const [{ data }] = acts;
    expect(JSON.stringify(data)).not.toContain('Lovelace');
    const remarks = product.app.get(Remarks, { strict: false });
    expect((await remarks.read([data.remarkId])).get(data.remarkId)).toBe(name);
    expect((await ada.delete('/api/me')).status).toBe(204);
    expect((await remarks.read([data.remarkId])).size).toBe(0);
  });

  it('[LAW-708] answers an unknown order and a foreign address as it answers a buyer, and does nothing', async () => {
    const { ada, invoiceId } = await subscribe(product);
    const stranger = await product.signedUp();
    const answers = [
      await withdraw('in_unknown', ada.email),
      await withdraw(invoiceId, stranger.email),
      await withdraw(invoiceId, 'unknown@example.com', stranger),
    ];
    expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
      answers.map(() => [202, ['receivedAt']]),
    );
    expect(await eventsOf(`contract-${invoiceId}`)).toEqual([]);
    expect(await balance(ada)).toBe(50);
    expect((await product.browser().post('/api/withdrawals', { orderNumber: invoiceId })).status).toBe(400);
  });

  it('[LAW-709] says truthfully that all credits are spent', async () => {
    const { ada, invoiceId } = await subscribe(product);
    await product.resources.creditExecutor.buy(purchaseOf(ada.userId, samples));
    await withdraw(invoiceId, ada.email);
    const [mail] = await mailsTo(product, ada, 'We received your withdrawal');
    expect(mail).toContain('Nothing is refunded, because nothing of this payment is left');
    expect(await mailsTo(product, ada, 'Your refund')).toEqual([]);
  });

  it('[LAW-720] a purchase without the consent is refused, says what to send, and succeeds with the same key after it', async () => {
    const { ada, invoiceId } = await subscribe(product);
    const { storage, database, creditExecutor } = product.resources;
    const sold = await stock(database, 3, { prefix: 'consent-' });
    for (const id of sold)
      await storage.put(`${STOCKED_FILES}${id}`, Buffer.from(id), { contentType: 'audio/wav' });
    const buy = (sampleId: string, key: string) =>
      ada.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers: { 'idempotency-key': key } });
    const [first = '', second = '', third = ''] = sold;
    // Bought before the invoice was paid, or with an older client: it is delivered again without a consent.
    await creditExecutor.buy(purchaseOf(ada.userId, [first]));
    expect((await buy(first, randomUUID())).status).toBe(200);
    const key = randomUUID();
    const refused = await buy(second, key);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'DeliveryConsentNeeded',
        version: '1',
        text: expect.stringContaining('right of withdrawal'),
      },
    });
    expect(await balance(ada)).toBe(49);
    const legacy = { buyerId: ada.userId, sampleId: second, creatorId: 'junie', credits: 1, currency: 'usd' };
    const headers = { 'idempotency-key': randomUUID() };
    for (const [path, body] of [
      ['/api/credits/purchase', legacy],
      ['/api/samples/downloads', { sampleIds: [second, third], expectedCredits: 2 }],
    ] as const)
      expect((await ada.post(path, body, { headers })).body.code).toBe('DeliveryConsentNeeded');
    expect((await ada.post('/api/me/contracts/consent', { version: refused.body.version })).status).toBe(204);
    expect((await buy(second, key)).status).toBe(201);
    // A repeated request gets its answer, whatever was paid since.
    await database.pool.query(`update stripe_invoice set invoice_id = $2 where invoice_id = $1`, [
      invoiceId,
      `${invoiceId}-newer`,
    ]);
    expect((await buy(third, randomUUID())).body.code).toBe('DeliveryConsentNeeded');
    expect(await buy(second, key)).toMatchObject({ status: 201, body: { charged: 1 } });
    expect(await balance(ada)).toBe(48);
    await database.pool.query(`update stripe_invoice set invoice_id = $1 where invoice_id = $2`, [
      invoiceId,
      `${invoiceId}-newer`,
    ]);
  });

  it('[LAW-710] records the consent at checkout and before the first download, once per invoice', async () => {
    const { ada, invoiceId } = await subscribe(product);
    expect((await ada.get('/api/credits')).body.consentDue).toBe(true);
    for (let round = 0; round < 2; round += 1)
      expect((await ada.post('/api/me/contracts/consent', { version: '1' })).status).toBe(204);
    expect((await ada.get('/api/credits')).body.consentDue).toBeUndefined();
    expect((await ada.post('/api/me/contracts/consent', { version: '0' })).status).toBe(400);
    const max = await product.signedUp();
    await max.post('/api/stripe/create-checkout-session', { plan: 'starter', consent: '1' });
    const given = async (client: HttpClient) =>
      (await eventsOf(`withdrawal-consent-${client.userId}`)).map(({ data }) => [
        data.occasion,
        data.version,
        data.invoiceIds,
      ]);
    expect(await given(ada)).toEqual([['download', '1', [invoiceId]]]);
    expect(await given(max)).toEqual([['checkout', '1', []]]);
  });

  it('[LAW-709] says truthfully that the 14 days are over', async () => {
    const { ada, invoiceId } = await subscribe(product);
    await pull(product, 'advance', { days: 15 });
    await withdraw(invoiceId, ada.email);
    const [mail] = await mailsTo(product, ada, 'We received your withdrawal');
    expect(mail).toContain('The right of withdrawal ended on ');
    expect(await balance(ada)).toBeGreaterThanOrEqual(50);
    expect((await ada.get('/api/subscription')).body.scheduledChange).toBeNull();
  });
});
