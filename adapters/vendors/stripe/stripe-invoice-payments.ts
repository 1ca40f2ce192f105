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

type Needs = NonNullable<StripeSubscription['awaits']>['needs'];

/** What a payer has to do, by the intents to collect an invoice; null where it is paid or void. */
function needsOf(intents: readonly Stripe.PaymentIntent[]): Needs | null {
  if (intents.some(({ status }) => status === 'requires_action')) return 'confirmation';
  return intents.some(({ status }) => status === 'requires_payment_method') ? 'another card' : null;
}

/**
 * The change of a subscription that waits until its payer has paid the newest invoice, and what they have to do: null
 * where that was done, or forgotten, since the subscription was read.
 */
export async function awaitedFor(
  stripe: Stripe,
  { pending_update: update, latest_invoice }: Stripe.Subscription,
) {
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
  const intents = payments.data.flatMap(({ payment: { payment_intent: intent } }) =>
    typeof intent === 'object' && intent ? [intent] : [],
  );
  return { plan, invoiceId, needs: needsOf(intents), expiresAt: dateOf(update.expires_at) };
}
