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

/** What the payments of an invoice brought into the balance, in cents of US dollars; nothing where none was made. */
export async function collectedFor(stripe: Stripe, invoice: string): Promise<number> {
  const payments = await ask(() =>
    stripe.invoicePayments
      .list({ invoice, status: 'paid', limit: 100, expand: ['data.payment.payment_intent'] })
      .autoPagingToArray({ limit: 1000 }),
  );
  let collected = 0;
  for (const { payment } of payments) {
    const intent = payment.payment_intent;
    const chargeId = idOf(payment.charge) ?? idOf(typeof intent === 'object' ? intent.latest_charge : null);
    if (!chargeId) continue;
    const charge = await ask(() => stripe.charges.retrieve(chargeId, { expand: ['balance_transaction'] }));
    const moved = charge.balance_transaction;
    // It may not have moved yet: then what was charged will.
    const { amount, currency } = moved && typeof moved === 'object' ? moved : charge;
    if (currency === 'usd') collected += amount;
  }
  return collected;
}
