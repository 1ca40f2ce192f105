import Stripe from 'stripe';
import {
  ChangeRefused,
  PaymentDeclined,
  PaymentGatewayUnavailable,
} from '../../../application/payments/payment-gateway.js';

export const isStripeError = (error: unknown, code: string): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === code;

/** Another call with this key is still running, so the outcome is open. */
const STILL_RUNNING = new Set<string | undefined>(['idempotency_key_in_use', 'lock_timeout', 'rate_limit']);

/** The refusal of a request that Stripe judged and found impossible. */
export const refusalIn = (error: unknown): Stripe.errors.StripeInvalidRequestError | undefined =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !STILL_RUNNING.has(error.code)
    ? error
    : undefined;

/** Says in the port's words how a call failed; a request that Stripe finds wrong is our own mistake. */
export async function ask<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
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
