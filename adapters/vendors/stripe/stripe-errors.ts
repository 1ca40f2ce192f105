import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import {
  ChangeRefused,
  PaymentDeclined,
  PaymentGatewayUnavailable,
} from '../../../application/payments/payment-gateway.js';
import { STRIPE_LIMITS } from './stripe-limits.js';

export const isStripeError = (error: unknown, code: string): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === code;

/** Another call with this key is still running, so the outcome is open. */
const STILL_RUNNING = new Set<string | undefined>(['idempotency_key_in_use', 'lock_timeout', 'rate_limit']);

/** The refusal of a request that Stripe judged and found impossible. */
export const refusalIn = (error: unknown): Stripe.errors.StripeInvalidRequestError | undefined =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !STILL_RUNNING.has(error.code)
    ? error
    : undefined;

/** It did not come to judge the call. */
export const isAway = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError;

/** For whoever sets it up. @throws what is no refusal of Stripe's */
export function whatStripeSays(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  return isAway(error) ? `Stripe does not answer (${error.message})` : `Stripe says: ${error.message}`;
}

const REPEATS = 4;
const LEAST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 2_000;
/** No longer than the patience for a question: somebody waits for the answer. */
const REPEATING_MS = STRIPE_LIMITS.timeoutMs;

/** It did nothing and says so: there are too many calls, or another one holds what this one needs. */
const isBusy = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && (error.statusCode === 429 || error.code === 'lock_timeout');

/** Puts a call again that Stripe was too busy for, with the same idempotency key, each time after a longer pause. */
async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const most = Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS * 2 ** attempt);
      const pauseMs = LEAST_PAUSE_MS + Math.random() * (most - LEAST_PAUSE_MS);
      const late = performance.now() - started + pauseMs > REPEATING_MS;
      if (!isBusy(error) || attempt > REPEATS || late) throw error;
      await pause(pauseMs);
    }
  }
}

/** Says in the port's words how a call failed; a request that Stripe finds wrong is our own mistake. */
export async function ask<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await patiently(call);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw new PaymentDeclined(error.message);
    if (error instanceof Stripe.errors.StripeError && !refusalIn(error))
      throw new PaymentGatewayUnavailable(`Stripe: ${error.type} ${error.statusCode ?? ''}`.trim(), {
        cause: error,
      });
    throw error;
  }
}

/** The same, where "no such object" is an answer. */
export function askMaybe<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  return ask(call).catch((error: unknown) => {
    if (isStripeError(error, 'resource_missing')) return undefined;
    throw error;
  });
}

/** The same for a change of a plan, where a refusal is an answer too. */
export function askForChange(call: () => Promise<void>): Promise<void> {
  return ask(call).catch((error: unknown) => {
    const refusal = refusalIn(error);
    if (refusal) throw new ChangeRefused(refusal.message, { cause: refusal });
    throw error;
  });
}
