import type Stripe from 'stripe';
import { invalid, missing, StripeFault } from '../faults.js';
import { page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { monthsAfter, type World } from '../world.js';
import { availableCents, recordMovement } from './balance-transactions.js';

/** A bank takes two days. */
const UNDER_WAY_SECONDS = 2 * 86_400;

function create({ world, parameters }: Call): object {
  const amount = parameters.integer('amount');
  const currency = parameters.required('currency');
  const description = parameters.text('description') ?? 'STRIPE PAYOUT';
  const metadata = parameters.metadata();
  parameters.done();
  if (amount === undefined) throw missing('amount');
  if (amount < 1) throw invalid('Invalid positive integer', 'amount');
  if (availableCents(world, currency) < amount)
    throw new StripeFault(400, {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: 'You have insufficient funds in your Stripe account for this payout.',
    });
  return sendToBank(world, { amount, currency, description, metadata });
}

function sendToBank(
  world: World,
  given: {
    amount: number;
    currency: string;
    description: string;
    metadata: Record<string, string>;
    automatic?: true;
  },
): Stripe.Payout {
  const { amount, currency, description, metadata, automatic = false } = given;
  const movement = { type: 'payout' as const, amount: -amount, description, currency };
  const id = world.id('po');
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: world.now() + UNDER_WAY_SECONDS,
    automatic,
    balance_transaction: recordMovement(world, { ...movement, source: id }),
    created: world.now(),
    currency,
    description,
    destination: 'ba_simulator',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
  world.objects.payouts[id] = payout;
  world.emit('payout.created', payout);
  return payout;
}

const DAYS: Record<string, number | undefined> = { daily: 1, weekly: 7 };

/** Returns the time of the next automatic payout to our bank, or undefined if payouts are manual. */
export function nextAutomaticPayout({ state }: World): number | undefined {
  const interval = state.balanceSettings.payments.payouts?.schedule?.interval ?? 'manual';
  if (interval === 'monthly') return monthsAfter(state.paidOutAt, 1);
  const days = DAYS[interval];
  return days === undefined ? undefined : state.paidOutAt + days * 86_400;
}

/** Pays out the available balance, less the minimum that should stay. */
export function payOutAutomatically(world: World): void {
  const { payouts } = world.state.balanceSettings.payments;
  world.state.paidOutAt = world.now();
  const amount = availableCents(world) - (payouts?.minimum_balance_by_currency?.['usd'] ?? 0);
  const description = 'STRIPE PAYOUT';
  if (amount > 0) sendToBank(world, { amount, currency: 'usd', description, metadata: {}, automatic: true });
}

export function arrive(world: World, payout: Stripe.Payout): void {
  payout.status = 'paid';
  world.emit('payout.paid', payout, { status: 'in_transit' });
}

/** Fails a payout that the bank sends back, before or after it seemed to arrive. */
export function bounce(world: World, payout: Stripe.Payout): void {
  const previous = { status: payout.status };
  payout.status = 'failed';
  payout.failure_code = 'account_closed';
  payout.failure_message = 'The bank account has been closed';
  payout.failure_balance_transaction = recordMovement(world, {
    type: 'payout_failure',
    amount: payout.amount,
    source: payout.id,
    description: payout.description,
    currency: payout.currency,
  });
  world.emit('payout.failed', payout, previous);
}

export const payoutRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/payouts', answer: create },
  {
    method: 'GET',
    pattern: '/v1/payouts/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('payouts', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/payouts',
    answer: ({ world, parameters }) => {
      const status = parameters.text('status');
      const created = parameters.range('created');
      const found = world
        .all('payouts')
        .filter((payout) => (!status || payout.status === status) && (!created || created(payout.created)));
      return page(found, parameters, '/v1/payouts');
    },
  },
];
