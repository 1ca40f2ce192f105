import type Stripe from 'stripe';
import { list, type Routes } from '../router.js';
import { idOf, nulls, type World } from '../world.js';
import { createCharge } from './charges.js';

function descriptionOf({ billing_reason: reason }: Stripe.Invoice): string | null {
  if (reason === 'manual') return null;
  return reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update';
}

/** Creates the payment intent of an invoice, without charging the card yet. */
export function createPaymentIntent(world: World, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const id = world.id('pi');
  return world.add(
    'paymentIntents',
    {
      id,
      object: 'payment_intent',
      ...nulls('allowed_payment_method_types', 'application', 'application_fee_amount', 'canceled_at'),
      ...nulls('automatic_payment_methods', 'cancellation_reason', 'customer_account', 'last_payment_error'),
      ...nulls('excluded_payment_method_types', 'latest_charge', 'managed_payments', 'next_action'),
      ...nulls('on_behalf_of', 'payment_method', 'payment_method_configuration_details', 'payment_record'),
      ...nulls('processing', 'receipt_email', 'review', 'shipping', 'source', 'statement_descriptor'),
      ...nulls('statement_descriptor_suffix', 'transfer_data', 'transfer_group'),
      amount: invoice.amount_due,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      capture_method: 'automatic',
      client_secret: `${id}_secret_${world.id('s').slice(2)}`,
      confirmation_method: 'automatic',
      created: world.now(),
      currency: invoice.currency,
      customer: idOf(invoice.customer),
      description: descriptionOf(invoice),
      livemode: false,
      metadata: {},
      payment_method_options: {
        card: {
          ...nulls('installments', 'mandate_options', 'network'),
          request_three_d_secure: 'automatic',
        },
      },
      payment_method_types: ['card'],
      setup_future_usage: invoice.billing_reason === 'manual' ? null : 'off_session',
      status: 'requires_payment_method',
    },
    'payment_intent.created',
  );
}

/** Links an invoice to the payment intent that collects it. */
export const createInvoicePayment = (
  world: World,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Stripe.InvoicePayment =>
  world.add('invoicePayments', {
    id: world.id('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: world.now(),
    currency: invoice.currency,
    invoice: invoice.id as string,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });

/** Tries the card once. Records the outcome in the payment intent, its charge and the events. */
export function confirmPaymentIntent(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  works: boolean,
): void {
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
}

/** The bank asks the absent card holder to confirm. Until then the payment intent waits and nothing is charged. */
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

/** Fails the payment because the card holder did not confirm. The payer must enter a payment method again. */
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

export const paymentIntentRoutes: Routes = {
  'GET /v1/payment_intents': list('paymentIntents', ['customer']),
  'GET /v1/invoice_payments': list('invoicePayments', ['invoice', 'status'], ({ parameters }) => {
    const intent = parameters.nested('payment', (payment) => {
      payment.oneOf('type', ['payment_intent']);
      return payment.text('payment_intent');
    });
    return ({ payment }) => !intent || idOf(payment.payment_intent) === intent;
  }),
};
