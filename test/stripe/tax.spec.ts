import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openCheckout } from '../../adapters/vendors/stripe/stripe-checkout.js';
import { scheduleDowngrade, upgrade } from '../../adapters/vendors/stripe/stripe-plan-changes.js';
import { ensurePrices } from '../../adapters/vendors/stripe/stripe-prices.js';
import { StripePlanTaxes } from '../../adapters/vendors/stripe/stripe-plan-taxes.js';
import { TaxTerms } from '../../application/subscriptions/tax.js';
import { taxPlansAtStripe } from '../../cli/stripe-tax-plans.command.js';
import { setUpStripe } from '../../cli/stripe-setup.command.js';
import { checkStripe } from '../../adapters/vendors/stripe/stripe-check.js';
import { STRIPE_LIMITS } from '../../adapters/vendors/stripe/stripe-client.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { gatewayFor, press, sdkFor, startWithInbox } from '../support/stripe.js';

const TAX = { code: 'txcd_10401100' };
let open: Awaited<ReturnType<typeof startWithInbox>>;
let simulator: StripeSimulator;
beforeAll(async () => {
  open = await startWithInbox();
  ({ simulator } = open);
});
afterAll(() => open.close());

let users = 0;
const order = (plan: 'starter' | 'studio' = 'studio') => ({
  userId: `user-${(users += 1)}`,
  email: `listener${users}@example.com`,
  product: plan,
  successUrl: 'http://127.0.0.1:9/s',
  cancelUrl: 'http://127.0.0.1:9/c',
  idempotencyKey: `tax-${users}`,
});
const taxing = () => gatewayFor(simulator, undefined, { tax: TAX });
const hook = (name: string, fields: Record<string, string> = {}) =>
  fetch(`${simulator.url}/_test/${name}`, { method: 'POST', body: new URLSearchParams(fields) });

/** Returns a customer who paid for a plan at a place. */
async function paying(
  gateway: ReturnType<typeof gatewayFor>,
  fields: { place?: string; taxId?: string } = {},
  plan: 'starter' | 'studio' = 'studio',
) {
  const checkout = await gateway.createCheckout(order(plan));
  expect((await press(checkout.url, { outcome: 'paid', ...fields })).status).toBe(303);
  const customer = checkout.customerId as string;
  const [subscription] = (await sdkFor(simulator).subscriptions.list({ customer })).data;
  const newest = async () => {
    const { latest_invoice: invoice } = await sdkFor(simulator).subscriptions.retrieve(
      subscription?.id as string,
    );
    return gateway.readInvoice(invoice as string);
  };
  return { ...checkout, customer, subscriptionId: subscription?.id as string, newest };
}

it('[TAX-01] without STRIPE_TAX nothing that is sent says a word of tax', async () => {
  const sent: string[] = [];
  const { hostname, port } = new URL(simulator.url);
  const stripe = new Stripe('sk_test_x', {
    host: hostname,
    port,
    protocol: 'http',
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
      sent.push(`${init?.method} ${new URL(String(url)).pathname} ${String(init?.body ?? '')}`);
      return fetch(url, init);
    }),
  });
  const prices = await ensurePrices(stripe, undefined);
  const { customerId } = await openCheckout(stripe, prices.get('premium') as string, {
    ...order(),
    tax: undefined,
  });
  const session = sent.find((call) => call.startsWith('POST /v1/checkout/sessions '));
  expect([...new URLSearchParams(session?.split(' ')[2]).keys()]).toEqual([
    'mode',
    'subscription_data[metadata][userId]',
    'customer',
    'client_reference_id',
    'line_items[0][price]',
    'line_items[0][quantity]',
    'metadata[order]',
    'success_url',
    'cancel_url',
    'customer_update[address]',
    'allow_promotion_codes',
  ]);
  const [open] = (await stripe.checkout.sessions.list({ customer: customerId })).data;
  await press(open?.url as string, { outcome: 'paid' });
  const [subscription] = (await stripe.subscriptions.list({ customer: customerId })).data;
  const change = { subscriptionId: subscription?.id as string, idempotencyKey: 'off', taxed: false };
  const call = { idempotencyKey: 'off' };
  await upgrade(stripe, { ...change, price: prices.get('studio') as string, call });
  await scheduleDowngrade(stripe, { ...change, price: prices.get('starter') as string });
  const posted = sent.flatMap((each) => {
    const [method, , body] = each.split(' ');
    return method === 'POST' ? [[...new URLSearchParams(body).keys()].join(' ')] : [];
  });
  expect(posted).toHaveLength(17);
  expect(posted.filter((names) => names.includes('tax'))).toEqual([]);
});

it('[TAX-02] setup and check know the tax settings, and keep the prices from before', async () => {
  const said: string[] = [];
  const own = { secretKey: 'sk_test_x', webhookSecret: 'none yet', apiBase: simulator.url };
  const publicUrl = 'http://127.0.0.1:9';
  const setUp = (tax?: { code: string; seller: string }) =>
    setUpStripe(
      { stripe: own, stripeLimits: { ...STRIPE_LIMITS, retries: 0 }, publicUrl, ...(tax && { tax }) },
      { dryRun: false, rotateSecrets: false, removeReplaced: false },
      (line) => said.push(line),
    );
  const place = {
    publicUrl,
    production: false,
    now: () => new Date(),
    wallNow: () => new Date(),
    owedUsdCents: async () => 0,
  };
  const findings = async () =>
    Object.fromEntries(
      ((await checkStripe({ ...own, retries: 0, tax: TAX }, place)) ?? []).map(({ name, text }) => [
        name,
        text,
      ]),
    );
  await setUp();
  expect(said.join('\n')).not.toContain('tax');
  expect((await findings())['tax settings']).toContain('it has other defaults');
  await setUp({ ...TAX, seller: '' });
  expect(said.filter((line) => line.startsWith('done') && line.includes('tax'))).toHaveLength(7);
  expect(await findings()).toMatchObject({
    'tax settings': 'correct',
    tax: 'Stripe calculates tax; the head office is in US',
  });
  const stripe = sdkFor(simulator);
  const prices = (await stripe.prices.list({ product: 'offcut_studio' })).data;
  expect(prices.map(({ active, tax_behavior }) => [active, tax_behavior])).toEqual([
    [true, 'exclusive'],
    [true, 'unspecified'],
  ]);
  expect((await stripe.products.retrieve('offcut_studio')).tax_code).toBe(TAX.code);
  await hook('tax-settings', { status: 'pending' });
  expect((await findings())['tax']).toBe(
    'Stripe calculates no tax: add head_office.address under Settings, Tax in the Stripe Dashboard',
  );
  await hook('tax-settings', { status: 'active' });
});

it('[TAX-03] the page asks where the payer is; the tax of that place comes on top, month after month', async () => {
  const gateway = taxing();
  const { url } = await gateway.createCheckout(order());
  const page = await (await fetch(url)).text();
  expect(page).toContain('Billing address');
  expect(page).toContain('>Pay $19.99 plus tax<');
  expect((await press(url, { outcome: 'paid' })).status).toBe(400);
  const ada = await paying(gateway, { place: 'NL' });
  const line = {
    grossUsdCents: 2419,
    taxUsdCents: 420,
    taxes: [
      {
        country: 'NL',
        state: null,
        name: 'VAT',
        percentage: 21,
        taxableUsdCents: 1999,
        taxUsdCents: 420,
        reason: 'standard_rated',
      },
    ],
  };
  expect(await ada.newest()).toMatchObject({ untaxed: null, lines: [line] });
  const session = await sdkFor(simulator).checkout.sessions.retrieve(ada.sessionId);
  expect(session).toMatchObject({ amount_total: 2419, automatic_tax: { status: 'complete' } });
  const first = (await ada.newest())?.invoiceId;
  await simulator.advance(32);
  expect(await ada.newest()).toMatchObject({ lines: [line] });
  expect((await ada.newest())?.invoiceId).not.toBe(first);
});

it('[TAX-04] a tax number reverses the charge, a state is named, elsewhere nothing is collected', async () => {
  const gateway = taxing();
  const of = async (fields: { place: string; taxId?: string }) => {
    const { newest } = await paying(gateway, fields);
    return (await newest())?.lines[0]?.taxes.map(({ country, state, taxUsdCents, reason }) =>
      [country, state, taxUsdCents, reason].join(' '),
    );
  };
  expect(await of({ place: 'DE', taxId: 'DE123456789' })).toEqual(['DE  0 reverse_charge']);
  expect(await of({ place: 'US-NY' })).toEqual(['US NY 177 standard_rated']);
  expect(await of({ place: 'JP' })).toEqual(['JP  0 not_collecting']);
});

it('[TAX-05] a plan from before gets the tax with its next change, where it is known where its payer is', async () => {
  const before = gatewayFor(simulator);
  const [known, unknown] = [await paying(before, {}, 'starter'), await paying(before, {}, 'starter')];
  expect((await known.newest())?.untaxed).toBe('automatic tax is off');
  await sdkFor(simulator).customers.update(known.customer, { address: { country: 'FR' } });
  const gateway = taxing();
  for (const { subscriptionId } of [known, unknown])
    await gateway.upgrade(subscriptionId, 'studio', `up-${subscriptionId}`);
  expect(await known.newest()).toMatchObject({
    untaxed: null,
    lines: [{ product: 'studio', taxUsdCents: 400 }],
  });
  expect(await unknown.newest()).toMatchObject({
    untaxed: 'automatic tax is off',
    lines: [{ product: 'studio', taxUsdCents: 0 }],
  });
  await hook('untax-next-invoice');
  const { newest } = await paying(gateway, { place: 'DE' });
  expect((await newest())?.untaxed).toBe('finalization_system_error');
});

it('[TAX-470] plans from before get tax from their next bill on; where the address does not do, what it lacks is named', async () => {
  const [before, sdk] = [gatewayFor(simulator), sdkFor(simulator)];
  const [known, nowhere, american, scheduled] = [
    await paying(before),
    await paying(before),
    await paying(before),
    await paying(before),
  ];
  await sdk.customers.update(known.customer, { address: { country: 'DE' } });
  await sdk.customers.update(american.customer, { address: { country: 'US', state: 'NY' } });
  await sdk.customers.update(scheduled.customer, { address: { country: 'FR' } });
  await before.scheduleDowngrade(scheduled.subscriptionId, 'starter', 'before-tax');
  const options = { secretKey: 'sk_test_x', webhookSecret: '', apiBase: simulator.url, retries: 0 };
  const run = async (apply: boolean, on = true) => {
    const said: string[] = [];
    const app = { get: () => new TaxTerms(on, '') } as unknown as INestApplicationContext;
    const planTaxes = new StripePlanTaxes(options);
    const code = await taxPlansAtStripe({ app, planTaxes }, { apply }, (line) => said.push(line));
    const of = ({ subscriptionId }: { subscriptionId: string }) =>
      said.find((line) => line.includes(subscriptionId))?.replace(/ +sub_.*?(?=:|$)/, '');
    return { code, said, of: [known, nowhere, american, scheduled].map(of) };
  };
  const lacking = ['missing: the payer has no address', 'missing: the address has no postal code'];
  const taxed = async () => (await sdk.subscriptions.retrieve(known.subscriptionId)).automatic_tax.enabled;

  expect(await run(true, false)).toMatchObject({ code: 1, said: [expect.stringContaining('STRIPE_TAX=on')] });
  expect((await run(false)).of).toEqual(['to be taxed', ...lacking, 'to be taxed']);
  expect(await taxed()).toBe(false);
  // Stripe is unavailable in the middle, and the second run finishes the work.
  await hook('refuse', { times: '1', status: '503', code: 'api_error', path: '/v1/subscription_schedules' });
  const first = await run(true);
  expect([first.code, first.said.at(-1)]).toEqual([1, expect.stringContaining('Run the command again')]);
  const second = await run(true);
  expect([second.code, second.of.slice(1, 3)]).toEqual([0, lacking]);
  expect([first.of[0] ?? second.of[0], second.of[3]]).toEqual(['taxed', 'taxed']);
  // A plan that is already taxed is not listed again.
  expect((await run(true)).of).toEqual([undefined, ...lacking, undefined]);

  await simulator.advance(32);
  expect(await known.newest()).toMatchObject({ untaxed: null, lines: [{ taxUsdCents: 380 }] });
  expect(await scheduled.newest()).toMatchObject({
    untaxed: null,
    lines: [{ product: 'starter', taxUsdCents: 200 }],
  });
  expect((await nowhere.newest())?.untaxed).toBe('automatic tax is off');
});

it('[TAX-06] what the simulator says of tax has the properties that Stripe gives it', async () => {
  const shapes = JSON.parse(readFileSync(new URL('./tax-shapes.json', import.meta.url), 'utf8')) as Record<
    string,
    string[]
  >;
  const raw = async (path: string, body?: Record<string, string>): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${simulator.url}/v1/${path}`, {
      headers: { authorization: 'Bearer sk_test_x' },
      ...(body && { method: 'POST', body: new URLSearchParams(body) }),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as Record<string, unknown>;
  };
  const ada = await paying(taxing(), { place: 'DE', taxId: 'DE123456789' });
  const eve = await paying(taxing(), { place: 'DE' });
  const invoiceId = (await eve.newest())?.invoiceId as string;
  const [charge] = (await sdkFor(simulator).charges.list({ customer: eve.customer })).data;
  const { id: refund } = await raw('refunds', { charge: charge?.id as string, amount: '1189' });
  const note = await raw('credit_notes', {
    invoice: invoiceId,
    amount: '1189',
    'refunds[0][refund]': refund as string,
    'refunds[0][amount_refunded]': '1189',
  });
  expect(note).toMatchObject({ total: 1189, total_excluding_tax: 999, total_taxes: [{ amount: 190 }] });
  const line = (await sdkFor(simulator).invoices.retrieve(invoiceId)).lines.data[0];
  const objects: Record<string, object | undefined> = {
    'tax.settings': await raw('tax/settings'),
    tax_id: ((await raw(`customers/${ada.customer}/tax_ids`)) as { data: object[] }).data[0],
    tax_rate: await raw(`tax_rates/${line?.taxes?.[0]?.tax_rate_details?.tax_rate}`),
    credit_note: note,
    credit_note_line_item: (note['lines'] as { data: object[] }).data[0],
  };
  for (const [name, object] of Object.entries(objects))
    expect([name, Object.keys(object ?? {}).sort()]).toEqual([name, shapes[name]]);
});
