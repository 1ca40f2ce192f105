import type Stripe from 'stripe';
import { decimal, idOf, listOf, monthsAfter, nulls, type World } from '../world.js';

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';

export const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem =>
  subscription.items.data[0] as Stripe.SubscriptionItem;

export function lineFor(
  world: World,
  invoiceId: string,
  subscription: Stripe.Subscription,
  period: { start: number; end: number },
): Stripe.InvoiceLineItem {
  const item = itemOf(subscription);
  const quantity = item.quantity ?? 1;
  const amount = (item.price.unit_amount ?? 0) * quantity;
  const product = world.find('products', idOf(item.price.product));
  return {
    id: world.id('il'),
    object: 'line_item',
    amount,
    currency: item.price.currency,
    description: `${quantity} × ${product.name} (at $${((item.price.unit_amount ?? 0) / 100).toFixed(2)} / month)`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: invoiceId,
    livemode: false,
    metadata: { ...subscription.metadata },
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: product.id },
      type: 'price_details',
      unit_amount_decimal: decimal(item.price.unit_amount ?? 0),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

/** Returns the line of a single payment. */
export function singleLineFor(
  world: World,
  invoiceId: string,
  { price, quantity }: { price: Stripe.Price; quantity: number },
): Stripe.InvoiceLineItem {
  const unit = price.unit_amount ?? 0;
  const amount = unit * quantity;
  const product = world.find('products', idOf(price.product));
  return {
    id: world.id('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: product.name,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: invoiceId,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: {
        invoice_item: world.id('ii'),
        proration: false,
        proration_details: { credited_items: null },
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: { start: world.now(), end: world.now() },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: product.id },
      type: 'price_details',
      unit_amount_decimal: decimal(unit),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription: null,
    subtotal: amount,
    taxes: [],
  };
}

/** Returns a line that corrects the cost of a period; negative if the customer is owed money. */
export function prorationLineFor(
  world: World,
  invoiceId: string,
  subscription: Stripe.Subscription,
  amount: number,
): Stripe.InvoiceLineItem {
  const { current_period_end: end } = itemOf(subscription);
  const line = lineFor(world, invoiceId, subscription, { start: world.now(), end });
  return {
    ...line,
    amount,
    description: `${amount < 0 ? 'Unused' : 'Remaining'} time`,
    discountable: false,
    parent: {
      invoice_item_details: {
        invoice_item: world.id('ii'),
        proration: true,
        proration_details: { credited_items: null },
        subscription: subscription.id,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    subtotal: amount,
  };
}

export function draftInvoice(
  world: World,
  id: string,
  customer: Stripe.Customer,
  subscription: Stripe.Subscription | undefined,
  line: Stripe.InvoiceLineItem,
  reason: BillingReason,
): Stripe.Invoice {
  return {
    id,
    object: 'invoice',
    ...nulls('account_tax_ids', 'application', 'automatically_finalizes_at', 'custom_fields'),
    ...nulls('customer_account', 'customer_phone', 'customer_shipping', 'default_payment_method'),
    ...nulls('default_source', 'description', 'due_date', 'effective_at', 'footer', 'from_invoice'),
    ...nulls('hosted_invoice_url', 'invoice_pdf', 'last_finalization_error', 'latest_revision'),
    ...nulls('next_payment_attempt', 'number', 'on_behalf_of', 'receipt_number', 'rendering'),
    ...nulls('shipping_cost', 'shipping_details', 'statement_descriptor', 'test_clock'),
    account_country: 'US',
    account_name: 'Offcut (simulated)',
    amount_due: line.amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: line.amount,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { enabled: false, ...nulls('disabled_reason', 'liability', 'provider', 'status') },
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: world.now(),
    currency: line.currency,
    customer: customer.id,
    customer_address: structuredClone(customer.address ?? null),
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: [],
    ending_balance: 0,
    issuer: { type: 'self' },
    lines: listOf([line], `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: nulls('default_mandate', 'payment_method_options', 'payment_method_types'),
    // As at Stripe, a renewal names the previous period, because it would also bill the usage in that period.
    period_end: line.period.start,
    period_start: reason === 'subscription_cycle' ? monthsAfter(line.period.start, -1) : line.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status: 'draft',
    status_transitions: nulls('finalized_at', 'marked_uncollectible_at', 'paid_at', 'voided_at'),
    subtotal: line.amount,
    subtotal_excluding_tax: line.amount,
    total: line.amount,
    total_discount_amounts: [],
    total_excluding_tax: line.amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}
