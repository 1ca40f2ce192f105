import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import {
  ChangeRefused,
  PaymentDeclined,
  PaymentGatewayUnavailable,
} from '../../../application/payments/payment-gateway.js';
import { STRIPE_LIMITS } from './stripe-client.js';

export const isStripeError = (error: unknown, code: string): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === code;

/** Error codes that leave the outcome open, for example because another call with the same key still runs. */
const STILL_RUNNING = new Set<string | undefined>(['idempotency_key_in_use', 'lock_timeout', 'rate_limit']);

/** Returns Stripe's refusal if Stripe understood the request and refuses it for good. Undefined for other errors. */
export const refusalIn = (error: unknown): Stripe.errors.StripeInvalidRequestError | undefined =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !STILL_RUNNING.has(error.code)
    ? error
    : undefined;

/** Returns whether Stripe gave no decision: the connection or Stripe failed, or there were too many calls. */
export const isAway = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError;

/** Describes an error for the operator. @throws errors that are not Stripe's */
export function whatStripeSays(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  return isAway(error) ? `Stripe does not answer (${error.message})` : `Stripe says: ${error.message}`;
}

const REPEATS = 4;
const LEAST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 2_000;
/** Retries while Stripe is busy take no longer than a call that moves no money may, because a user waits. */
const REPEATING_MS = STRIPE_LIMITS.timeoutMs;

/** Returns whether Stripe did nothing, because of too many calls or because another call has locked the object. */
const isBusy = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && (error.statusCode === 429 || error.code === 'lock_timeout');

/** Retries a call while Stripe is busy, with the same idempotency key and growing pauses. */
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

/** Converts Stripe's errors to errors of the port. Rethrows refusals of invalid requests, which are faults of ours. */
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

/** Resolves to undefined if the object does not exist. */
export const unlessMissing = <Result>(found: Promise<Result>): Promise<Result | undefined> =>
  found.catch((error: unknown) => {
    if (isStripeError(error, 'resource_missing')) return undefined;
    throw error;
  });

/** Like `ask`, but returns undefined if the object does not exist. */
export const askMaybe = <Result>(call: () => Promise<Result>): Promise<Result | undefined> =>
  unlessMissing(ask(call));

/** Returns a `catch` handler that replaces Stripe's refusal with the error that `refused` returns. */
export const refusedAs =
  (refused: (refusal: Stripe.errors.StripeInvalidRequestError) => Error) =>
  (error: unknown): never => {
    const refusal = refusalIn(error);
    throw refusal ? refused(refusal) : error;
  };

const asChangeRefused = refusedAs((refusal) => new ChangeRefused(refusal.message, { cause: refusal }));

/** Calls Stripe like `ask`. @throws ChangeRefused if Stripe refuses the change of the plan */
export const askForChange = <Result>(call: () => Promise<Result>): Promise<Result> =>
  ask(call).catch(asChangeRefused);
