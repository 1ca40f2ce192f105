import Stripe from 'stripe';
import {
  PaymentGatewayUnavailable,
  type PaymentGateway,
} from '../../../application/payments/payment-gateway.js';
import { isPlan } from '../../../domain/subscriptions/products.js';
import type { StripeOptions } from './stripe-client.js';
import { unlessMissing } from './stripe-errors.js';

type Order = Parameters<PaymentGateway['createCheckout']>[0];

/** Our user id goes into the metadata of the subscription, or of the invoice of a single payment. */
const modeOf = ({ product, userId, giftId }: Order) =>
  isPlan(product)
    ? { mode: 'subscription' as const, subscription_data: { metadata: { userId } } }
    : {
        mode: 'payment' as const,
        invoice_creation: {
          enabled: true,
          invoice_data: { metadata: { userId, ...(giftId !== undefined && { giftId }) } },
        },
        // The books of invoices are in dollars, and Stripe would offer the payer's own currency.
        adaptive_pricing: { enabled: false },
      };

/** Stripe stores the address and the tax number with the customer, for the next invoices. */
const TAXED = {
  automatic_tax: { enabled: true },
  billing_address_collection: 'required',
  tax_id_collection: { enabled: true },
  customer_update: { address: 'auto', name: 'auto' },
} satisfies Partial<Stripe.Checkout.SessionCreateParams>;

export async function openCheckout(
  stripe: Stripe,
  price: string,
  options: Order & Pick<StripeOptions, 'tax'>,
): Promise<{ url: string; sessionId: string; customerId: string }> {
  const customer = await customerFor(stripe, options);
  const session = await stripe.checkout.sessions.create(
    {
      ...modeOf(options),
      customer,
      client_reference_id: options.userId,
      line_items: [{ price, quantity: options.quantity ?? 1 }],
      metadata: { order: orderOf(options) },
      success_url: options.successUrl,
      cancel_url: options.cancelUrl,
      // Stripe copies the address to the customer, so that each invoice names the payer's country.
      customer_update: { address: 'auto' },
      // Payers may enter promotion codes that the operator created at
      // Stripe. The lot is worth what the invoice says after the discount.
      allow_promotion_codes: true,
      ...(options.tax && TAXED),
    },
    { idempotencyKey: options.idempotencyKey },
  );
  return { ...(await onlyOpenSession(stripe, customer, session)), customerId: customer };
}

const orderOf = ({ product, quantity = 1, giftId }: Order): string =>
  `${quantity} ${product}${giftId === undefined ? '' : ` gift ${giftId}`}`;

async function customerFor(
  stripe: Stripe,
  options: { userId: string; email: string; customerId?: string },
): Promise<string> {
  if (options.customerId) {
    const known = await unlessMissing(stripe.customers.retrieve(options.customerId));
    if (known && !known.deleted) return known.id;
  }
  const made = await stripe.customers.create(
    { email: options.email, metadata: { userId: options.userId } },
    // Concurrent first checkouts share the key and so the customer. Replacing a deleted customer needs another key.
    { idempotencyKey: `customer:${options.userId}:${options.customerId ?? 'first'}` },
  );
  return made.id;
}

/** Closes all checkouts of a customer except the newest, because the listener could pay two open ones. */
async function onlyOpenSession(
  stripe: Stripe,
  customer: string,
  mine: Stripe.Checkout.Session,
): Promise<{ url: string; sessionId: string }> {
  const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 });
  const [newest, ...older] = open.data;
  for (const session of older) await closeSession(stripe, session.id);
  const isSame = newest && newest.metadata?.['order'] === mine.metadata?.['order'];
  const session = isSame ? newest : mine;
  if (!session.url) throw new PaymentGatewayUnavailable('the checkout has no URL');
  return { url: session.url, sessionId: session.id };
}

/** Closes a checkout. Does nothing if it was paid or closed in the meantime. */
export async function closeSession(stripe: Stripe, sessionId: string): Promise<void> {
  await stripe.checkout.sessions.expire(sessionId).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}
