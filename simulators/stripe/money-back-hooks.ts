import { failCharge } from './resources/charges.js';
import { adjustDispute, closeDispute, escalate, openDispute } from './resources/disputes.js';
import { failRefund, refund, settleRefund } from './resources/refunds.js';
import type { Simulation } from './simulation.js';
import { LOSSES } from './state.js';
import { idOf, type World } from './world.js';

const ASKING = 'warning_needs_response';
const PENDING_REASONS = ['charge_pending', 'insufficient_funds', 'processing', 'requires_action'] as const;

type Fields = Record<string, unknown>;
type Outcome = { status: number; body: object };

const bad = (status: number, error: string): Outcome => ({ status, body: { error } });

/** Returns the named charge, or the charge that paid the named invoice. */
function chargeIn(world: World, fields: Fields) {
  if (fields['charge']) return world.objects.charges[String(fields['charge'])];
  const payment = world
    .all('invoicePayments')
    .find(({ invoice, status }) => invoice === fields['invoice'] && status === 'paid');
  const intent = world.objects.paymentIntents[idOf(payment?.payment.payment_intent)];
  return world.objects.charges[idOf(intent?.latest_charge)];
}

/**
 * Hooks for refunds, disputes and failed payments:
 * - `POST /_test/refund {charge | invoice, amountUsdCents?}` refunds, as staff can in Stripe's dashboard
 * - `POST /_test/fail-refund {refund}` makes the customer's bank send a refund back
 * - `POST /_test/pend-next-refund {times = 1, reason = insufficient_funds, moved = false}` makes the next refunds
 *   wait. With `requires_action` they wait for the payer. With `moved` the money has already left the balance.
 * - `POST /_test/settle-refund {refund, outcome: succeeded | canceled}` ends the waiting
 * - `POST /_test/fail-next-refund {times = 1, how}` loses the answers of the next refunds (`lost-before` or
 *   `lost-after` the refund is made)
 * - `POST /_test/dispute {charge | invoice, amountUsdCents?}` opens a dispute, over the rest of the charge unless
 *   an amount is given
 * - `POST /_test/inquire {charge | invoice}` opens an inquiry; `POST /_test/escalate {dispute}` turns it into a
 *   dispute
 * - `POST /_test/adjust-dispute {dispute, amountUsdCents, feeUsdCents = 0}` makes the bank take more, or return a
 *   part (negative)
 * - `POST /_test/close-dispute {dispute, outcome: won | lost | warning_closed}` decides a dispute or closes an
 *   inquiry. A lost dispute can still be won by an appeal.
 * - `POST /_test/fail-payment {charge | invoice}` fails a payment that had succeeded
 *
 * @returns undefined if the path is none of these
 */
export function answerMoneyBackHook(
  { world, change }: Simulation,
  path: string,
  fields: Fields,
): Outcome | undefined {
  switch (path) {
    case '/_test/dispute': {
      const charge = chargeIn(world, fields);
      if (!charge || charge.disputed) return bad(404, 'no such charge that is not disputed');
      const left = charge.amount_captured - charge.amount_refunded;
      const amount = fields['amountUsdCents'] === undefined ? left : Number(fields['amountUsdCents']);
      if (!Number.isInteger(amount) || amount < 1) return bad(400, 'amountUsdCents must be above 0');
      return { status: 200, body: change(() => openDispute(world, charge, amount)) };
    }
    case '/_test/inquire': {
      const charge = chargeIn(world, fields);
      if (!charge) return bad(404, 'no such charge');
      return { status: 200, body: change(() => openDispute(world, charge, charge.amount_captured, true)) };
    }
    case '/_test/escalate': {
      const dispute = world.objects.disputes[String(fields['dispute'])];
      if (dispute?.status !== ASKING) return bad(404, 'no such inquiry');
      return { status: 200, body: change(() => escalate(world, dispute)) };
    }
    case '/_test/adjust-dispute': {
      const dispute = world.objects.disputes[String(fields['dispute'])];
      const [amount, fee] = [Number(fields['amountUsdCents']), Number(fields['feeUsdCents'] ?? 0)];
      if (!dispute || dispute.status === ASKING) return bad(404, 'no such dispute');
      if (!Number.isInteger(amount) || !Number.isInteger(fee)) return bad(400, 'amounts must be whole');
      return { status: 200, body: change(() => adjustDispute(world, dispute, amount, fee)) };
    }
    case '/_test/fail-payment': {
      const charge = chargeIn(world, fields);
      if (charge?.status !== 'succeeded') return bad(404, 'no such charge that succeeded');
      return { status: 200, body: change(() => failCharge(world, charge)) };
    }
    case '/_test/refund': {
      const charge = chargeIn(world, fields);
      const left = charge ? charge.amount_captured - charge.amount_refunded : 0;
      if (!charge || left === 0 || charge.disputed)
        return bad(404, 'no such charge with anything left of it');
      const amount = fields['amountUsdCents'] === undefined ? left : Number(fields['amountUsdCents']);
      if (!Number.isInteger(amount) || amount < 1 || amount > left)
        return bad(400, `amountUsdCents must be 1 to ${left}`);
      return { status: 200, body: change(() => refund(world, charge, { amount })) };
    }
    case '/_test/fail-refund': {
      const made = world.objects.refunds[String(fields['refund'])];
      if (!made?.balance_transaction || made.failure_balance_transaction)
        return bad(404, 'no such refund that moved and has not failed');
      return { status: 200, body: change(() => failRefund(world, made)) };
    }
    case '/_test/pend-next-refund': {
      const times = fields['times'] === undefined ? 1 : Number(fields['times']);
      const reason = PENDING_REASONS.find((known) => known === (fields['reason'] ?? 'insufficient_funds'));
      if (!Number.isInteger(times) || times < 0 || times > 1000 || !reason)
        return bad(400, `times must be a count, reason one of ${PENDING_REASONS.join(', ')}`);
      const moved = fields['moved'] === true;
      change(() => (world.state.pendRefunds = { times, reason, moved }));
      return { status: 200, body: { pendRefunds: world.state.pendRefunds } };
    }
    case '/_test/settle-refund': {
      const made = world.objects.refunds[String(fields['refund'])];
      const outcome = fields['outcome'];
      if (made?.status !== 'pending' && made?.status !== 'requires_action')
        return bad(404, 'no such refund that waits');
      if (outcome !== 'succeeded' && outcome !== 'canceled')
        return bad(400, 'outcome must be succeeded or canceled');
      if (outcome === 'canceled' && made.balance_transaction)
        return bad(400, 'a refund that moved can fail, and not be canceled');
      return { status: 200, body: change(() => settleRefund(world, made, outcome)) };
    }
    case '/_test/fail-next-refund': {
      const times = fields['times'] === undefined ? 1 : Number(fields['times']);
      const how = LOSSES.find((known) => known === fields['how']);
      if (!Number.isInteger(times) || times < 0 || times > 1000 || !how)
        return bad(400, `times must be a count, how one of ${LOSSES.join(', ')}`);
      change(() => (world.state.failRefunds = { times, how }));
      return { status: 200, body: { failRefunds: world.state.failRefunds } };
    }
    case '/_test/close-dispute': {
      const dispute = world.objects.disputes[String(fields['dispute'])];
      const outcome = fields['outcome'];
      if (outcome !== 'won' && outcome !== 'lost' && outcome !== 'warning_closed')
        return bad(400, 'outcome must be won, lost or warning_closed');
      const before = { won: ['needs_response', 'lost'], lost: ['needs_response'], warning_closed: [ASKING] };
      if (!dispute || !before[outcome].includes(dispute.status)) return bad(404, 'no such dispute');
      return { status: 200, body: change(() => closeDispute(world, dispute, outcome)) };
    }
    default:
      return undefined;
  }
}
