import type Stripe from 'stripe';
import { invalid, refusedForKey } from '../faults.js';
import { list, retrieve, type Call, type Routes } from '../router.js';
import { DAY_SECONDS, idOf, countDown, type World } from '../world.js';
import { recordMovement } from './balance.js';

function chargeOf({ world, parameters }: Call): Stripe.Charge {
  const intentId = parameters.text('payment_intent');
  const intent = intentId ? world.find('paymentIntents', intentId, 'payment_intent') : undefined;
  const chargeId = parameters.text('charge') ?? idOf(intent?.latest_charge);
  return world.find('charges', chargeId, 'charge');
}

function create(call: Call): object {
  const { world, parameters } = call;
  const charge = chargeOf(call);
  const amount = parameters.integer('amount');
  const metadata = parameters.metadata();
  parameters.text('reason');
  parameters.done();
  if (amount !== undefined && amount < 1) throw invalid('Invalid positive integer', 'amount');
  return refund(world, charge, { amount, metadata });
}

/** Refunds a charge, fully unless an amount is given. */
export function refund(
  world: World,
  charge: Stripe.Charge,
  given: { amount: number | undefined; metadata?: Record<string, string> },
): Stripe.Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = given.amount ?? left;
  if (charge.disputed)
    throw refusedForKey(
      'charge_disputed',
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    );
  if (left === 0)
    throw refusedForKey('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  if (amount > left)
    throw invalid(
      `Refund amount ($${amount / 100}) is greater than unrefunded amount on charge ($${left / 100})`,
      'amount',
    );
  const id = world.id('re');
  const { pendRefunds } = world.state;
  const waits = countDown(pendRefunds);
  const made = world.add('refunds', {
    id,
    object: 'refund',
    amount,
    balance_transaction: waits && !pendRefunds.moved ? null : movedBy(world, id, amount, charge),
    charge: charge.id,
    created: world.now(),
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    metadata: given.metadata ?? {},
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    ...(waits ? waitingFor(pendRefunds.reason, world.now()) : { status: 'succeeded' }),
    transfer_reversal: null,
  });
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  world.emit('refund.created', made);
  world.emit('charge.refunded', charge, previous);
  return made;
}

/** Returns the status of a refund that waits. For `requires_action`, Stripe mails the payer and waits 45 days. */
const waitingFor = (
  reason: World['state']['pendRefunds']['reason'],
  now: number,
): Pick<Stripe.Refund, 'status' | 'pending_reason' | 'next_action'> =>
  reason === 'requires_action'
    ? {
        status: reason,
        next_action: {
          type: 'display_details',
          display_details: {
            email_sent: { email_sent_at: now, email_sent_to: 'payer@example.com' },
            expires_at: now + 45 * DAY_SECONDS,
          },
        },
      }
    : { status: 'pending', pending_reason: reason };

const movedBy = (world: World, source: string, amount: number, charge: Stripe.Charge): string =>
  recordMovement(world, {
    type: 'refund',
    amount: -amount,
    source,
    description: `REFUND FOR CHARGE (${charge.description ?? charge.id})`,
  });

/** Ends the waiting of a refund: it is sent, or cancelled before any money moved. */
export function settleRefund(
  world: World,
  made: Stripe.Refund,
  status: 'succeeded' | 'canceled',
): Stripe.Refund {
  const charge = world.find('charges', idOf(made.charge));
  const previous = { status: made.status };
  made.status = status;
  delete made.pending_reason;
  delete made.next_action;
  if (status === 'succeeded') made.balance_transaction ??= movedBy(world, made.id, made.amount, charge);
  else takeBack(charge, made);
  return world.emit('refund.updated', made, previous);
}

/** Fails a refund: the customer's bank sent it back, or the payer never answered. */
export function failRefund(world: World, made: Stripe.Refund): Stripe.Refund {
  const charge = world.find('charges', idOf(made.charge));
  const previous = { status: made.status };
  made.failure_reason =
    made.status === 'requires_action' ? 'expired_or_canceled_refund' : 'lost_or_stolen_card';
  made.status = 'failed';
  delete made.pending_reason;
  delete made.next_action;
  made.failure_balance_transaction = recordMovement(world, {
    type: 'refund_failure',
    amount: made.amount,
    source: made.id,
    description: `REFUND FAILURE (${made.id})`,
  });
  takeBack(charge, made);
  world.emit('refund.updated', made, previous);
  return world.emit('refund.failed', made, previous);
}

function takeBack(charge: Stripe.Charge, { amount }: Stripe.Refund): void {
  charge.amount_refunded -= amount;
  charge.refunded = false;
}

export const refundRoutes: Routes = {
  'POST /v1/refunds': create,
  'GET /v1/refunds/:id': retrieve('refunds'),
  'GET /v1/refunds': list('refunds', ['charge', 'payment_intent', 'created']),
};
