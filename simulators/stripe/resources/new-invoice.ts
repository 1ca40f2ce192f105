import type Stripe from 'stripe';
import { decimal, idOf, listOf, monthsAfter, type World } from '../world.js';

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

/** Returns the line that bills one item for one period. */
export function lineFor(
  world: World,
  invoiceId: string,
  subscription: Stripe.Subscription,
  period: { start: number; end: number },
): Stripe.InvoiceLineItem {
  const item = subscription.items.data[0] as Stripe.SubscriptionItem;
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

/** Returns a line that corrects the cost of a period; negative if the customer is owed money. */
export function prorationLineFor(
  world: World,
  invoiceId: string,
  subscription: Stripe.Subscription,
  amount: number,
): Stripe.InvoiceLineItem {
  const { current_period_end: end } = subscription.items.data[0] as Stripe.SubscriptionItem;
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

/** Returns a complete invoice that is not finalised yet. */
export function draftInvoice(
  world: World,
  id: string,
  customer: Stripe.Customer,
  subscription: Stripe.Subscription,
  line: Stripe.InvoiceLineItem,
  reason: BillingReason,
): Stripe.Invoice {
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Offcut (simulated)',
    account_tax_ids: null,
    amount_due: line.amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: line.amount,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: world.now(),
    currency: line.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: structuredClone(customer.address ?? null),
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf([line], `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    // As at Stripe, a renewal names the period before it, because it would also bill the usage in that period.
    period_end: line.period.start,
    period_start: reason === 'subscription_cycle' ? monthsAfter(line.period.start, -1) : line.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: line.amount,
    subtotal_excluding_tax: line.amount,
    test_clock: null,
    total: line.amount,
    total_discount_amounts: [],
    total_excluding_tax: line.amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}
