import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import { list, retrieve, show, type Call, type Routes } from '../router.js';
import { DAY_SECONDS, monthsAfter, nulls, type World } from '../world.js';
import { availableCents, recordMovement } from './balance.js';

/** A payout takes two days to reach the bank. */
const UNDER_WAY_SECONDS = 2 * DAY_SECONDS;

function create({ world, parameters }: Call): object {
  const amount = parameters.integer('amount');
  const currency = parameters.required('currency');
  const description = parameters.text('description') ?? 'STRIPE PAYOUT';
  const metadata = parameters.metadata();
  parameters.done();
  if (amount === undefined) throw missing('amount');
  if (amount < 1) throw invalid('Invalid positive integer', 'amount');
  if (availableCents(world, currency) < amount)
    throw invalid(
      'You have insufficient funds in your Stripe account for this payout.',
      undefined,
      'balance_insufficient',
    );
  return sendToBank(world, { amount, currency, description, metadata });
}

function sendToBank(
  world: World,
  given: Pick<Stripe.Payout, 'amount' | 'currency' | 'metadata'> & { description: string; automatic?: true },
): Stripe.Payout {
  const { amount, currency, description } = given;
  const id = world.id('po');
  const movement = { type: 'payout' as const, amount: -amount, description, currency, source: id };
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    ...nulls('application_fee', 'application_fee_amount', 'failure_balance_transaction', 'failure_code'),
    ...nulls('failure_message', 'original_payout', 'payout_method', 'reversed_by', 'statement_descriptor'),
    arrival_date: world.now() + UNDER_WAY_SECONDS,
    automatic: false,
    balance_transaction: recordMovement(world, movement),
    created: world.now(),
    destination: 'ba_simulator',
    livemode: false,
    method: 'standard',
    reconciliation_status: 'not_applicable',
    source_type: 'card',
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
    ...given,
  };
  return world.add('payouts', payout, 'payout.created');
}

const DAYS: Record<string, number | undefined> = { daily: 1, weekly: 7 };

/** Returns the time of the next automatic payout to our bank, or undefined if payouts are manual. */
export function nextAutomaticPayout({ state }: World): number | undefined {
  const interval = state.balanceSettings.payments.payouts?.schedule?.interval ?? 'manual';
  if (interval === 'monthly') return monthsAfter(state.paidOutAt, 1);
  const days = DAYS[interval];
  return days === undefined ? undefined : state.paidOutAt + days * DAY_SECONDS;
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

function updateSettings({ world, parameters }: Call): object {
  const { balanceSettings } = world.state;
  const { payouts } = balanceSettings.payments;
  parameters.nested('payments', (payments) =>
    payments.nested('payouts', (given) => {
      const intervals = ['manual', 'daily', 'weekly', 'monthly'] as const;
      const interval = given.nested('schedule', (schedule) => schedule.oneOf('interval', intervals));
      const usd = given.nested('minimum_balance_by_currency', (minimum) => minimum.integer('usd'));
      if (payouts && interval) {
        payouts.schedule = { interval };
        world.state.paidOutAt = world.now();
      }
      if (payouts && usd !== undefined) payouts.minimum_balance_by_currency = { usd };
    }),
  );
  parameters.done();
  return world.emit('balance_settings.updated', balanceSettings);
}

export const payoutRoutes: Routes = {
  'POST /v1/payouts': create,
  'GET /v1/payouts/:id': retrieve('payouts'),
  'GET /v1/payouts': list('payouts', ['status', 'created']),
  'GET /v1/balance_settings': show(({ world }) => world.state.balanceSettings),
  'POST /v1/balance_settings': updateSettings,
};
