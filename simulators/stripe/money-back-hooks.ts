import { closeDispute, openDispute } from './resources/disputes.js';
import { failRefund, refund } from './resources/refunds.js';
import type { Simulation } from './simulation.js';
import { LOSSES } from './state.js';
import { idOf, type World } from './world.js';

type Fields = Record<string, unknown>;
type Outcome = { status: number; body: object };

const bad = (status: number, error: string): Outcome => ({ status, body: { error } });

/** The charge named, or the one that paid the invoice named. */
function chargeIn(world: World, fields: Fields) {
  if (fields['charge']) return world.objects.charges[String(fields['charge'])];
  const payment = world
    .all('invoicePayments')
    .find(({ invoice, status }) => invoice === fields['invoice'] && status === 'paid');
  const intent = world.objects.paymentIntents[idOf(payment?.payment.payment_intent)];
  return world.objects.charges[idOf(intent?.latest_charge)];
}

/**
 * Hooks for money that goes back:
 * - `POST /_test/refund {charge | invoice, amountUsdCents?}` refunds as somebody in Stripe's dashboard would
 * - `POST /_test/fail-refund {refund}` lets the customer's bank send a refund back
 * - `POST /_test/fail-next-refund {times = 1, how}` loses the answers of the next refunds (`lost-before` or
 *   `lost-after` making them)
 * - `POST /_test/dispute {charge | invoice, amountUsdCents?}` opens a dispute, over what is left or any other amount
 * - `POST /_test/close-dispute {dispute, outcome: won | lost}` has the bank decide it
 *
 * @returns undefined when the path is none of these
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
      if (made?.status !== 'succeeded') return bad(404, 'no such refund that succeeded');
      return { status: 200, body: change(() => failRefund(world, made)) };
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
      if (dispute?.status !== 'needs_response') return bad(404, 'no such open dispute');
      if (outcome !== 'won' && outcome !== 'lost') return bad(400, 'outcome must be won or lost');
      return { status: 200, body: change(() => closeDispute(world, dispute, outcome)) };
    }
    default:
      return undefined;
  }
}
