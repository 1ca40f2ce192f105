import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { readConfig } from '../../bootstrap/config.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { monthsAfter } from '../../simulators/stripe/world.js';
import { StripePaymentGateway } from '../../adapters/vendors/stripe/stripe-payment-gateway.js';
import { SystemClock } from '../../application/shared/clock.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import {
  gatewayFor,
  press,
  sdkFor,
  startSilentServer,
  startStripeSimulator,
  WEBHOOK_SECRET,
} from '../support/stripe.js';

const START = new Date('2027-01-31T10:00:00.000Z');
let simulator: StripeSimulator;
let gateway: StripePaymentGateway;
let stripe: Stripe;

beforeEach(async () => {
  simulator = await startStripeSimulator({ webhookSecret: WEBHOOK_SECRET, clock: { now: () => START } });
  gateway = gatewayFor(simulator);
  stripe = sdkFor(simulator);
});
afterEach(() => simulator.close());

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

async function subscribe(plan: PlanId, card = '4242424242424242'): Promise<{ id: string; customer: string }> {
  const { url, customerId } = await gateway.createCheckout({
    userId: `user-${plan}`,
    email: `${plan}@example.com`,
    product: plan,
    successUrl: 'http://127.0.0.1:9/s',
    cancelUrl: 'http://127.0.0.1:9/c',
    idempotencyKey: `clock-${plan}`,
  });
  await press(url, { outcome: 'paid', card });
  const { data } = await stripe.subscriptions.list({ customer: customerId as string });
  return { id: data[0]?.id as string, customer: customerId as string };
}

const invoicesOf = async (customer: string): Promise<Stripe.Invoice[]> =>
  (await stripe.invoices.list({ customer, limit: 100 })).data.reverse();
const advance = (days: number) =>
  fetch(`${simulator.url}/_test/advance`, {
    method: 'POST',
    body: JSON.stringify({ days }),
    headers: { 'content-type': 'application/json' },
  });

describe('the clock', () => {
  it('[OPS-05] POST /_test/advance renews every month that passes, each at its own time', async () => {
    const { customer } = await subscribe('premium');
    expect(await (await advance(100)).json()).toMatchObject({ now: '2027-05-11T10:00:00.000Z' });
    const invoices = await invoicesOf(customer);
    expect(invoices.map((invoice) => [invoice.billing_reason, iso(invoice.created)])).toEqual([
      ['subscription_create', '2027-01-31T10:00:00.000Z'],
      ['subscription_cycle', '2027-02-28T10:00:00.000Z'],
      ['subscription_cycle', '2027-03-31T10:00:00.000Z'],
      ['subscription_cycle', '2027-04-30T10:00:00.000Z'],
    ]);
    expect(invoices.every((invoice) => invoice.status === 'paid' && invoice.amount_paid === 1599)).toBe(true);
    const types = (
      await stripe.events.list({ created: { gte: invoices[3]?.created as number }, limit: 100 })
    ).data
      .map(({ type }) => type)
      .reverse();
    expect(types.filter((type) => type.startsWith('invoice'))).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
    ]);
  });

  it('[TAX-16] a renewal that is a draft for an hour brings nothing until then, and its plan runs on', async () => {
    const [works, declines] = [await subscribe('premium'), await subscribe('starter', '4000000000000341')];
    await fetch(`${simulator.url}/_test/draft-renewals`, { method: 'POST' });
    await advance(28);
    const newest = async (customer: string) => (await invoicesOf(customer)).at(-1);
    const draft = await newest(works.customer);
    expect(draft).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle', attempted: false });
    expect(iso(draft?.automatically_finalizes_at as number)).toBe('2027-02-28T11:00:00.000Z');
    expect(await gateway.readInvoice(draft?.id as string)).toBeUndefined();
    expect(await gateway.readSubscription(works.id)).toMatchObject({ status: 'active', overdue: null });
    await advance(1 / 24);
    expect(await newest(works.customer)).toMatchObject({ id: draft?.id, status: 'paid', amount_paid: 1599 });
    expect(await gateway.readInvoice(draft?.id as string)).toMatchObject({ lines: [{ product: 'premium' }] });
    const { status, overdue } = (await gateway.readSubscription(declines.id)) ?? {};
    expect([status, overdue?.attempt]).toEqual(['past_due', 1]);
  });

  it('begins in the past while nobody has paid, and not afterwards', async () => {
    const past = new Date('2026-12-15T10:00:00.000Z');
    simulator.backdate(past);
    expect(simulator.now()).toEqual(past);
    const { id } = await subscribe('starter');
    const { items } = await stripe.subscriptions.retrieve(id);
    expect(iso(items.data[0]?.current_period_start as number)).toBe(past.toISOString());
    simulator.backdate(new Date(past.getTime() - 1_000));
    expect(simulator.now()).toEqual(past);
  });

  it('[OPS-05] refuses days that are no days', async () => {
    for (const days of [0, -1, 'x', null, 1e9]) expect((await advance(days as number)).status).toBe(400);
    expect((await fetch(`${simulator.url}/_test/advance`)).status).toBe(405);
    expect((await fetch(`${simulator.url}/_test/nothing`, { method: 'POST' })).status).toBe(404);
  });

  it('counts months from the anchor, so that the 31st comes back', () => {
    const anchor = Date.parse('2028-01-31T00:00:00Z') / 1000;
    expect([1, 2, 3, 12, 13].map((count) => iso(monthsAfter(anchor, count)).slice(0, 10))).toEqual([
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
      '2029-01-31',
      '2029-02-28',
    ]);
  });

  it('[OPS-05] [CRED-08] a card that fails: past due, three retries, then the end', async () => {
    const { id, customer } = await subscribe('starter', '4000000000000341');
    await simulator.advance(28);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
    const [, renewal] = await invoicesOf(customer);
    expect(renewal).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 999 });
    expect(await gateway.readInvoice(renewal?.id as string)).toBeUndefined();
    await simulator.advance(3 + 5 + 7);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
    expect((await invoicesOf(customer))[1]).toMatchObject({ status: 'open', attempt_count: 4 });
    await simulator.advance(90);
    expect(await invoicesOf(customer)).toHaveLength(2);
  });

  it('[OPS-05] a card that fails once: the retry pays and the subscription goes on', async () => {
    const { id, customer } = await subscribe('starter');
    await fetch(`${simulator.url}/_test/fail-next-payment`, { method: 'POST' });
    await simulator.advance(28);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due');
    await simulator.advance(3);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
    expect((await invoicesOf(customer))[1]).toMatchObject({ status: 'paid', attempt_count: 2 });
  });

  it('an open invoice can be paid by hand, once', async () => {
    const { id, customer } = await subscribe('starter');
    await fetch(`${simulator.url}/_test/fail-next-payment`, {
      method: 'POST',
      body: new URLSearchParams({ times: '2', customer }),
    });
    await simulator.advance(28);
    const renewal = (await invoicesOf(customer))[1]?.id as string;
    await expect(stripe.invoices.pay(renewal)).rejects.toMatchObject({
      code: 'card_declined',
      statusCode: 402,
    });
    expect((await stripe.invoices.retrieve(renewal)).attempt_count).toBe(2);
    expect((await stripe.invoices.pay(renewal)).status).toBe('paid');
    await expect(stripe.invoices.pay(renewal)).rejects.toMatchObject({ code: 'invoice_already_paid' });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('a checkout page expires after a day', async () => {
    const { url } = await gateway.createCheckout({
      userId: 'late',
      email: 'late@example.com',
      product: 'starter',
      successUrl: 'http://127.0.0.1:9/s',
      cancelUrl: 'http://127.0.0.1:9/c',
      idempotencyKey: 'late',
    });
    await simulator.advance(1.01);
    expect((await press(url, { outcome: 'paid' })).status).toBe(410);
  });
});

describe('plan changes through the gateway', () => {
  it('[CRED-07] an upgrade bills the full price at once and begins a new cycle', async () => {
    const { id, customer } = await subscribe('starter');
    await simulator.advance(10);
    await gateway.upgrade(id, 'studio', 'up');
    expect(await gateway.readSubscription(id)).toMatchObject({
      plan: 'studio',
      status: 'active',
      currentPeriodEnd: new Date('2027-03-10T10:00:00.000Z'),
    });
    expect((await invoicesOf(customer)).map(({ amount_paid }) => amount_paid)).toEqual([999, 1999]);
    await gateway.upgrade(id, 'studio', 'up');
    expect(await invoicesOf(customer)).toHaveLength(2);
  });

  it('[CRED-40] an upgrade with a refused card waits for another one: until then nothing changes, and what was scheduled stays', async () => {
    const { id, customer } = await subscribe('premium');
    await gateway.scheduleDowngrade(id, 'starter', 'down');
    await fetch(`${simulator.url}/_test/fail-next-payment`, { method: 'POST' });
    await gateway.upgrade(id, 'studio', 'up');
    const waiting = {
      plan: 'premium',
      status: 'active',
      currentPeriodEnd: new Date('2027-02-28T10:00:00.000Z'),
      scheduledPlan: 'starter',
      awaits: { plan: 'studio', needs: 'another card', expiresAt: new Date('2027-02-01T09:00:00.000Z') },
    };
    const known = await gateway.readSubscription(id);
    expect(known).toMatchObject(waiting);
    // A repetition with another key creates no second invoice.
    await gateway.upgrade(id, 'studio', 'up again');
    expect(await gateway.readSubscription(id)).toEqual(known);
    const [, open] = await invoicesOf(customer);
    expect(open).toMatchObject({ id: known?.awaits?.invoiceId, status: 'open', next_payment_attempt: null });
    expect(await gateway.readOpenInvoice(open?.id as string)).toEqual({
      number: open?.number,
      dueUsdCents: 1999,
      hostedUrl: open?.hosted_invoice_url,
      nextAttemptAt: null,
      needs: 'another card',
      last4: '4242',
    });
    await gateway.forgetUpgrade(open?.id as string, 'forget');
    expect(await gateway.readSubscription(id)).toMatchObject({ ...waiting, awaits: null });
    expect(await gateway.readOpenInvoice(open?.id as string)).toBeUndefined();
    await gateway.forgetUpgrade(open?.id as string, 'forget again');
    await gateway.upgrade(id, 'studio', 'up once more');
    expect(await gateway.readSubscription(id)).toMatchObject({ plan: 'studio', scheduledPlan: null });
  });

  it('[CRED-41] an upgrade that nobody pays is forgotten after 23 hours, or when the period ends', async () => {
    const { id, customer } = await subscribe('starter', '4000002760003184');
    await gateway.upgrade(id, 'premium', 'up');
    await simulator.advance(22.9 / 24);
    expect(await gateway.readSubscription(id)).toMatchObject({ awaits: { needs: 'confirmation' } });
    // A change to another plan replaces it and voids its invoice.
    await gateway.upgrade(id, 'studio', 'higher');
    expect(await gateway.readSubscription(id)).toMatchObject({ awaits: { plan: 'studio' } });
    await simulator.advance(1);
    expect(await gateway.readSubscription(id)).toMatchObject({ plan: 'starter', awaits: null });
    expect((await invoicesOf(customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'void']);
    await simulator.advance(25.9);
    await gateway.upgrade(id, 'premium', 'late');
    expect(await gateway.readSubscription(id)).toMatchObject({
      awaits: { expiresAt: new Date('2027-02-28T10:00:00.000Z') },
    });
  });

  it('[CRED-07] a downgrade bills the lower price from the next period on', async () => {
    const { id, customer } = await subscribe('studio');
    await gateway.scheduleDowngrade(id, 'starter', 'down');
    await gateway.scheduleDowngrade(id, 'starter', 'down');
    expect(await gateway.readSubscription(id)).toMatchObject({ plan: 'studio', scheduledPlan: 'starter' });
    await simulator.advance(75);
    expect((await invoicesOf(customer)).map(({ amount_paid }) => amount_paid)).toEqual([1999, 999, 999]);
    expect(await gateway.readSubscription(id)).toMatchObject({ plan: 'starter', scheduledPlan: null });
    expect((await stripe.subscriptions.retrieve(id)).schedule).toBeNull();
  });

  it('[CRED-07] a cancellation ends it at period end; withdrawn, it goes on', async () => {
    const { id, customer } = await subscribe('studio');
    await gateway.scheduleDowngrade(id, 'premium', 'down');
    await gateway.scheduleCancellation(id, 'cancel');
    expect(await gateway.readSubscription(id)).toMatchObject({
      cancelAtPeriodEnd: true,
      scheduledPlan: null,
    });
    await gateway.withdrawScheduledChange(id, 'resume');
    await simulator.advance(28);
    expect(await invoicesOf(customer)).toHaveLength(2);
    await gateway.scheduleCancellation(id, 'cancel again');
    await simulator.advance(40);
    expect(await gateway.readSubscription(id)).toMatchObject({ status: 'canceled' });
    expect(await invoicesOf(customer)).toHaveLength(2);
  });

  it('as at Stripe, a schedule guards the cancellation of its subscription', async () => {
    const { id } = await subscribe('studio');
    await gateway.scheduleDowngrade(id, 'premium', 'down');
    await expect(stripe.subscriptions.update(id, { cancel_at_period_end: true })).rejects.toMatchObject({
      message: expect.stringContaining('managed by the subscription schedule'),
    });
  });

  it('finds invoices by when they were paid, and none of strangers or other products', async () => {
    const { customer } = await subscribe('starter', '4242424242424242');
    await fetch(`${simulator.url}/_test/fail-next-payment`, { method: 'POST' });
    await simulator.advance(31);
    const since = new Date('2027-03-02T00:00:00.000Z');
    expect(await gateway.listPaidInvoices(since)).toMatchObject([
      { customerId: customer, lines: [{ product: 'starter' }] },
    ]);
    expect(await gateway.readInvoice('in_none')).toBeUndefined();
    expect(await gateway.readSubscription('sub_none')).toBeUndefined();
  });
});

describe('when it does not answer', () => {
  it('the gateway says that payments are unavailable', async () => {
    const nowhere = gatewayFor({ url: 'http://127.0.0.1:9' });
    await expect(nowhere.readInvoice('in_1')).rejects.toThrow(PaymentGatewayUnavailable);
    await expect(nowhere.ensureProducts()).rejects.toThrow(PaymentGatewayUnavailable);
  });

  it.each([
    ['hangs', undefined],
    ['breaks', 500],
    ['has too many calls', 429],
    ['does not know our key', 401],
  ])('nor when it %s', async (_, status) => {
    const server = createServer((_request, response) => {
      if (status) response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const slow = new StripePaymentGateway(
      {
        secretKey: 'sk_test_x',
        webhookSecret: WEBHOOK_SECRET,
        apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        timeoutMs: 100,
        retries: 0,
      },
      new SystemClock(),
    );
    try {
      await expect(slow.readInvoice('in_1')).rejects.toThrow(PaymentGatewayUnavailable);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('limits', () => {
  const settings = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET };

  it('[OPS-40] come from the settings, with defaults', () => {
    expect(readConfig(settings).stripeLimits).toEqual({
      timeoutMs: 5_000,
      paymentTimeoutMs: 20_000,
      retries: 1,
    });
    const given = { STRIPE_TIMEOUT_MS: '2500', STRIPE_PAYMENT_TIMEOUT_MS: '9000', STRIPE_RETRIES: '2' };
    expect(readConfig({ ...settings, ...given }).stripeLimits).toEqual({
      timeoutMs: 2_500,
      paymentTimeoutMs: 9_000,
      retries: 2,
    });
    expect(() => readConfig({ ...settings, STRIPE_RETRIES: '9' })).toThrow('STRIPE_RETRIES');
  });

  it('[OPS-40] bound how often and how long a silent Stripe is asked', async () => {
    const silent = await startSilentServer();
    const asked = gatewayFor(silent, new SystemClock(), { timeoutMs: 700, retries: 1 });
    try {
      await expect(asked.readInvoice('in_1')).rejects.toThrow(PaymentGatewayUnavailable);
      expect(silent.requests).toBe(2);
    } finally {
      await silent.close();
    }
  });

  it('keep the connection for the next question', async () => {
    const connections = new Set<unknown>();
    const server = createServer((request, response) => {
      connections.add(request.socket);
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"type":"invalid_request_error","code":"resource_missing"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kept = gatewayFor({ url });
    for (const id of ['in_1', 'in_2', 'in_3']) expect(await kept.readInvoice(id)).toBeUndefined();
    expect(connections.size).toBe(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a kill', () => {
  it('of the process keeps everything that was answered', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'offcut-stripe-kill-'));
    const start = async () => {
      const child = fork('test/support/hold-stripe.ts', [join(folder, 'state.json'), WEBHOOK_SECRET], {
        execArgv: ['--import', './test/support/typescript.mjs'],
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
        child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      });
      const end = () =>
        new Promise<void>((resolve) => {
          child.once('exit', () => resolve());
          child.kill('SIGKILL');
        });
      return { url, end };
    };
    try {
      const first = await start();
      const answered: string[] = [];
      const sdk = sdkFor({ url: first.url } as StripeSimulator);
      const writing = (async () => {
        for (;;) answered.push((await sdk.customers.create({ email: 'kill@example.com' })).id);
      })().catch(() => undefined);
      while (answered.length < 40) await new Promise((resolve) => setTimeout(resolve, 2));
      await first.end();
      await writing;
      const second = await start();
      const { data } = await sdkFor({ url: second.url } as StripeSimulator).customers.list({ limit: 100 });
      await second.end();
      const kept = new Set(data.map(({ id }) => id));
      expect(answered.slice(-90).filter((id) => !kept.has(id))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
