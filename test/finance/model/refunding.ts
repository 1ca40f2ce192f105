import { grantsIn, type CreditEvent } from '../../../domain/credits/credit-account.js';
import { happen, hear } from './late-facts.js';
import type { Unsent } from './oracle-money.js';
import { beyondOf, correct, someInvoice } from './paying.js';
import type { PaidLot, World } from './world.js';

export function refundUnspent(world: World): void {
  const lots = someInvoice(world);
  if (!lots) return;
  const refundId = world.id('refund');
  const command = {
    type: 'RefundUnspent',
    refundId,
    by: 'pia',
    explanation: 'why',
    now: world.nowIso,
  } as const;
  const refused = correct(world, lots, command);
  const expected = world.oracle.refundUnspent(lots, refundId, world.now);
  world.agree(refused, typeof expected === 'string' ? expected : undefined);
  if (typeof expected === 'string') return;
  expected.forEach((amount, line) => {
    const about = line === 0 ? refundId : `${refundId}.${line + 1}`;
    if (amount === 0) return;
    const refund = { lot: lots[line] as PaidLot, id: about, amount, pending: false };
    if (world.oneIn(2)) send(world, refund);
    else world.money.unsent.push(refund);
  });
}

/** The provider sends the refund and reports it. */
function send(world: World, { lot, id: about, amount }: Unsent): void {
  world.money.move({ id: world.id('txn_'), kind: 'refund', about, cents: -amount / 10_000, feeCents: 0 });
  const command = { type: 'RecordRefund', refundId: about, amountMicroUsd: amount } as const;
  world.unchanged(() => world.same(correct(world, [lot], command), undefined, 'the outcome'));
}

/** The provider reports on a refund that we requested: refused, pending, sent, or finally failed. */
export function settleRefund(world: World): void {
  const { unsent } = world.money;
  if (unsent.length === 0) return;
  const refund = world.pick(unsent);
  hear(world, refund.lot.paid.invoice);
  const fate = world.below(refund.pending ? 2 : 3);
  if (fate === 0) sendAtLast(world, refund);
  else if (refund.pending) {
    const { lot, id, amount } = refund;
    const failure = { type: 'RecordRefundFailure', refundId: id, failure: 'canceled' } as const;
    world.oracle.pendRefund(amount, true);
    world.oracle.failRefund([lot], id);
    world.agree(correct(world, [lot], failure), undefined);
    world.did = 'cancelled';
    leave(world, refund);
  } else if (fate === 1) {
    refund.pending = true;
    world.oracle.pendRefund(refund.amount, false);
    const waits = { type: 'RecordRefundPending', refundId: refund.id, reason: 'processing' } as const;
    world.agree(correct(world, [refund.lot], waits), undefined);
    world.did = 'pending';
  } else undo(world, refund);
}

const leave = ({ money: { unsent } }: World, refund: Unsent): unknown =>
  unsent.splice(unsent.indexOf(refund), 1);

function sendAtLast(world: World, refund: Unsent): void {
  const sent = { type: 'RecordRefundSent', refundId: refund.id } as const;
  if (refund.pending) world.oracle.pendRefund(refund.amount, true);
  world.agree(correct(world, [refund.lot], sent), undefined);
  send(world, refund);
  world.did = 'sent';
  leave(world, refund);
}

function undo(world: World, refund: Unsent): void {
  const { lot, id: refundId } = refund;
  const events = world.company.log.filter(
    ({ stream }) => stream === `credits-${lot.user}`,
  ) as unknown as CreditEvent[];
  const made = events.find(({ type, data }) => type === 'InvoiceRefunded' && data.refundId === refundId);
  if (made?.type !== 'InvoiceRefunded') throw new Error('what is undone was recorded');
  const command = {
    type: 'UndoRefund',
    refundId,
    refund: made.data,
    refusal: 'refused',
    grants: grantsIn(events),
  } as const;
  const undone = world.oracle.undoRefund(lot, refundId);
  world.agree(correct(world, [lot], command), undefined);
  world.did = undone ? 'undone' : 'judged by since';
  leave(world, refund);
}

/** Sends all remaining refunds at the end of a history. */
export function settleRefunds(world: World): void {
  for (let [refund] = world.money.unsent; refund; [refund] = world.money.unsent) sendAtLast(world, refund);
}

/** Refunds at the provider, sometimes more than the payment, which no fact explains. */
export function refundOutside(world: World): void {
  const lots = someInvoice(world);
  if (!lots) return;
  const gross = lots.reduce((sum, { paid }) => sum + paid.gross, 0) / 10_000;
  const cents = world.oneIn(3) ? Math.max(gross, 1) : 1 + world.below(gross + 50);
  const refundId = world.id('re_');
  const movement = { id: world.id('txn_'), kind: 'refund', about: refundId, cents: -cents, feeCents: 0 };
  const amountMicroUsd = cents * 10_000;
  const tell = (): void => {
    const refused = correct(world, lots, { type: 'RecordRefund', refundId, amountMicroUsd });
    world.oracle.refund(lots, refundId, amountMicroUsd);
    world.agree(refused, undefined);
    world.did = beyondOf(lots, refundId) > 0 ? 'of more than is left' : 'done';
  };
  happen(world, { lots, movement, tell });
}

export function failRefund(world: World): void {
  const { unsent, untold } = world.money;
  const made = world.invoices
    .filter((lots) => untold.every(({ invoice }) => invoice !== lots[0]?.paid.invoice))
    .flatMap((lots) =>
      lots.flatMap(({ paid }) => paid.refunds.map(({ id, ofPayment }) => ({ id, lots, ofPayment }))),
    )
    .filter(({ id, ofPayment }) => !ofPayment && unsent.every((refund) => refund.id !== id));
  if (made.length === 0) return;
  const { id, lots } = world.pick(made);
  const before = lots
    .flatMap(({ paid }) => paid.refunds)
    .filter((refund) => refund.id === id && !refund.failed);
  const amount = before.reduce((sum, refund) => sum + refund.amount + refund.beyond, 0);
  const movement = {
    id: world.id('txn_'),
    kind: 'refund failed',
    about: id,
    cents: amount / 10_000,
    feeCents: 0,
  };
  const tell = (): void => {
    const failure = { type: 'RecordRefundFailure', refundId: id, failure: 'expired card' } as const;
    const refused = correct(world, lots, failure);
    world.oracle.failRefund(lots, id);
    world.agree(refused, undefined);
  };
  happen(world, { lots, tell, ...(amount > 0 && { movement }) });
}
