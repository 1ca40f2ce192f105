import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import Stripe from 'stripe';
import { overKept, unobserved, type ObserveCall } from '../../../application/shared/outgoing-calls.js';

/** The API version for which the shapes in this folder are written. Change it deliberately when the SDK changes. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export interface StripeLimits {
  /** Time limit of a call that moves no money, with all its retries. Short, because a user waits for the answer. */
  timeoutMs: number;
  /** Time limit of a call that moves money, which is not retried. Long, because Stripe asks the card's bank. */
  paymentTimeoutMs: number;
  retries: number;
}

export const STRIPE_LIMITS: StripeLimits = { timeoutMs: 5_000, paymentTimeoutMs: 20_000, retries: 1 };

export interface StripeOptions extends Partial<StripeLimits> {
  secretKey: string;
  /** One or more secrets, separated by commas. An event may be signed with any of them. */
  webhookSecret: string;
  /** Absent: Stripe itself. */
  apiBase?: string;
  /** The tax code of our products, with which Stripe calculates tax. Without it no tax is calculated. */
  tax?: { code: string };
  observe?: ObserveCall;
}

/** The longest pause before the SDK's first retry. It doubles with each further retry. */
const FIRST_PAUSE_MS = 500;
/** Idle connections stay open for the next call, and are closed before the server closes them. */
const CONNECTIONS = { keepAlive: true, keepAliveMsecs: 1_000, maxSockets: 64, timeout: 30_000 };

export function stripeClient(options: StripeOptions): Stripe {
  const { timeoutMs, retries } = { ...STRIPE_LIMITS, ...options };
  const base = options.apiBase ? new URL(options.apiBase) : undefined;
  const isPlain = base?.protocol === 'http:';
  const agent = isPlain ? new HttpAgent(CONNECTIONS) : new HttpsAgent(CONNECTIONS);
  const pausesMs = FIRST_PAUSE_MS * (2 ** retries - 1);
  return new Stripe(options.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    timeout: Math.floor((timeoutMs - pausesMs) / (retries + 1)),
    maxNetworkRetries: retries,
    httpClient: observed(Stripe.createNodeHttpClient(agent), agent, options.observe ?? unobserved),
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (isPlain ? 80 : 443),
          protocol: isPlain ? ('http' as const) : ('https' as const),
        }
      : {}),
  });
}

export abstract class StripeCaller {
  protected readonly stripe: Stripe;

  constructor(protected readonly options: StripeOptions) {
    this.stripe = stripeClient(options);
  }
}

type Sender = ReturnType<typeof Stripe.createNodeHttpClient>;

/** Matches a part of a path that is an object's id: after its last `_` there is a digit or a capital letter. */
const ID = /^[A-Za-z_]+_(?=\w*[\dA-Z])[A-Za-z0-9]+$/;

/** Returns the name of a call for metrics, with ids replaced, such as `GET /v1/invoices/:id`. */
const operationOf = (method: string, path: string): string =>
  `${method} ${(path.split('?', 1)[0] ?? '')
    .split('/')
    .map((part) => (ID.test(part) ? ':id' : part))
    .join('/')}`;

function observed(client: Sender, agent: HttpAgent, observe: ObserveCall): Sender {
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, ...rest) =>
    observe(
      operationOf(method, path),
      () => overKept([agent], () => send(host, port, path, method, ...rest)),
      (outcome) => (outcome as { getStatusCode?(): number }).getStatusCode?.(),
    );
  return client;
}

/** Options of a call that moves money: one long attempt. The caller who reserved the money retries with this key. */
export const paymentCall = (
  options: StripeOptions,
  idempotencyKey: string,
): { idempotencyKey: string; timeout: number; maxNetworkRetries: number } => ({
  idempotencyKey,
  timeout: options.paymentTimeoutMs ?? STRIPE_LIMITS.paymentTimeoutMs,
  maxNetworkRetries: 0,
});
