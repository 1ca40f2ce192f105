import type Stripe from 'stripe';
import { listOf, type World } from '../world.js';
import { planOf } from './prices.js';

/** Returns a subscription that has not been billed yet. */
export function createSubscription(
  world: World,
  options: {
    customer: Stripe.Customer;
    price: Stripe.Price;
    quantity: number;
    metadata: Record<string, string>;
    method: Stripe.PaymentMethod;
  },
): Stripe.Subscription {
  const id = world.id('sub');
  const now = world.now();
  const item: Stripe.SubscriptionItem = {
    id: world.id('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: now,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(options.price),
    price: structuredClone(options.price),
    quantity: options.quantity,
    subscription: id,
    tax_rates: [],
  };
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: options.price.currency,
    customer: options.customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: options.method.id,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: options.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  };
}
