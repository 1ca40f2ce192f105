import type Stripe from 'stripe';
import { ask, askMaybe } from './stripe-errors.js';
import type { OpenInvoice } from '../../../application/payments/payment-gateway.js';
import { dateOf, idOf, planOfProduct } from './stripe-shapes.js';

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

/** Returns how much the payments of an invoice added to our balance, in US cents; 0 without a payment. */
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
    // As long as there is no balance transaction, the charge has the amount.
    const { amount, currency } = moved && typeof moved === 'object' ? moved : charge;
    if (currency === 'usd') collected += amount;
  }
  return collected;
}

async function intentsFor(stripe: Stripe, invoice: string): Promise<Stripe.PaymentIntent[]> {
  const expand = ['data.payment.payment_intent.payment_method'];
  const payments = await ask(() => stripe.invoicePayments.list({ invoice, limit: 10, expand }));
  return payments.data.flatMap(({ payment: { payment_intent: intent } }) =>
    typeof intent === 'object' && intent ? [intent] : [],
  );
}

/** Returns what the payer must do: confirm, or use another card. Null if no payment waits for the payer. */
function needsOf(intents: readonly Stripe.PaymentIntent[]): OpenInvoice['needs'] | null {
  if (intents.some(({ status }) => status === 'requires_action')) return 'confirmation';
  return intents.some(({ status }) => status === 'requires_payment_method') ? 'another card' : null;
}

export async function openInvoice(stripe: Stripe, invoiceId: string): Promise<OpenInvoice | undefined> {
  const invoice = await askMaybe(() => stripe.invoices.retrieve(invoiceId));
  if (invoice?.status !== 'open') return undefined;
  const { number, amount_remaining, hosted_invoice_url, next_payment_attempt } = invoice;
  const intents = await intentsFor(stripe, invoiceId);
  const tried = intents.map(({ payment_method: method, last_payment_error: failure }) =>
    typeof method === 'object' && method ? method : failure?.payment_method,
  );
  return {
    number,
    dueUsdCents: amount_remaining,
    hostedUrl: hosted_invoice_url ?? null,
    nextAttemptAt: next_payment_attempt ? dateOf(next_payment_attempt) : null,
    needs: needsOf(intents) ?? 'another card',
    last4: tried.find((method) => method?.card)?.card?.last4 ?? null,
  };
}

/** Returns the plan change that waits for payment. `needs` is null if the change was paid or dropped since. */
export async function awaitedFor(
  stripe: Stripe,
  { pending_update: update, latest_invoice }: Stripe.Subscription,
) {
  const plan = planOfProduct(update?.subscription_items?.[0]?.price.product);
  const invoiceId = idOf(latest_invoice);
  if (!update || !plan || !invoiceId) return null;
  const needs = needsOf(await intentsFor(stripe, invoiceId));
  return { plan, invoiceId, needs, expiresAt: dateOf(update.expires_at) };
}
