import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { StripePaymentGateway } from '../../adapters/vendors/stripe/stripe-payment-gateway.js';
import { WallClock } from '../../application/shared/clock.js';
import { WebhookRefused } from '../../application/payments/payment-gateway.js';
import { gatewayFor, sdkFor, startWithInbox, WEBHOOK_SECRET, type WebhookInbox } from '../support/stripe.js';
import { until } from '../support/until.js';

let open: Awaited<ReturnType<typeof startWithInbox>>;
let inbox: WebhookInbox;
let simulator: StripeSimulator;

beforeEach(async () => {
  open = await startWithInbox({ webhookRetryMs: 10 });
  ({ inbox, simulator } = open);
});
afterEach(() => open.close());

class ShiftedClock extends WallClock {
  constructor(private readonly seconds: number) {
    super();
  }
  now(): Date {
    return new Date(Date.now() + this.seconds * 1000);
  }
}

describe('signatures', () => {
  const deliver = async () => {
    await sdkFor(simulator).customers.create({ email: 'ada@example.com' });
    await until(() => inbox.received.length === 1);
    return inbox.received[0] as (typeof inbox.received)[number];
  };
  const reasonOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof WebhookRefused) return error.reason;
      throw error;
    }
    return 'accepted';
  };

  it('what the simulator sends is accepted', async () => {
    const { body, signature, event } = await deliver();
    expect(gatewayFor(simulator).verifyWebhook(body, signature)).toEqual({
      id: event.id,
      type: 'customer.created',
      createdAt: new Date(event.created * 1000),
      objectId: (event.data.object as { id: string }).id,
    });
  });

  it('[FIN-14] refused: another secret, an altered byte, another header, none', async () => {
    const { body, signature } = await deliver();
    const gateway = gatewayFor(simulator);
    const elsewhere = new StripePaymentGateway(
      { secretKey: 'sk_test_x', webhookSecret: 'whsec_other', apiBase: simulator.url },
      new ShiftedClock(0),
    );
    expect(reasonOf(() => elsewhere.verifyWebhook(body, signature))).toBe('signature');
    for (let at = 0; at < body.length; at += 7) {
      const altered = Buffer.from(body);
      altered[at] = (altered[at] as number) ^ 1;
      expect(reasonOf(() => gateway.verifyWebhook(altered, signature))).toBe('signature');
    }
    const worse = signature.replace(/v1=(.)/, (_, digit: string) => `v1=${digit === '0' ? '1' : '0'}`);
    expect(reasonOf(() => gateway.verifyWebhook(body, worse))).toBe('signature');
    for (const header of ['', 'v1=abc', 't=,v1=', `${signature},t=1`, 't=99999999999999999999,v1=00'])
      expect(reasonOf(() => gateway.verifyWebhook(body, header))).not.toBe('accepted');
  });

  it('[FIN-14] refused: older or further ahead than 300 s; accepted at 299 s either way', async () => {
    const { body, signature } = await deliver();
    const at = (seconds: number) =>
      reasonOf(() => gatewayFor(simulator, new ShiftedClock(seconds)).verifyWebhook(body, signature));
    expect([at(302), at(-302), at(3 * 86_400)]).toEqual(['not fresh', 'not fresh', 'not fresh']);
    expect([at(297), at(-297)]).toEqual(['accepted', 'accepted']);
  });

  it('[FIN-14] refused: a live event for a test key and the reverse', async () => {
    const { event } = await deliver();
    const stripe = sdkFor(simulator);
    const verify = (change: object, secretKey = 'sk_test_x') => {
      const payload = JSON.stringify({ ...event, ...change });
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
      const gateway = new StripePaymentGateway(
        { secretKey, webhookSecret: WEBHOOK_SECRET },
        new ShiftedClock(0),
      );
      return reasonOf(() => gateway.verifyWebhook(Buffer.from(payload), signature));
    };
    expect(verify({ livemode: true })).toBe('mode');
    expect(verify({ livemode: false }, 'sk_live_x')).toBe('mode');
    expect(verify({ livemode: true }, 'sk_live_x')).toBe('accepted');
    expect(verify({ data: {} })).toBe('unreadable');
  });

  it('[FIN-14] signed with any of several secrets, and with no other', async () => {
    const { event } = await deliver();
    const payload = JSON.stringify(event);
    const verify = (secret: string) => {
      const signature = sdkFor(simulator).webhooks.generateTestHeaderString({ payload, secret });
      const gateway = new StripePaymentGateway(
        { secretKey: 'sk_test_x', webhookSecret: 'whsec_own, whsec_connect,' },
        new ShiftedClock(0),
      );
      return reasonOf(() => gateway.verifyWebhook(Buffer.from(payload), signature));
    };
    expect(verify('whsec_own')).toBe('accepted');
    expect(verify('whsec_connect')).toBe('accepted');
    expect(verify('whsec_own, whsec_connect')).toBe('signature');
    expect(verify('')).toBe('signature');
  });

  it('[FIN-14] an event of a creator’s account names that account and nothing of ours', async () => {
    const { event } = await deliver();
    const object = { id: 'in_1', object: 'invoice', subscription: 'sub_1' };
    const payload = JSON.stringify({ ...event, type: 'invoice.paid', account: 'acct_1', data: { object } });
    const signature = sdkFor(simulator).webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
    });
    const gateway = new StripePaymentGateway(
      { secretKey: 'sk_test_x', webhookSecret: WEBHOOK_SECRET },
      new ShiftedClock(0),
    );
    expect(gateway.verifyWebhook(Buffer.from(payload), signature)).toEqual({
      id: event.id,
      type: 'invoice.paid',
      createdAt: new Date(event.created * 1000),
      objectId: 'in_1',
      accountId: 'acct_1',
    });
  });
});

describe('delivery', () => {
  it('is tried again with growing pauses until it is accepted, then the event says so', async () => {
    const moments: number[] = [];
    inbox.answer = () => {
      moments.push(Date.now());
      return moments.length < 4 ? 500 : 200;
    };
    const stripe = sdkFor(simulator);
    await stripe.customers.create({ email: 'ada@example.com' });
    await until(() => moments.length === 4);
    const pauses = moments.slice(1).map((moment, index) => moment - (moments[index] as number));
    expect(pauses[0]).toBeGreaterThanOrEqual(9);
    expect(pauses[1]).toBeGreaterThanOrEqual(19);
    expect(pauses[2]).toBeGreaterThanOrEqual(39);
    const [id] = new Set(inbox.received.map(({ event }) => event.id));
    await until(async () => (await stripe.events.retrieve(id as string)).pending_webhooks === 0);
    expect(new Set(inbox.received.map(({ event }) => event.id)).size).toBe(1);
  });

  it('[DEV-13] a diverted webhook is signed and goes to a receiver in this process; once it has accepted all, others go to the address', async () => {
    const impatient = await startWithInbox({ webhookRetryMs: 10, webhookPatienceMs: 1 });
    const gateway = gatewayFor(impatient.simulator);
    const taken: string[] = [];
    let attempts = 0;
    impatient.simulator.divert(async (payload, signature) => {
      await pause(50);
      attempts += 1;
      if (attempts === 1) throw new Error('not now');
      taken.push(gateway.verifyWebhook(Buffer.from(payload), signature).type);
      return true;
    });
    const stripe = sdkFor(impatient.simulator);
    await stripe.customers.create({ email: 'ada@example.com' });
    await impatient.simulator.advance(0);
    expect(attempts).toBeGreaterThan(0);
    await impatient.simulator.endDiversion();
    expect(taken).toEqual(['customer.created']);
    expect(impatient.inbox.received).toEqual([]);
    await stripe.customers.create({ email: 'bo@example.com' });
    await until(() => impatient.inbox.received.length > 0);
    expect(impatient.inbox.received.map(({ event }) => event.type)).toEqual(['customer.created']);
    await impatient.close();
  });

  it('a redirect or a silent endpoint is no acceptance', async () => {
    let answers = 0;
    inbox.answer = () => (answers++ === 0 ? 302 : 204);
    await sdkFor(simulator).customers.create({});
    await until(() => answers === 2);
  });

  it('what was dropped on purpose never comes, and stays listed as an event', async () => {
    await fetch(`${simulator.url}/_test/drop-webhooks`, {
      method: 'POST',
      body: new URLSearchParams({ times: '1' }),
    });
    const stripe = sdkFor(simulator);
    await stripe.customers.create({ email: 'lost@example.com' });
    await stripe.customers.create({ email: 'found@example.com' });
    await until(() => inbox.received.length > 0);
    expect(inbox.received.map(({ event }) => (event.data.object as { email?: string }).email)).toEqual([
      'found@example.com',
    ]);
    expect((await stripe.events.list({ type: 'customer.created' })).data).toHaveLength(2);
  });

  it('[OPS-161] endpoints get the types that they want, of our account or of creators, with a secret of their own', async () => {
    const stripe = sdkFor(simulator);
    const own = await stripe.webhookEndpoints.create({
      url: inbox.url,
      enabled_events: ['customer.updated'],
    });
    const connect = await stripe.webhookEndpoints.create({
      url: inbox.url,
      enabled_events: ['*'],
      connect: true,
    });
    const { id } = await stripe.customers.create({ email: 'ada@example.com' });
    await stripe.customers.update(id, { name: 'Ada' });
    await stripe.accounts.create({ type: 'express' });
    await until(() => inbox.received.length === 5);
    const signedWith = (secret: string | undefined) =>
      inbox.received.flatMap(({ body, signature, event }) => {
        try {
          stripe.webhooks.constructEvent(body, signature, secret as string);
          return [event.type];
        } catch {
          return [];
        }
      });
    expect(signedWith(own.secret)).toEqual(['customer.updated']);
    expect(signedWith(connect.secret)).toEqual(['account.updated']);
    expect(signedWith(WEBHOOK_SECRET).sort()).toEqual([
      'account.updated',
      'customer.created',
      'customer.updated',
    ]);
    expect((await stripe.webhookEndpoints.retrieve(own.id)).secret).toBeUndefined();
  });
});
