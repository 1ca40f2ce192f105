import type Stripe from 'stripe';
import { ask } from './stripe-errors.js';
import type { StripeSubscription } from '../../../application/payments/payment-gateway.js';
import { dateOf, idOf, planOfProduct } from './stripe-shapes.js';

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

/** The change of a subscription that waits until its payer has paid the newest invoice, and what they have to do. */
export async function awaitedFor(
  stripe: Stripe,
  { pending_update: update, latest_invoice }: Stripe.Subscription,
): Promise<StripeSubscription['awaits']> {
  const plan = planOfProduct(update?.subscription_items?.[0]?.price.product);
  const invoiceId = idOf(latest_invoice);
  if (!update || !plan || !invoiceId) return null;
  const payments = await ask(() =>
    stripe.invoicePayments.list({
      invoice: invoiceId,
      limit: 10,
      expand: ['data.payment.payment_intent'],
    }),
  );
  const asks = payments.data.some(({ payment: { payment_intent: intent } }) =>
    Boolean(typeof intent === 'object' && intent?.status === 'requires_action'),
  );
  const needs = asks ? 'confirmation' : 'another card';
  return { plan, invoiceId, needs, expiresAt: dateOf(update.expires_at) };
}
