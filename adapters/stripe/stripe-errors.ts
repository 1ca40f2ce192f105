import Stripe from 'stripe';
import { PaymentDeclined, PaymentGatewayUnavailable } from '../../application/ports/payment-gateway.js';

export const isStripeError = (error: unknown, code: string): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === code;

/** Says in the port's words how a call failed; a request that Stripe finds wrong is our own mistake. */
export async function ask<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw new PaymentDeclined(error.message);
    if (
      error instanceof Stripe.errors.StripeError &&
      !(error instanceof Stripe.errors.StripeInvalidRequestError)
    )
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
