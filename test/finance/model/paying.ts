import type { InvoiceLotCommand } from '../../../domain/credits/invoice-lot.js';
import { lengthOf } from '../../../domain/payouts/spans.js';
import { availableMicroUsd, type PayoutCommand } from '../../../domain/payouts/payouts.js';
import { happen } from './late-facts.js';
import type { Withdrawal } from './oracle-money.js';
import { codeOf, type PaidLot, type World } from './world.js';

const DISPUTE_FEE_CENTS = 1_500;

export function correct(world: World, lots: PaidLot[], correction: InvoiceLotCommand): string | undefined {
  const [first] = lots as [PaidLot];
  const gift = world.gifts.find((each) => each.lots.includes(first));
  const command = {
    type: 'CorrectInvoice',
    lotIds: lots.map(({ id }) => id),
    correction,
    metadata: world.metadata,
  } as const;
  // The lots were looked up before the gift was redeemed.
  if (gift && gift.account !== first.user && world.oneIn(2)) {
    const stale = world.executor({ ...command, userId: gift.account });
    world.same(stale.accepted === 'moved' && stale.to, first.user, 'the present owner of a gift');
  }
  const answer = world.executor({ ...command, userId: first.user });
  if (answer.accepted === 'moved') throw new Error(`${first.user} no longer has the lots`);
  return codeOf(answer);
}

/** Prefers recent invoices. */
export function someInvoice(world: World): PaidLot[] | undefined {
  const recent = world.invoices.slice(world.oneIn(4) ? 0 : -3);
  return recent.length > 0 ? world.pick(recent) : undefined;
}

/** Returns the part of a refund or dispute that the payment does not explain, according to the oracle. */
export const beyondOf = (lots: PaidLot[], wanted: string): number =>
  lots
    .flatMap(({ paid }) => [...paid.refunds, ...paid.disputes])
    .reduce((sum, { id, beyond }) => sum + (id === wanted ? beyond : 0), 0);

export function openDispute(world: World): void {
  const lots = someInvoice(world);
  if (lots) dispute(world, lots, world.id('dp_'));
}

/** A bank takes any amount, sometimes more than the payment. */
export function dispute(world: World, lots: PaidLot[], disputeId: string): void {
  const gross = lots.reduce((sum, { paid }) => sum + paid.gross, 0) / 10_000;
  const cents = world.oneIn(2) ? Math.max(gross, 1) : 1 + world.below(gross + 20);
  const feeCents = DISPUTE_FEE_CENTS;
  const movement = { id: world.id('txn_'), kind: 'dispute', about: disputeId, cents: -cents, feeCents };
  const tell = (): void => {
    const [amountMicroUsd, feeMicroUsd] = [cents * 10_000, feeCents * 10_000];
    const refused = correct(world, lots, { type: 'RecordDispute', disputeId, amountMicroUsd, feeMicroUsd });
    world.oracle.dispute(lots, disputeId, amountMicroUsd, feeMicroUsd);
    world.agree(refused, undefined);
    world.did = beyondOf(lots, disputeId) > 0 ? 'of more than is left' : 'done';
  };
  happen(world, { lots, movement, tell });
}

/** Returns the items whose invoice has no unreported event, because the provider reports in order. */
function told<Item extends { lots: PaidLot[] }>({ money: { untold } }: World, items: Item[]): Item[] {
  return items.filter(({ lots }) => untold.every(({ invoice }) => invoice !== lots[0]?.paid.invoice));
}

export function closeDispute(world: World): void {
  const open = told(world, disputesOf(world)).filter(({ state }) => state === 'open');
  if (open.length === 0) return;
  const { id: disputeId, lots } = world.pick(open);
  const outcome = world.oneIn(2) ? 'won' : 'lost';
  const amounts = lots.flatMap(({ paid }) => paid.disputes.filter(({ id }) => id === disputeId));
  const cents = amounts.reduce((sum, { amount, beyond }) => sum + amount + beyond, 0) / 10_000;
  // A bank that loses a dispute may give its fee back.
  const feeCents = world.oneIn(3) ? -DISPUTE_FEE_CENTS : 0;
  const movement = { id: world.id('txn_'), kind: 'dispute won', about: disputeId, cents, feeCents };
  const tell = (): void => {
    const shares = outcome === 'lost' ? lots.flatMap(({ id }) => world.company.sharesInHold(id)) : [];
    const refused = correct(world, lots, { type: 'RecordDisputeClosed', disputeId, outcome, shares });
    world.oracle.closeDispute(lots, disputeId, outcome, world.now);
    world.agree(refused, undefined);
    world.did = outcome;
  };
  happen(world, { lots, tell, ...(outcome === 'won' && { movement }) });
}

/** Returns disputes in any state, with the lines of their invoices. */
const disputesOf = (world: World) =>
  world.invoices.flatMap((lots) =>
    lots.flatMap(({ paid }) => paid.disputes.map((dispute) => ({ ...dispute, lots }))),
  );

export function adjustDispute(world: World): void {
  const known = told(world, disputesOf(world));
  if (known.length === 0) return;
  const { id: disputeId, lots } = world.pick(known);
  const [first] = lots.flatMap(({ paid }) => paid.disputes.filter(({ id }) => id === disputeId));
  if (!first) return;
  const back = first.state === 'open' && first.amount > 0 && world.oneIn(3);
  const cents = back ? -(1 + world.below(first.amount / 10_000)) : 1 + world.below(900);
  const feeCents = world.below(2) * DISPUTE_FEE_CENTS;
  const transactionId = world.id('txn_');
  const [deltaMicroUsd, feeDeltaMicroUsd] = [cents * 10_000, feeCents * 10_000];
  const moved = { transactionId, deltaMicroUsd, feeDeltaMicroUsd };
  const movement = {
    id: transactionId,
    kind: 'dispute adjusted',
    about: transactionId,
    cents: -cents,
    feeCents,
  };
  const tell = (): void => {
    world.did = first.state === 'open' ? (back ? 'given back' : 'more') : 'late';
    world.same(
      correct(world, lots, { type: 'AdjustDispute', disputeId, ...moved }),
      undefined,
      'the outcome',
    );
    world.oracle.adjustDispute(lots, disputeId, deltaMicroUsd, feeDeltaMicroUsd);
  };
  happen(world, { lots, movement, tell });
}

export function appeal(world: World): void {
  const lost = told(world, disputesOf(world)).filter(
    ({ state, recovered }) => state === 'lost' && !recovered,
  );
  if (lost.length === 0) return;
  const { id: disputeId, lots } = world.pick(lost);
  const back = world.oracle.recoverable(lots, disputeId);
  const movement = {
    id: world.id('txn_'),
    kind: 'dispute won',
    about: disputeId,
    cents: back / 10_000,
    feeCents: 0,
  };
  const tell = (): void => {
    const refused = correct(world, lots, {
      type: 'RecordDisputeClosed',
      disputeId,
      outcome: 'won',
      shares: [],
    });
    world.same(world.oracle.recover(lots, disputeId), back, 'what an appeal brings back');
    world.agree(refused, undefined);
  };
  happen(world, { lots, tell, ...(back > 0 && { movement }) });
}

/** A payment fails after it succeeded, and all of it goes back, regardless of refunds and disputes. */
export function failPayment(world: World): void {
  const lots = someInvoice(world);
  const [first] = lots ?? [];
  if (!lots || !first || first.paid.failed) return;
  const cents = lots.reduce((sum, { paid }) => sum + paid.gross - paid.short, 0) / 10_000;
  if (cents === 0) return;
  first.paid.failed = true;
  const refundId = world.id('txn_');
  const movement = { id: refundId, kind: 'payment failed', about: refundId, cents: -cents, feeCents: 0 };
  const amountMicroUsd = cents * 10_000;
  const tell = (): void => {
    const failure = { type: 'RecordRefund', refundId, amountMicroUsd, paymentFailed: true } as const;
    const refused = correct(world, lots, failure);
    world.oracle.refund(lots, refundId, amountMicroUsd, true);
    world.agree(refused, undefined);
    world.did = beyondOf(lots, refundId) > 0 ? 'of more than is left' : 'done';
  };
  happen(world, { lots, movement, tell });
}

export function withdraw(world: World): void {
  const { company, money } = world;
  const rich = world.creators.find((each) => money.available(each, world.now) >= 10_000_000);
  const creator = rich && !world.oneIn(4) ? rich : world.pick(world.creators);
  const withdrawalId = world.id('w');
  const amountUsdCents = world.oneIn(2) ? undefined : world.oneIn(6) ? 999 : 1_000 + world.below(3_000);
  const command: PayoutCommand = {
    type: 'RequestWithdrawal',
    creatorId: creator,
    withdrawalId,
    account: { accountId: `acct_${creator}`, payoutsEnabled: true },
    amountUsdCents,
    earned: company.earned(creator),
    now: world.nowIso,
  };
  const refused = codeOf(company.payout(creator, command));
  if (!world.agree(refused, money.withdraw(creator, withdrawalId, amountUsdCents, world.now))) return;
  const [requested] = company.payoutEvents;
  if (requested?.type !== 'WithdrawalRequested') throw new Error('a withdrawal is requested');
  const { spans, amountMicroUsd, deductedMicroUsd } = requested.data;
  world.same(lengthOf(spans), amountMicroUsd + deductedMicroUsd, 'what a statement lists');
  world.unchanged(() => company.payout(creator, command));
}

function tell(world: World, { creator }: Withdrawal, command: PayoutCommand): void {
  const { company } = world;
  const refused = codeOf(company.payout(creator, command));
  world.same(refused, undefined, 'the outcome');
  if (world.oneIn(2)) world.unchanged(() => company.payout(creator, command));
}

export function settleWithdrawal(world: World): void {
  const withdrawal = world.money.withdrawals.find(({ state }) => state === 'asked');
  if (!withdrawal) return;
  const { id: withdrawalId, cents: amountUsdCents } = withdrawal;
  const now = world.nowIso;
  const fate = world.below(5);
  if (fate === 0) {
    tell(world, withdrawal, { type: 'RecordLostAnswer', withdrawalId, now });
    world.did = 'unknown';
    return;
  }
  if (fate === 1) {
    tell(world, withdrawal, { type: 'RecordRefusal', withdrawalId, reason: 'balance_insufficient', now });
    withdrawal.state = 'failed';
    world.did = 'failed';
    return;
  }
  const transferId = `tr_${withdrawalId}`;
  tell(world, withdrawal, { type: 'RecordTransfer', withdrawalId, transferId, amountUsdCents, now });
  withdrawal.state = 'sent';
  world.did = 'sent';
  world.money.move({
    id: world.id('txn_'),
    kind: 'transfer',
    about: transferId,
    cents: -amountUsdCents,
    feeCents: 0,
  });
}

export function reverseTransfer(world: World): void {
  const sent = world.money.withdrawals.filter(
    ({ state, cents, backCents }) => state === 'sent' && backCents < cents,
  );
  if (sent.length === 0) return;
  const withdrawal = world.pick(sent);
  const left = withdrawal.cents - withdrawal.backCents;
  const amountUsdCents = world.oneIn(2) ? left : 1 + world.below(left);
  const [withdrawalId, reversalId] = [withdrawal.id, world.id('trr_')];
  tell(world, withdrawal, {
    type: 'RecordReversal',
    withdrawalId,
    reversalId,
    amountUsdCents,
    now: world.nowIso,
  });
  withdrawal.backCents += amountUsdCents;
  world.did = 'done';
  world.money.move({
    id: world.id('txn_'),
    kind: 'transfer reversed',
    about: reversalId,
    cents: amountUsdCents,
    feeCents: 0,
  });
}

/** Returns what a creator could withdraw according to the code. */
export const availableTo = (world: World, creator: string): number => {
  const state = world.company.payouts.get(creator);
  const earned = world.company.earned(creator);
  return state ? availableMicroUsd(state, earned) : earned.releasedMicroUsd - earned.reversedMicroUsd;
};
