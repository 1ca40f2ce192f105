import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { gatewayFor, press, sdkFor, startStripeSimulator, WEBHOOK_SECRET } from '../support/stripe.js';

let folder: string;
let stateFile: string;
let simulator: StripeSimulator;
let stripe: Stripe;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-stripe-'));
  stateFile = join(folder, 'deeper', 'state.json');
  simulator = await startStripeSimulator({ stateFile, webhookSecret: WEBHOOK_SECRET });
  stripe = sdkFor(simulator);
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const failure = async (work: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('requests', () => {
  it('need a test key', async () => {
    expect(await failure(sdkFor(simulator, 'sk_live_x').customers.list())).toMatchObject({ statusCode: 401 });
    expect(await failure(sdkFor(simulator, 'nonsense').customers.list())).toMatchObject({
      statusCode: 401,
      message: expect.not.stringContaining('nonsense'),
    });
    expect((await fetch(`${simulator.url}/v1/customers`)).status).toBe(401);
  });

  it('are refused for an API version with other shapes, and answered with the version otherwise', async () => {
    const call = (version: string) =>
      fetch(`${simulator.url}/v1/customers`, {
        headers: { authorization: 'Bearer sk_test_x', 'stripe-version': version },
      });
    expect((await call('2020-08-27')).status).toBe(400);
    expect((await call('latest')).status).toBe(400);
    expect((await call(Stripe.API_VERSION)).headers.get('stripe-version')).toBe(Stripe.API_VERSION);
  });

  it('fail in Stripe’s words', async () => {
    expect(await failure(stripe.customers.retrieve('cus_none'))).toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      statusCode: 404,
      param: 'id',
      message: "No such customer: 'cus_none'",
    });
    expect(await failure(stripe.customers.create({ emial: 'x' } as object))).toMatchObject({
      code: 'parameter_unknown',
      param: 'emial',
      statusCode: 400,
    });
    expect(
      await failure(stripe.prices.create({ currency: 'usd' } as Stripe.PriceCreateParams)),
    ).toMatchObject({
      code: 'parameter_missing',
      param: 'product',
    });
    expect(
      (await fetch(`${simulator.url}/v1/nothing`, { headers: { authorization: 'Bearer sk_test_x' } })).status,
    ).toBe(404);
    expect(await failure(stripe.customers.retrieve('__proto__'))).toMatchObject({ code: 'resource_missing' });
  });

  it('leave nothing behind when refused', async () => {
    const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { a: '1' } });
    const before = (await stripe.events.list({ limit: 100 })).data.length;
    await failure(stripe.customers.update(customer.id, { email: 'new@example.com', oops: 1 } as object));
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ email: 'ada@example.com' });
    expect((await stripe.events.list({ limit: 100 })).data).toHaveLength(before);
  });

  it('merge metadata and drop emptied keys', async () => {
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } });
    expect((await stripe.customers.update(id, { metadata: { b: '', c: '3' } })).metadata).toEqual({
      a: '1',
      c: '3',
    });
  });

  it('with an Idempotency-Key run once, and the key is refused for another request', async () => {
    const options = { idempotencyKey: 'customer-once' };
    const first = await stripe.customers.create({ email: 'once@example.com' }, options);
    const second = await stripe.customers.create({ email: 'once@example.com' }, options);
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
    expect(await failure(stripe.customers.create({ email: 'other@example.com' }, options))).toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });
});

describe('lists', () => {
  it('come newest first in pages, forwards and backwards', async () => {
    const own = { email: 'page@example.com' };
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) ids.unshift((await stripe.customers.create(own)).id);
    const all = await stripe.customers.list({ ...own, limit: 3 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    const page = await stripe.customers.list({ ...own, limit: 2, ending_before: ids[4] as string });
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([ids.slice(2, 4), true]);
    expect((await stripe.customers.list({ ...own, limit: 7 })).has_more).toBe(false);
    expect(await failure(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await failure(stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({
      statusCode: 404,
    });
  });
});

describe('expand', () => {
  it('puts objects in place of references, along lists, four levels at most', async () => {
    const { url, sessionId } = await gatewayFor(simulator).createCheckout({
      userId: 'expander',
      email: 'expand@example.com',
      product: 'premium',
      successUrl: 'http://127.0.0.1:9/s',
      cancelUrl: 'http://127.0.0.1:9/c',
      idempotencyKey: 'expander',
    });
    await press(url, { outcome: 'paid' });
    const session = await stripe.checkout.sessions.retrieve(sessionId, {
      expand: ['subscription.latest_invoice.payments', 'line_items', 'customer'],
    });
    const subscription = session.subscription as Stripe.Subscription;
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    expect(session.line_items?.data[0]?.amount_total).toBe(1599);
    expect((session.customer as Stripe.Customer).email).toBe('expand@example.com');
    expect(invoice.payments?.data[0]).toMatchObject({ amount_paid: 1599, status: 'paid' });
    const charges = await stripe.charges.list({
      customer: (session.customer as Stripe.Customer).id,
      expand: ['data.balance_transaction'],
    });
    expect(charges.data[0]?.balance_transaction).toMatchObject({ amount: 1599, fee: 76, net: 1523 });
    expect(await failure(stripe.customers.list({ expand: ['data.email'] }))).toMatchObject({
      param: 'expand',
    });
    expect(
      await failure(stripe.subscriptions.retrieve(subscription.id, { expand: ['a.b.c.d.e'] })),
    ).toMatchObject({ param: 'expand' });
  });
});

describe('state', () => {
  it('survives a kill: another process’s snapshot is whole, and a restart goes on from it', async () => {
    const made = await stripe.customers.create({ email: 'kept@example.com' });
    await simulator.advance(3);
    // Without `close`: the file has what a kill would leave.
    const snapshot = JSON.parse(readFileSync(stateFile, 'utf8')) as { clockOffsetSeconds: number };
    expect(snapshot.clockOffsetSeconds).toBe(3 * 86_400);
    const again = await startStripeSimulator({ stateFile, webhookSecret: WEBHOOK_SECRET });
    try {
      const sdk = sdkFor(again);
      expect(await sdk.customers.retrieve(made.id)).toMatchObject({ email: 'kept@example.com' });
      const repeated = await sdk.customers.create(
        { email: 'once@example.com' },
        { idempotencyKey: 'customer-once' },
      );
      expect(repeated.lastResponse.headers['idempotent-replayed']).toBe('true');
    } finally {
      await again.close();
    }
  });

  it('an open checkout page moves along to the new port', async () => {
    const { sessionId } = await gatewayFor(simulator).createCheckout({
      userId: 'mover',
      email: 'move@example.com',
      product: 'starter',
      successUrl: 'http://127.0.0.1:9/s',
      cancelUrl: 'http://127.0.0.1:9/c',
      idempotencyKey: 'mover',
    });
    const again = await startStripeSimulator({ stateFile, webhookSecret: WEBHOOK_SECRET });
    try {
      const session = await sdkFor(again).checkout.sessions.retrieve(sessionId);
      expect(session.url).toMatch(`${again.url}/c/pay/`);
      expect((await fetch(session.url as string)).status).toBe(200);
    } finally {
      await again.close();
    }
  });
});
