import type { InvoiceLotCommand } from '../../../domain/credits/invoice-lot.js';
import { lengthOf } from '../../../domain/payouts/spans.js';
import { availableMicroUsd, type PayoutCommand } from '../../../domain/payouts/payouts.js';
import type { Withdrawal } from './oracle-money.js';
import { codeOf, type PaidLot, type World } from './world.js';

const DISPUTE_FEE_CENTS = 1_500;

export function correct(world: World, lots: PaidLot[], correction: InvoiceLotCommand): string | undefined {
  const [first] = lots;
  const answer = world.executor({
    type: 'CorrectInvoice',
    userId: first?.user as string,
    lotIds: lots.map(({ id }) => id),
    correction,
    metadata: world.metadata,
  });
  return codeOf(answer);
}

/** The newer an invoice, the likelier it is about. */
export function someInvoice(world: World): PaidLot[] | undefined {
  const recent = world.invoices.slice(world.oneIn(4) ? 0 : -3);
  return recent.length > 0 ? world.pick(recent) : undefined;
}

/** What the oracle says of a refund or a dispute that the payment does not explain. */
export const beyondOf = (lots: PaidLot[], wanted: string): number =>
  lots
    .flatMap(({ paid }) => [...paid.refunds, ...paid.disputes])
    .reduce((sum, { id, beyond }) => sum + (id === wanted ? beyond : 0), 0);

export function openDispute(world: World): void {
  const lots = someInvoice(world);
  if (!lots) return;
  const gross = lots.reduce((sum, { paid }) => sum + paid.gross, 0) / 10_000;
  const cents = world.oneIn(2) ? Math.max(gross, 1) : 1 + world.below(gross + 20);
  const disputeId = world.id('dp_');
  const refused = correct(world, lots, {
    type: 'RecordDispute',
    disputeId,
    amountMicroUsd: cents * 10_000,
    feeMicroUsd: DISPUTE_FEE_CENTS * 10_000,
  });
  world.oracle.dispute(lots, disputeId, cents * 10_000, DISPUTE_FEE_CENTS * 10_000);
  world.agree(refused, undefined);
  world.did = beyondOf(lots, disputeId) > 0 ? 'of more than is left' : 'done';
  world.money.move({
    id: world.id('txn_'),
    kind: 'dispute',
    about: disputeId,
    cents: -cents,
    feeCents: DISPUTE_FEE_CENTS,
  });
}

export function closeDispute(world: World): void {
  const open = world.invoices.flatMap((lots) =>
    lots.flatMap(({ paid }) =>
      paid.disputes.filter(({ state }) => state === 'open').map(({ id }) => ({ id, lots })),
    ),
  );
  if (open.length === 0) return;
  const { id: disputeId, lots } = world.pick(open);
  const outcome = world.oneIn(2) ? 'won' : 'lost';
  const shares = outcome === 'lost' ? lots.flatMap(({ id }) => world.company.sharesInHold(id)) : [];
  const refused = correct(world, lots, { type: 'RecordDisputeClosed', disputeId, outcome, shares });
  const amounts = lots.flatMap(({ paid }) => paid.disputes.filter(({ id }) => id === disputeId));
  world.oracle.closeDispute(lots, disputeId, outcome, world.now);
  world.agree(refused, undefined);
  world.did = outcome;
  const cents = amounts.reduce((sum, { amount, beyond }) => sum + amount + beyond, 0) / 10_000;
  if (outcome === 'won')
    world.money.move({ id: world.id('txn_'), kind: 'dispute won', about: disputeId, cents, feeCents: 0 });
}

/** Disputes of any state, with the lines of their invoices. */
const disputesOf = (world: World) =>
  world.invoices.flatMap((lots) =>
    lots.flatMap(({ paid }) => paid.disputes.map((dispute) => ({ ...dispute, lots }))),
  );

export function adjustDispute(world: World): void {
  const known = disputesOf(world);
  if (known.length === 0) return;
  const { id: disputeId, lots } = world.pick(known);
  const [first] = lots.flatMap(({ paid }) => paid.disputes.filter(({ id }) => id === disputeId));
  if (!first) return;
  const back = first.state === 'open' && first.amount > 0 && world.oneIn(3);
  const cents = back ? -(1 + world.below(first.amount / 10_000)) : 1 + world.below(900);
  const feeCents = world.below(2) * DISPUTE_FEE_CENTS;
  world.did = first.state === 'open' ? (back ? 'given back' : 'more') : 'late';
  const transactionId = world.id('txn_');
  const [deltaMicroUsd, feeDeltaMicroUsd] = [cents * 10_000, feeCents * 10_000];
  const command = {
    type: 'AdjustDispute',
    disputeId,
    transactionId,
    deltaMicroUsd,
    feeDeltaMicroUsd,
  } as const;
  world.same(correct(world, lots, command), undefined, 'the outcome');
  world.oracle.adjustDispute(lots, disputeId, deltaMicroUsd, feeDeltaMicroUsd);
  const movement = { id: transactionId, about: transactionId, cents: -cents, feeCents };
  world.money.move({ ...movement, kind: 'dispute adjusted' });
}

export function appeal(world: World): void {
  const lost = disputesOf(world).filter(({ state, recovered }) => state === 'lost' && !recovered);
  if (lost.length === 0) return;
  const { id: disputeId, lots } = world.pick(lost);
  const refused = correct(world, lots, {
    type: 'RecordDisputeClosed',
    disputeId,
    outcome: 'won',
    shares: [],
  });
  const back = world.oracle.recover(lots, disputeId);
  world.agree(refused, undefined);
  if (back === 0) return;
  const movement = { id: world.id('txn_'), about: disputeId, cents: back / 10_000, feeCents: 0 };
  world.money.move({ ...movement, kind: 'dispute won' });
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

/** What the code thinks a creator could withdraw. */
export const availableTo = (world: World, creator: string): number => {
  const state = world.company.payouts.get(creator);
  const earned = world.company.earned(creator);
  return state ? availableMicroUsd(state, earned) : earned.releasedMicroUsd - earned.reversedMicroUsd;
};
