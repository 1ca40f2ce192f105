import type Stripe from 'stripe';
import { list, retrieve, type Routes } from '../router.js';
import { DAY_SECONDS, idOf, type World } from '../world.js';
import { recordMovement } from './balance.js';

// Stripe's published fee for a dispute in the United States. Stripe keeps it even if the dispute is won.
const FEE_CENTS = 1_500;

/** Opens a dispute: the customer's bank takes money back. An inquiry takes none. */
export function openDispute(
  world: World,
  charge: Stripe.Charge,
  amount: number,
  inquiry = false,
): Stripe.Dispute {
  const id = world.id('dp');
  const dispute = world.add('disputes', {
    id,
    object: 'dispute',
    amount,
    balance_transactions: inquiry ? [] : [withdrawn(world, id, amount)],
    charge: charge.id,
    created: world.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    // The simulator accepts no evidence.
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: world.now() + 21 * DAY_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    reason: 'fraudulent',
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  });
  charge.disputed = !inquiry;
  world.emit('charge.dispute.created', dispute);
  if (!inquiry) world.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Turns an inquiry into a dispute with the same id. */
export function escalate(world: World, dispute: Stripe.Dispute): Stripe.Dispute {
  const previous = { status: dispute.status };
  dispute.status = 'needs_response';
  dispute.is_charge_refundable = false;
  dispute.balance_transactions.push(withdrawn(world, dispute.id, dispute.amount));
  world.find('charges', idOf(dispute.charge)).disputed = true;
  world.emit('charge.dispute.updated', dispute, previous);
  return world.emit('charge.dispute.funds_withdrawn', dispute);
}

/** Adds a movement to a dispute. A positive amount goes to the bank. */
export function adjustDispute(
  world: World,
  dispute: Stripe.Dispute,
  amount: number,
  fee: number,
): Stripe.Dispute {
  dispute.balance_transactions.push(withdrawn(world, dispute.id, amount, fee));
  world.emit('charge.dispute.updated', dispute);
  return world.emit(`charge.dispute.funds_${amount < 0 ? 'reinstated' : 'withdrawn'}`, dispute);
}

const withdrawn = (world: World, source: string, amount: number, fee = FEE_CENTS) =>
  moved(world, { amount: -amount, fee, source, description: 'Chargeback withdrawal' });

function moved(
  world: World,
  movement: { amount: number; fee?: number; source: string; description: string },
): Stripe.BalanceTransaction {
  const id = recordMovement(world, { type: 'adjustment', ...movement });
  return structuredClone(world.find('balanceTransactions', id));
}

/** Closes a dispute with the bank's decision, closes an inquiry, or wins a lost dispute on appeal. */
export function closeDispute(
  world: World,
  dispute: Stripe.Dispute,
  status: 'won' | 'lost' | 'warning_closed',
): Stripe.Dispute {
  const previous = { status: dispute.status };
  dispute.status = status;
  if (status === 'won') {
    const amount = -dispute.balance_transactions.reduce((sum, transaction) => sum + transaction.amount, 0);
    const source = dispute.id;
    dispute.balance_transactions.push(moved(world, { amount, source, description: 'Chargeback reversal' }));
    world.find('charges', idOf(dispute.charge)).disputed = false;
    world.emit('charge.dispute.funds_reinstated', dispute);
  }
  return world.emit('charge.dispute.closed', dispute, previous);
}

export const disputeRoutes: Routes = {
  'GET /v1/disputes/:id': retrieve('disputes'),
  'GET /v1/disputes': list('disputes', ['charge', 'created']),
};
