import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import type { TaxReport } from '../../application/ledger/tax/tax-contract.js';
import { finance } from '../../cli/finance/finance.command.js';
import { openTools } from '../../cli/tools.js';
import { AlertQueries } from '../../application/ledger/queries.js';
import { parseCsv } from '../support/csv.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import type { Mail } from '../../application/mail/mailer.js';
import { balance, bookOf, pull, refundBy, comesTo } from '../support/money-back.js';
import { caughtUp, startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { press, sdkFor } from '../support/stripe.js';

let product: TestProduct;
let petra: HttpClient;
let pia: HttpClient;
beforeAll(async () => {
  product = await startTestProduct({ STRIPE_TAX: 'on', TAX_SELLER: 'Offcut GmbH, VAT DE999999999' });
  [petra, pia] = [await signedUpAs(product, 'finance'), await signedUpAs(product, 'admin')];
});
afterAll(() => product?.stop());

const book = (account: string) => bookOf(petra, account);
const hook = (name: string, fields?: object) => pull(product, name, fields);
const sweep = () => product.app.get(BalanceTransactions, { strict: false }).sweep();
const broken = async () =>
  (await product.app.get(Reconcile, { strict: false }).run()).invariants.filter(({ holds }) => !holds);

/** Signs up a user with a plan, paid from a place. */
async function subscriber(
  plan: 'starter' | 'studio',
  fields: { place: string; taxId?: string; promotionCode?: string },
) {
  const ada = await product.signedUp();
  const { body } = await ada.post('/api/stripe/create-checkout-session', { plan });
  await press(body.url, { outcome: 'paid', ...fields });
  await comesTo(() => balance(ada), plan === 'studio' ? 150 : 50);
  const history = await product.resources.eventStore.readStream(`credits-${ada.userId}`);
  const grant = history.find(({ type }) => type === 'CreditsGranted')?.data as {
    lotId: string;
    valueMicroUsd: number;
    invoice: { invoiceId: string; taxed?: object };
  };
  return { ada, grant, invoiceId: grant.invoice.invoiceId };
}

it('[TAX-07] 24.19 are 19.99 for credits and 4.20 that are owed to the Netherlands', async () => {
  const [cash, owed] = [await book('stripe:balance'), await book('tax:NL')];
  const { grant } = await subscriber('studio', { place: 'NL' });
  expect(grant).toMatchObject({
    credits: 150,
    valueMicroUsd: 19_990_000,
    invoice: {
      grossMicroUsd: 24_190_000,
      taxMicroUsd: 4_200_000,
      taxed: { place: 'NL', percentage: 21, taxableMicroUsd: 19_990_000, reason: 'standard_rated' },
    },
  });
  await comesTo(() => book('tax:NL'), owed - 4_200_000);
  await sweep();
  expect(await book(`deferred:${grant.lotId}`)).toBe(-19_990_000);
  expect((await book('stripe:balance')) - cash).toBeGreaterThan(23_000_000);
  expect(await broken()).toEqual([]);
});

it('[TAX-08] what is given back takes the tax of its place along, in part and in whole', async () => {
  const { ada, invoiceId, grant } = await subscriber('studio', { place: 'DE' });
  const owed = await book('tax:DE');
  expect(grant.invoice).toMatchObject({ taxMicroUsd: 3_800_000 });
  // Half of 23.79; the other half has the rounded cent.
  await hook('refund', { invoice: invoiceId, amountUsdCents: 1_189 });
  await comesTo(() => book('tax:DE'), owed + 1_890_000);
  expect(await balance(ada)).toBe(75);
  await hook('refund', { invoice: invoiceId });
  await comesTo(() => book('tax:DE'), owed + 3_800_000);
  expect(await balance(ada)).toBe(0);
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[TAX-09, CRED-781] a dispute that is lost takes the tax of its place along, until an appeal is won', async () => {
  const { invoiceId } = await subscriber('starter', { place: 'US-NY' });
  const owed = await book('tax:US-NY');
  const dispute = await hook('dispute', { invoice: invoiceId });
  await hook('close-dispute', { dispute: dispute.id, outcome: 'lost' });
  await comesTo(() => book('tax:US-NY'), owed + 890_000);
  await sweep();
  expect(await broken()).toEqual([]);
  await hook('close-dispute', { dispute: dispute.id, outcome: 'won' });
  await comesTo(() => book('tax:US-NY'), owed);
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[TAX-10] a sale whose tax nobody found out brings its credits and an alert, once', async () => {
  await hook('untax-next-invoice');
  const { invoiceId, grant } = await subscriber('starter', { place: 'FR' });
  expect(grant.valueMicroUsd).toBe(9_990_000);
  expect(grant.invoice.taxed).toBeUndefined();
  const { items } = await product.app.get(AlertQueries, { strict: false }).list();
  expect(items.filter(({ kind }) => kind === 'untaxed-sale')).toMatchObject([
    { item: invoiceId, text: expect.stringContaining('finalization_system_error') },
  ]);
});

it('[TAX-11] the report by month and place ties to the accounts of the places, over the API and the command line', async () => {
  await subscriber('studio', { place: 'DE', taxId: 'DE123456789' });
  const { items } = (await petra.get('/api/finance/tax')).body as TaxReport;
  const month = product.resources.clock.now().toISOString().slice(0, 7);
  expect(items.map(({ country, state }) => [country, state])).toEqual([
    ['DE', null],
    ['NL', null],
    ['US', 'NY'],
  ]);
  expect(items[0]).toEqual({
    month,
    country: 'DE',
    state: null,
    sales: 2,
    soldMicroUsd: 39_980_000,
    returnedMicroUsd: 19_990_000,
    taxableMicroUsd: 0,
    reverseChargeMicroUsd: 19_990_000,
    collectedMicroUsd: 3_800_000,
    givenBackMicroUsd: 3_800_000,
    dueMicroUsd: 0,
  });
  for (const { country, state, dueMicroUsd } of items)
    expect([country, 0 - dueMicroUsd]).toEqual([
      country,
      await book(`tax:${country}${state ? `-${state}` : ''}`),
    ]);
  expect((await petra.get('/api/finance/tax?to=2020-01-01')).body).toEqual({ items: [] });
  const said: string[] = [];
  const tools = await openTools(product.resources.config);
  await finance(tools, { command: 'tax', format: 'json' }, (line) => said.push(line)).finally(tools.close);
  expect(JSON.parse(said.join('\n'))).toEqual({ items });
});

it('[BOOK-815, CRED-781] the return of a reverse-charge sale, in part, in whole or to a bank, reduces the reverse charge', async () => {
  const row = async () =>
    ((await petra.get('/api/finance/tax')).body as TaxReport).items.find(({ country }) => country === 'FR');
  const firm = { place: 'FR', taxId: 'FR12345678901' };
  const before = await row();
  const [part, bank] = [await subscriber('studio', firm), await subscriber('starter', firm)];
  const sold = (before?.reverseChargeMicroUsd ?? 0) + 29_980_000;
  const reversed = async () => (await row())?.reverseChargeMicroUsd;
  await comesTo(reversed, sold);
  await hook('refund', { invoice: part.invoiceId, amountUsdCents: 999 });
  await comesTo(reversed, sold - 9_990_000);
  await hook('refund', { invoice: part.invoiceId });
  await comesTo(reversed, sold - 19_990_000);
  const dispute = await hook('dispute', { invoice: bank.invoiceId });
  await hook('close-dispute', { dispute: dispute.id, outcome: 'lost' });
  await comesTo(reversed, before?.reverseChargeMicroUsd ?? 0);
  await hook('close-dispute', { dispute: dispute.id, outcome: 'won' });
  await comesTo(reversed, (before?.reverseChargeMicroUsd ?? 0) + 9_990_000);
  await hook('refund', { invoice: bank.invoiceId });
  await comesTo(reversed, before?.reverseChargeMicroUsd ?? 0);
  expect((await row())?.taxableMicroUsd).toBe(before?.taxableMicroUsd ?? 0);
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[BOOK-832] the firms of a quarter stand by VAT id, less returns, and tie to the reverse charge of the VAT return', async () => {
  const [kept, part] = [
    await subscriber('studio', { place: 'IT', taxId: 'IT12345678901' }),
    await subscriber('starter', { place: 'IT', taxId: 'IT98765432109' }),
  ];
  expect(kept.grant.valueMicroUsd).toBe(19_990_000);
  await hook('refund', { invoice: part.invoiceId, amountUsdCents: 399 });
  const now = product.resources.clock.now();
  const path = `/api/finance/vat/${now.getUTCFullYear()}-Q${Math.floor(now.getUTCMonth() / 3) + 1}`;
  const ofItaly = async () =>
    parseCsv((await petra.get(`${path}/firms.csv`)).body)
      .filter(([, country]) => country === 'IT')
      .map(([, , vatId, net]) => [vatId, net]);
  await comesTo(ofItaly, [
    ['IT12345678901', '19.990000'],
    ['IT98765432109', '6.000000'],
  ]);
  const [, ...rows] = parseCsv((await petra.get(`${path}/firms.csv`)).body);
  const { items } = (await petra.get(path)).body as {
    items: { country: string; reverseChargeMicroUsd: number }[];
  };
  for (const { country, reverseChargeMicroUsd } of items) {
    const ofCountry = rows.filter(([, each]) => each === country);
    const sum = ofCountry.reduce((total, row) => total + Math.round(Number(row[3]) * 1e6), 0);
    expect([country, sum]).toEqual([country, reverseChargeMicroUsd]);
  }
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[PROMO-740] a code of the shop takes its discount off before tax, and a refund gives back what was paid', async () => {
  const sdk = sdkFor(product.resources.stripeSimulator!);
  for (const [code, percent_off] of [
    ['HALF', 50],
    ['FREE', 100],
  ] as const) {
    const { id: coupon } = await sdk.coupons.create({ percent_off, duration: 'once' });
    await sdk.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code });
  }
  const owed = await book('tax:NL');
  const { ada, grant, invoiceId } = await subscriber('starter', { place: 'NL', promotionCode: 'HALF' });
  expect(grant).toMatchObject({
    valueMicroUsd: 4_990_000,
    invoice: { taxMicroUsd: 1_050_000, taxed: { place: 'NL', taxableMicroUsd: 4_990_000 } },
  });
  await comesTo(() => book('tax:NL'), owed - 1_050_000);
  await comesTo(async () => (await mailTo(ada, 'Your receipt'))?.includes(RECEIPT), true);
  const free = await subscriber('starter', { place: 'NL', promotionCode: 'FREE' });
  expect(free.grant).toMatchObject({ valueMicroUsd: 0, invoice: { grossMicroUsd: 0, taxMicroUsd: 0 } });
  expect((await refundBy(pia, invoiceId)).status).toBe(201);
  await comesTo(() => book('tax:NL'), owed);
  await sweep();
  expect(await broken()).toEqual([]);
});
const RECEIPT = '\nNet: $4.99\nVAT 21 %, Netherlands: $1.05\nPaid: $6.04, on ';

it('[GIFT-751] a gift is taxed once, in the place of its payer at the sale, wherever its receiver is', async () => {
  const { ada: ben } = await subscriber('starter', { place: 'NL' });
  const ada = await product.signedUp();
  await caughtUp(product);
  const [sold, elsewhere] = [await book('tax:DE'), await book('tax:NL')];
  const order = { product: 'top-up-25', giftTo: 'print', consent: '1' };
  const { body } = await ada.post('/api/checkout', order, keyed());
  await press(body.url, { outcome: 'paid', place: 'DE' });
  await comesTo(() => book('tax:DE'), sold - 1_140_000);
  const [gift] = (await ada.get('/api/gifts')).body.items;
  expect((await ben.post('/api/gifts/redeem', { code: gift.code }, keyed())).body.balance).toBe(75);
  await caughtUp(product);
  expect([await book('tax:DE'), await book('tax:NL')]).toEqual([sold - 1_140_000, elsewhere]);
  const [{ orderNumber }] = (await ada.get('/api/me/contracts')).body.items;
  expect((await refundBy(pia, orderNumber)).body).toMatchObject({ amountUsdCents: 713 });
  await comesTo(() => book('tax:DE'), sold);
  expect([await balance(ben), await book('tax:NL')]).toEqual([50, elsewhere]);
});

it('[TAX-12] the plans say that tax comes on top', async () => {
  const { items } = (await product.browser().get('/api/plans')).body;
  expect(items.map(({ plusTax }: { plusTax?: boolean }) => plusTax)).toEqual([true, true, true]);
});

const mailTo = async ({ email }: HttpClient, subject: string): Promise<string | undefined> => {
  const mails = (await product.browser().get('/dev/mailbox?format=json')).body as Mail[];
  return mails.find((mail) => mail.to === email && mail.subject.startsWith(subject))?.text;
};

it('[TAX-14, BOOK-808] receipts have a line for the tax of each rate and place, and say who sells', async () => {
  const [ada, ben] = [
    (await subscriber('studio', { place: 'NL' })).ada,
    (await subscriber('starter', { place: 'FR', taxId: 'FR12345678901' })).ada,
  ];
  const has = async (who: HttpClient, line: string) => (await mailTo(who, 'Your receipt'))?.includes(line);
  await comesTo(() => has(ada, '\nNet: $19.99\nVAT 21 %, Netherlands: $4.20\nPaid: $24.19, on '), true);
  expect(await has(ada, '\nSold by: Offcut GmbH, VAT DE999999999')).toBe(true);
  // [BOOK-808] A firm's receipt names the firm and its VAT id; a consumer's names neither.
  await comesTo(() => has(ben, '\nBilled to: Example Firm, VAT id FR12345678901'), true);
  expect(await has(ada, 'Billed to:')).toBe(false);
  await comesTo(() => has(ben, '\nNet: $9.99\nVAT, France, reverse charge: $0.00\nPaid: $9.99, on '), true);
});

it('[TAX-15] a refund of ours makes one credit note with its tax, also where Stripe was away first', async () => {
  const sdk = sdkFor(product.resources.stripeSimulator!);
  const noted = async (invoice: string) =>
    (await sdk.creditNotes.list({ invoice })).data.map(({ total, total_taxes, refunds }) => [
      total,
      total_taxes?.[0]?.amount,
      refunds.length,
    ]);
  const { ada, invoiceId } = await subscriber('studio', { place: 'DE' });
  expect((await refundBy(pia, invoiceId)).status).toBe(201);
  expect(await noted(invoiceId)).toEqual([[2379, 380, 1]]);
  await comesTo(async () => (await mailTo(ada, 'Your refund'))?.includes(', $3.80 of it tax'), true);
  const away = await subscriber('starter', { place: 'DE' });
  await hook('refuse', { times: 2, status: 503, code: 'api_error', path: '/v1/credit_notes' });
  expect((await refundBy(pia, away.invoiceId)).status).toBe(201);
  await comesTo(() => noted(away.invoiceId), [[1189, 190, 1]]);
});

it('[TAX-15] finance is told where Stripe refuses the credit note; the refund stands', async () => {
  const { invoiceId } = await subscriber('starter', { place: 'DE' });
  await hook('refuse', { times: 100, status: 400, code: 'not_creditable', path: '/v1/credit_notes' });
  const { status, body } = await refundBy(pia, invoiceId);
  expect([status, body.status]).toEqual([201, 'refunded']);
  const told = async () =>
    (await product.app.get(AlertQueries, { strict: false }).list()).items.flatMap(({ kind, text }) =>
      kind === 'credit-note' ? [text.includes('Refused: not_creditable')] : [],
    );
  await comesTo(told, [true]);
  await hook('refuse', { times: 0 });
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[FIN-713] the return of a quarter is in dollars until the euro rate of its last day is stored, which waits for the end', async () => {
  const now = product.resources.clock.now();
  const quarterOf = (at: Date) => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`;
  const quarter = quarterOf(now);
  const read = () => petra.get(`/api/finance/vat/${quarter}`);
  const before = (await read()).body;
  expect(before.usdPerEur).toBeNull();
  const report = (await petra.get('/api/finance/tax')).body as TaxReport;
  for (const { country, taxMicroUsd, taxableMicroUsd, taxEurCents } of before.items) {
    const rows = report.items.filter((row) => row.country === country && row.month >= quarter.slice(0, 4));
    expect(rows.map(({ dueMicroUsd }) => dueMicroUsd)).toContain(taxMicroUsd);
    expect([typeof taxableMicroUsd, taxEurCents]).toEqual(['number', null]);
  }
  expect(before.items.map(({ country }: { country: string }) => country)).not.toContain('US');
  const store = (usdPerEur: unknown) => petra.put(`/api/finance/vat/${quarter}/rate`, { usdPerEur });
  expect((await store('1.2500')).body.code).toBe('PeriodNotOver');
  for (const bad of ['0.0000', '1.25', 1.25, '12.0000', '1,2500'])
    expect([bad, (await store(bad)).body.code]).toEqual([bad, 'InvalidRequest']);
  await product.resources.stripeSimulator!.advance(92);
  const { status, body } = await store('1.2500');
  expect([status, body.usdPerEur]).toEqual([200, '1.2500']);
  for (const { taxMicroUsd, taxEurCents } of body.items)
    expect(taxEurCents).toBe(Math.round(taxMicroUsd / 12_500));
  expect((await store('1.3000')).body.usdPerEur).toBe('1.3000');
  expect((await read()).body.usdPerEur).toBe('1.3000');
});
