import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { startStripeSimulator as start, type StripeSimulator } from '../../simulators/stripe/server.js';
import type { StripeLimits } from '../../adapters/vendors/stripe/stripe-client.js';
import { StripePaymentGateway } from '../../adapters/vendors/stripe/stripe-payment-gateway.js';
import { StripePayoutGateway } from '../../adapters/vendors/stripe/stripe-payout-gateway.js';
import { SystemClock } from '../../application/shared/clock.js';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';

export interface ReceivedWebhook {
  body: Buffer;
  signature: string;
  event: Stripe.Event;
}

/** An endpoint that records webhooks; `answer` decides the status. */
export interface WebhookInbox {
  url: string;
  received: ReceivedWebhook[];
  answer: (webhook: ReceivedWebhook) => number | Promise<number>;
  close(): Promise<void>;
}

async function startWebhookInbox(): Promise<WebhookInbox> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const webhook = {
        body,
        signature: String(request.headers['stripe-signature']),
        event: JSON.parse(body.toString('utf8')) as Stripe.Event,
      };
      inbox.received.push(webhook);
      void Promise.resolve(inbox.answer(webhook)).then((status) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const inbox: WebhookInbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: [],
    answer: () => 200,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return inbox;
}

/** Starts a simulator whose pages and clock wait long for webhooks, because tests read the result right after. */
export const startStripeSimulator: typeof start = (options) =>
  start({ webhookPatienceMs: 100_000, ...options });

/** Starts a simulator and the endpoint of its webhooks. */
export async function startWithInbox(options: { webhookRetryMs?: number; webhookPatienceMs?: number } = {}) {
  const inbox = await startWebhookInbox();
  const simulator = await startStripeSimulator({
    webhookUrl: inbox.url,
    webhookSecret: WEBHOOK_SECRET,
    ...options,
  });
  const close = async (): Promise<void> => {
    await simulator.close();
    await inbox.close();
  };
  return { inbox, simulator, close };
}

/** The real SDK, connected to a simulator. */
export function sdkFor(simulator: StripeSimulator, key = 'sk_test_of_the_tests'): Stripe {
  const { hostname, port } = new URL(simulator.url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

export function gatewayFor(
  simulator: { url: string },
  clock = new SystemClock(),
  limits: Partial<StripeLimits> & { tax?: { code: string } } = {},
): StripePaymentGateway {
  const options = { secretKey: 'sk_test_of_the_tests', webhookSecret: WEBHOOK_SECRET, retries: 0, ...limits };
  return new StripePaymentGateway({ ...options, apiBase: simulator.url }, clock);
}

/** A Stripe that accepts every request and answers none; `requests` counts them. */
export interface SilentServer {
  url: string;
  requests: number;
  close(): Promise<void>;
}

export async function startSilentServer(): Promise<SilentServer> {
  const server = createServer(() => void (silent.requests += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const silent: SilentServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return silent;
}

/** Without the SDK's own retries, so that our code handles every lost answer. */
export function payoutGatewayFor(simulator: { url: string }): StripePayoutGateway {
  return new StripePayoutGateway({
    secretKey: 'sk_test_of_the_tests',
    webhookSecret: WEBHOOK_SECRET,
    apiBase: simulator.url,
    retries: 0,
  });
}

/** Presses a button on the simulator's onboarding page. */
export async function onboard(
  url: string,
  outcome: string,
  owner: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ outcome, ...owner }), redirect: 'manual' });
}

/** Presses a button on the simulator's checkout page. */
export async function press(
  url: string,
  fields: {
    outcome: 'paid' | 'cancelled';
    card?: string;
    place?: string;
    taxId?: string;
    promotionCode?: string;
  },
): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}
