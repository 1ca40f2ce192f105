import type Stripe from 'stripe';
import { page } from '../listing.js';
import type { Route } from '../router.js';
import { idOf, type World } from '../world.js';
import { createCharge } from './charges.js';

/** Creates the intent to collect an invoice, without an attempt. */
export function createPaymentIntent(world: World, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const id = world.id('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${world.id('s').slice(2)}`,
    confirmation_method: 'automatic',
    created: world.now(),
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
  world.objects.paymentIntents[id] = intent;
  world.emit('payment_intent.created', intent);
  return intent;
}

/** Tries the card once. Records the outcome in the intent, its charge and the events. @returns whether it worked */
export function confirmPaymentIntent(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  works: boolean,
): boolean {
  const charge = createCharge(world, intent, method, works);
  intent.latest_charge = charge.id;
  intent.next_action = null;
  if (works) {
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.payment_method = method.id;
    intent.last_payment_error = null;
  } else {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      charge: charge.id,
      payment_method: structuredClone(method),
    };
  }
  world.emit(works ? 'charge.succeeded' : 'charge.failed', charge);
  world.emit(works ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent);
  return works;
}

/** Leaves the intent waiting: the bank asks the absent card holder to confirm, and nothing is charged until then. */
export function askForConfirmation(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
  world.emit('payment_intent.requires_action', intent);
}

/** Fails the intent because the holder did not confirm. The card cannot be used for it. */
export function failConfirmation(world: World, intent: Stripe.PaymentIntent): void {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.last_payment_error = {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method.',
  };
  world.emit('payment_intent.payment_failed', intent);
}

export const paymentIntentRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/payment_intents/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('paymentIntents', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/payment_intents',
    answer: ({ world, parameters }) => {
      const customer = parameters.text('customer');
      const found = world
        .all('paymentIntents')
        .filter((intent) => !customer || idOf(intent.customer) === customer);
      return page(found, parameters, '/v1/payment_intents');
    },
  },
];
