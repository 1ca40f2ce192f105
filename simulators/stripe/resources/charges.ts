import type Stripe from 'stripe';
import { page } from '../listing.js';
import type { Route } from '../router.js';
import { idOf, type World } from '../world.js';
import { recordMovement } from './balance-transactions.js';

// Stripe's published price for a card in the United States: 2.9 % and 30 cents.
const feeCents = (amountCents: number): number => Math.round(amountCents * 0.029) + 30;

const DAY_SECONDS = 86_400;

/** Records one attempt to charge a card. A successful charge also moves Stripe's balance. */
export function createCharge(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  works: boolean,
): Stripe.Charge {
  const id = world.id('ch');
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: works ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: works ? recordIncome(world, id, intent) : null,
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'OFFCUT',
    captured: works,
    created: world.now(),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: works ? null : 'card_declined',
    failure_message: works ? null : 'Your card was declined.',
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: outcome(works),
    paid: works,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: works ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  world.objects.charges[id] = charge;
  return charge;
}

const outcome = (works: boolean): Stripe.Charge.Outcome => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
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
  world.emit('charge.failed', charge, { status: 'succeeded' });
  return charge;
}

function recordIncome(world: World, chargeId: string, intent: Stripe.PaymentIntent): string {
  const fee = feeCents(intent.amount);
  const transaction: Stripe.BalanceTransaction = {
    id: world.id('txn'),
    object: 'balance_transaction',
    amount: intent.amount,
    available_on: world.now() + 2 * DAY_SECONDS,
    balance_type: 'payments',
    created: world.now(),
    // Also for other currencies: Stripe pays a currency out only to a bank account in it.
    currency: 'usd',
    description: intent.description,
    exchange_rate: intent.currency === 'usd' ? null : 1,
    fee,
    fee_details: [
      {
        amount: fee,
        application: null,
        currency: 'usd',
        description: 'Stripe processing fees',
        type: 'stripe_fee',
      },
    ],
    net: intent.amount - fee,
    reporting_category: 'charge',
    source: chargeId,
    status: 'pending',
    type: 'charge',
  };
  world.objects.balanceTransactions[transaction.id] = transaction;
  return transaction.id;
}

export const chargeRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/charges/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('charges', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/charges',
    answer: ({ world, parameters }) => {
      const customer = parameters.text('customer');
      const intent = parameters.text('payment_intent');
      const created = parameters.range('created');
      const found = world
        .all('charges')
        .filter(
          (charge) =>
            (!customer || charge.customer === customer) &&
            (!intent || charge.payment_intent === intent) &&
            (!created || created(charge.created)),
        );
      return page(found, parameters, '/v1/charges');
    },
  },
];
