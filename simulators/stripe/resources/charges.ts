import type Stripe from 'stripe';
import { list, retrieve, type Routes } from '../router.js';
import { DAY_SECONDS, idOf, nulls, type World } from '../world.js';
import { recordMovement } from './balance.js';

// Stripe's published price for a card in the United States: 2.9 % and 30 cents.
const feeCents = (amountCents: number): number => Math.round(amountCents * 0.029) + 30;

/** Records one attempt to charge a card. A successful charge also moves Stripe's balance. */
export function createCharge(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  works: boolean,
): Stripe.Charge {
  const id = world.id('ch');
  return world.add('charges', {
    id,
    object: 'charge',
    ...nulls('application', 'application_fee', 'application_fee_amount', 'on_behalf_of'),
    ...nulls('failure_balance_transaction', 'receipt_email', 'receipt_number', 'receipt_url', 'review'),
    ...nulls('shipping', 'source', 'source_transfer', 'statement_descriptor', 'statement_descriptor_suffix'),
    ...nulls('transfer_data', 'transfer_group'),
    amount: intent.amount,
    amount_captured: works ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: works ? recordIncome(world, id, intent) : null,
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'OFFCUT',
    captured: works,
    created: world.now(),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_code: works ? null : 'card_declined',
    failure_message: works ? null : 'Your card was declined.',
    fraud_details: {},
    livemode: false,
    metadata: {},
    outcome: outcome(works),
    paid: works,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card' },
    refunded: false,
    status: works ? 'succeeded' : 'failed',
  });
}

const outcome = (works: boolean): Stripe.Charge.Outcome => ({
  ...nulls('advice_code', 'network_advice_code', 'network_decline_code'),
  network_status: works ? 'approved_by_network' : 'declined_by_network',
  reason: works ? null : 'generic_decline',
  risk_level: 'normal',
  risk_score: 12,
  seller_message: works
    ? 'Payment complete.'
    : 'The bank did not return any further details with this decline.',
  type: works ? 'authorized' : 'issuer_declined',
});

/** Fails a payment that had succeeded, as can happen with bank debits. */
export function failCharge(world: World, charge: Stripe.Charge): Stripe.Charge {
  charge.status = 'failed';
  charge.failure_code = 'insufficient_funds';
  charge.failure_balance_transaction = recordMovement(world, {
    type: 'payment_failure_refund',
    amount: -charge.amount,
    source: charge.id,
    description: `PAYMENT FAILURE (${charge.id})`,
  });
  return world.emit('charge.failed', charge, { status: 'succeeded' });
}

const recordIncome = (world: World, chargeId: string, intent: Stripe.PaymentIntent): string =>
  recordMovement(world, {
    type: 'charge',
    amount: intent.amount,
    fee: feeCents(intent.amount),
    feeName: 'Stripe processing fees',
    source: chargeId,
    description: intent.description,
    // Stripe converts other currencies, because our bank account is in dollars.
    currency: 'usd',
    exchangeRate: intent.currency === 'usd' ? null : 1,
    settlesAfterSeconds: 2 * DAY_SECONDS,
  });

export const chargeRoutes: Routes = {
  'GET /v1/charges/:id': retrieve('charges'),
  'GET /v1/charges': list('charges', ['customer', 'payment_intent', 'created']),
};
