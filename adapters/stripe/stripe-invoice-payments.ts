import type Stripe from 'stripe';
import { ask } from './stripe-errors.js';
import { idOf } from './stripe-shapes.js';

/** The invoice that a payment intent collects; undefined where it collects none. */
export async function invoicePaidBy(
  stripe: Stripe,
  intent: string | { id: string } | null,
): Promise<string | undefined> {
  const intentId = idOf(intent);
  if (!intentId) return undefined;
  const payments = await ask(() =>
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intentId },
      limit: 1,
    }),
  );
  return idOf(payments.data[0]?.invoice);
}
