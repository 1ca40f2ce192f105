import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { PaymentsController } from '../../adapters/payments/payment-events.module.js';
import { SubscriptionsModule } from '../../adapters/subscriptions/subscriptions.module.js';
import { Clock, SystemClock } from '../../application/shared/clock.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import { startTestApp } from './app.js';
import type { HttpClient } from './http-client.js';
import { subscriptionsOn } from './payments.js';
import { startTestDatabase } from './postgres.js';
import { gatewayFor, press, sdkFor, startStripeSimulator, WEBHOOK_SECRET } from './stripe.js';

export const ALWAYS_ASKS = '4000002760003184';
export const ASKS_THEN_DECLINES = '4000008260003178';

const REQUESTS = {
  up: ['change', { plan: 'studio' }],
  down: ['change', { plan: 'starter' }],
  cancel: ['cancel', {}],
  withdraw: ['pending/withdraw', {}],
} as const;
export type Request = keyof typeof REQUESTS;

/** A clock that moves with the simulator's. */
class SimulatedClock extends Clock {
  aheadMs = 0;
  now = (): Date => new Date(Date.now() + this.aheadMs);
}

/** Starts subscriptions over HTTP, with a database and a simulator of their own. */
export async function startChangingPlans() {
  const store = await startTestDatabase();
  const clock = new SimulatedClock();
  const simulator = await startStripeSimulator({
    webhookSecret: WEBHOOK_SECRET,
    webhookRetryMs: 50,
  });
  const on = subscriptionsOn(store.database, gatewayFor(simulator, new SystemClock()), clock);
  const test = await startTestApp({
    database: store.database,
    imports: [SubscriptionsModule],
    controllers: [PaymentsController],
    providers: on.providers,
    clock: new SystemClock(),
  });
  simulator.deliverTo(`${test.url}/api/stripe/webhook`, WEBHOOK_SECRET);

  const hook = async (name: string, fields: object = {}): Promise<void> => {
    const body = JSON.stringify(fields);
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${simulator.url}/_test/${name}`, { method: 'POST', body, headers });
    expect(status).toBe(200);
  };
  const subscription = async (listener: HttpClient) => (await listener.get('/api/subscription')).body;
  const pageOf = async (listener: HttpClient): Promise<string> => {
    const { status, body } = await listener.post('/api/subscription/pending/pay', {});
    expect(status).toBe(200);
    return body.url;
  };
  return {
    store,
    on,
    simulator,
    hook,
    subscription,
    pageOf,
    subscribed: async (plan: PlanId, card?: string): Promise<HttpClient> => {
      const listener = await test.signedUp();
      const { body } = await listener.post('/api/stripe/create-checkout-session', { plan });
      await press(body.url, { outcome: 'paid', ...(card && { card }) });
      return listener;
    },
    ask: (listener: HttpClient, request: Request, key: string = randomUUID()) => {
      const [route, body] = REQUESTS[request];
      return listener.post(`/api/subscription/${route}`, body, { headers: { 'idempotency-key': key } });
    },
    /** Presses a button on the page of the invoice that awaits its payer. */
    pay: async (listener: HttpClient, fields: { outcome: string; card?: string }): Promise<number> => {
      const body = new URLSearchParams(fields);
      return (await fetch(await pageOf(listener), { method: 'POST', body })).status;
    },
    /** Moves the clocks of the simulator and the product. */
    advance: async (hours: number): Promise<void> => {
      clock.aheadMs += hours * 3_600_000;
      await simulator.advance(hours / 24);
    },
    /** Returns the listener's charges in cents, oldest first. */
    charged: async (listener: HttpClient): Promise<number[]> => {
      const { data } = await sdkFor(simulator).invoices.list({ status: 'paid', limit: 100 });
      return data
        .filter((invoice) => invoice.customer_email === listener.email)
        .map(({ amount_paid }) => amount_paid)
        .reverse();
    },
    /** Returns the changes in the listener's stream and their outcomes. */
    told: async (listener: HttpClient): Promise<string[]> => {
      const events = await on.eventStore.readStream(`subscription-${listener.userId}`);
      return events
        .filter(({ type }) => type.startsWith('PlanChange'))
        .map(({ type, data }) => `${type} ${data['kind'] ?? data['reason'] ?? data['needs'] ?? ''}`.trim());
    },
    close: async () => {
      await test.close();
      await simulator.close();
      await store.close();
    },
  };
}
