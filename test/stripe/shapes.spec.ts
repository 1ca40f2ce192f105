import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { gatewayFor, onboard, press, sdkFor, startWithInbox, type WebhookInbox } from '../support/stripe.js';

/** Property names of the objects that Stripe publishes for the SDK's API version. */
const SHAPES = JSON.parse(readFileSync(new URL('./shapes.json', import.meta.url), 'utf8')) as Record<
  string,
  { always: string[]; sometimes: string[] }
>;

let simulator: StripeSimulator;
let open: Awaited<ReturnType<typeof startWithInbox>>;
let inbox: WebhookInbox;
beforeAll(async () => {
  open = await startWithInbox();
  ({ inbox, simulator } = open);
});
afterAll(() => open.close());

const seen = new Set<string>();

function compare(name: string, object: object | null | undefined): void {
  const shape = SHAPES[name];
  if (!shape) throw new Error(`no shape of ${name}`);
  if (!object) throw new Error(`no ${name} to compare`);
  seen.add(name);
  const names = Object.keys(object);
  expect({ name, missing: shape.always.filter((property) => !names.includes(property)) }).toEqual({
    name,
    missing: [],
  });
  const known = [...shape.always, ...shape.sometimes];
  expect({ name, invented: names.filter((property) => !known.includes(property)) }).toEqual({
    name,
    invented: [],
  });
}

/** Compares every object that has a published shape, including nested ones. */
function compareAll(value: unknown, path?: string): void {
  if (Array.isArray(value)) return value.forEach((item) => compareAll(item, path));
  if (typeof value !== 'object' || value === null) return;
  const kind = (value as { object?: string }).object ?? path;
  if (kind && SHAPES[kind]) compare(kind, value);
  for (const [field, inner] of Object.entries(value)) compareAll(inner, kind && `${kind}.${field}`);
}

it('every object has exactly the properties that Stripe gives it', async () => {
  const gateway = gatewayFor(simulator);
  const { url, customerId } = await gateway.createCheckout({
    userId: 'ada',
    email: 'ada@example.com',
    product: 'premium',
    successUrl: 'http://127.0.0.1:9/s',
    cancelUrl: 'http://127.0.0.1:9/c',
    idempotencyKey: 'shapes',
  });
  const stripe = sdkFor(simulator);
  const raw = async (path: string): Promise<unknown> => {
    const response = await fetch(`${simulator.url}/v1/${path}`, {
      headers: { authorization: 'Bearer sk_test_x' },
    });
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };
  await press(url, { outcome: 'paid', card: '4000000000000341' });
  const [subscription] = (await stripe.subscriptions.list({ customer: customerId as string })).data;
  await gateway.upgrade(subscription?.id as string, 'studio', 'pending');
  await gateway.scheduleDowngrade(subscription?.id as string, 'starter', 'down');
  compareAll(await raw('subscription_schedules'), 'list');
  compareAll(
    JSON.parse(
      JSON.stringify(await stripe.billingPortal.sessions.create({ customer: customerId as string })),
    ),
  );
  const features = { payment_method_update: { enabled: true } };
  await stripe.billingPortal.configurations.create({ features });
  const endpoint = { url: inbox.url, enabled_events: ['customer.updated' as const] };
  compareAll(JSON.parse(JSON.stringify(await stripe.webhookEndpoints.create(endpoint))));
  await simulator.advance(32);
  const account = await stripe.accounts.create({ country: 'US' });
  const back = 'http://127.0.0.1:9/';
  const link = await stripe.accountLinks.create({
    account: account.id,
    return_url: back,
    refresh_url: back,
    type: 'account_onboarding',
  });
  compareAll(JSON.parse(JSON.stringify(link)));
  await onboard(link.url, 'completed');
  const order = { amount: 500, currency: 'usd', destination: account.id };
  const { id: transferId } = await stripe.transfers.create(order);
  await stripe.transfers.createReversal(transferId, { amount: 200 });
  await stripe.payouts.create({ amount: 100, currency: 'usd' });
  for (const path of [
    'customers',
    'products',
    'prices',
    'checkout/sessions?expand[]=data.line_items',
    'subscriptions',
    'invoices?expand[]=data.payments',
    'payment_intents',
    'charges',
    'balance_transactions',
    'invoice_payments',
    `payment_methods?customer=${customerId}`,
    'subscription_schedules',
    'accounts',
    'transfers',
    `transfers/${transferId}/reversals`,
    'balance',
    'payouts',
    'balance_settings',
    'country_specs/US',
    'billing_portal/configurations',
    'webhook_endpoints',
    'events?limit=100',
  ])
    compareAll(await raw(path));
  for (const { event } of inbox.received) compareAll(event);
  const unseen = Object.keys(SHAPES).filter(
    (name) => !seen.has(name) && name !== 'subscription_schedule.phase',
  );
  expect(unseen).toEqual([]);
  const schedule = (await stripe.subscriptionSchedules.list()).data[0];
  for (const phase of schedule?.phases ?? []) compare('subscription_schedule.phase', phase);
});
