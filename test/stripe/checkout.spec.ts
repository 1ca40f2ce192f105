import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import type { StripePaymentGateway } from '../../adapters/vendors/stripe/stripe-payment-gateway.js';
import { gatewayFor, press, sdkFor, startWithInbox, type WebhookInbox } from '../support/stripe.js';

let open: Awaited<ReturnType<typeof startWithInbox>>;
let inbox: WebhookInbox;
let simulator: StripeSimulator;
let gateway: StripePaymentGateway;

beforeAll(async () => {
  open = await startWithInbox({ webhookRetryMs: 20 });
  ({ inbox, simulator } = open);
  gateway = gatewayFor(simulator);
});
afterAll(() => open.close());
beforeEach(() => {
  inbox.received = [];
});

let users = 0;
const openCheckout = async (plan: 'starter' | 'premium' | 'studio' = 'starter') => {
  users += 1;
  return gateway.createCheckout({
    userId: `user-${users}`,
    email: `listener${users}@example.com`,
    product: plan,
    successUrl: 'http://127.0.0.1:9/settings?checkout=success',
    cancelUrl: 'http://127.0.0.1:9/settings?checkout=cancelled',
    idempotencyKey: `checkout-${users}`,
  });
};

describe('checkout page', () => {
  it('says that it is a simulator and offers Pay and Cancel', async () => {
    const { url } = await openCheckout('premium');
    const page = await (await fetch(url)).text();
    expect(page).toContain('Stripe simulator');
    expect(page).toContain('Offcut Premium');
    expect(page).toMatch(/<button[^>]*value="paid">Pay \$15\.99</);
    expect(page).toMatch(/<button[^>]*value="cancelled">Cancel</);
  });

  it('[OPS-05] paid: sends back to the success page with one paid invoice for the plan', async () => {
    const { url, customerId, sessionId } = await openCheckout('studio');
    const answer = await press(url, { outcome: 'paid' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'http://127.0.0.1:9/settings?checkout=success',
    ]);
    const paid = (await gateway.listPaidInvoices(new Date(Date.now() - 60_000))).filter(
      (invoice) => invoice.customerId === customerId,
    );
    expect(paid).toHaveLength(1);
    expect(paid[0]?.lines).toMatchObject([
      { product: 'studio', quantity: 1, grossUsdCents: 1999, taxUsdCents: 0, discountUsdCents: 0 },
    ]);
    const session = await sdkFor(simulator).checkout.sessions.retrieve(sessionId, {
      expand: ['subscription'],
    });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      subscription: { status: 'active' },
    });
    expect(inbox.received.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['invoice.paid', 'invoice.payment_succeeded', 'checkout.session.completed']),
    );
  });

  it('[OPS-05] takes the outcome as JSON too, and paying twice charges once', async () => {
    const { url, customerId } = await openCheckout();
    const post = () =>
      fetch(url, {
        method: 'POST',
        body: JSON.stringify({ outcome: 'paid' }),
        headers: { 'content-type': 'application/json' },
        redirect: 'manual',
      });
    expect((await post()).status).toBe(303);
    expect((await post()).status).toBe(303);
    const invoices = await sdkFor(simulator).invoices.list({ customer: customerId as string });
    expect(invoices.data).toHaveLength(1);
  });

  it('[OPS-05] cancelled: sends back without charging, and the page can still be paid', async () => {
    const { url, customerId } = await openCheckout();
    const answer = await press(url, { outcome: 'cancelled' });
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:9/settings?checkout=cancelled');
    expect((await sdkFor(simulator).invoices.list({ customer: customerId as string })).data).toEqual([]);
    expect((await press(url, { outcome: 'paid' })).headers.get('location')).toContain('checkout=success');
  });

  it('declined: stays on the page, says so, and charges nothing', async () => {
    const { url, customerId } = await openCheckout();
    const answer = await press(url, { outcome: 'paid', card: '4000000000000002' });
    expect(answer.status).toBe(402);
    expect(await answer.text()).toContain('Your card was declined.');
    const stripe = sdkFor(simulator);
    expect((await stripe.invoices.list({ customer: customerId as string })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer: customerId as string, status: 'all' })).data).toEqual(
      [],
    );
  });

  it('refuses an outcome or card it does not know', async () => {
    const { url } = await openCheckout();
    expect((await press(url, { outcome: 'gratis' as 'paid' })).status).toBe(400);
    expect((await press(url, { outcome: 'paid', card: '1234' })).status).toBe(400);
    expect((await fetch(`${simulator.url}/c/pay/cs_test_unknown`)).status).toBe(404);
  });

  it('escapes what a customer wrote', async () => {
    const { url } = await gateway.createCheckout({
      userId: 'user-x',
      email: '<script>alert(1)</script>@example.com',
      product: 'starter',
      successUrl: 'http://127.0.0.1:9/s',
      cancelUrl: 'http://127.0.0.1:9/c',
      idempotencyKey: 'checkout-x',
    });
    expect(await (await fetch(url)).text()).not.toContain('<script>alert');
  });

  it('leaves only the newest page of a customer open', async () => {
    const first = await openCheckout();
    const second = await gateway.createCheckout({
      userId: `user-${users}`,
      email: 'again@example.com',
      customerId: first.customerId as string,
      product: 'premium',
      successUrl: 'http://127.0.0.1:9/s',
      cancelUrl: 'http://127.0.0.1:9/c',
      idempotencyKey: 'checkout-second',
    });
    expect((await press(first.url, { outcome: 'paid' })).status).toBe(410);
    expect((await press(second.url, { outcome: 'paid' })).status).toBe(303);
  });
});
