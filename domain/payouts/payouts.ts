import { evolveBy } from '../shared/by-type.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import { inUsd, MICRO_USD_PER_CENT, microUsdFromCents, sumOf } from '../shared/micro-usd.js';
import { PAYOUT_POLICY } from './policy.js';
import { dropLast, lengthOf, takeFree, without, type Span } from './spans.js';

const GROUP = 'withdrawal_';

/** Returns the name that identifies a withdrawal's transfer at the payment provider. */
export const transferGroupOf = (withdrawalId: string): string => `${GROUP}${withdrawalId}`;

/** Returns the withdrawal id of a transfer group, or undefined for a transfer that pays no withdrawal. */
export const withdrawalOf = (transferGroup: string): string | undefined =>
  transferGroup.startsWith(GROUP) ? transferGroup.slice(GROUP.length) : undefined;

export interface Withdrawal {
  creatorId: string;
  withdrawalId: string;
  accountId: string;
  amountUsdCents: number;
  /**
   * - `requested`: no transfer is known
   * - `unknown`: we asked for a transfer and lost the answer
   * - `paid`: the transfer exists
   * - `failed`: the transfer certainly does not exist
   */
  status: 'requested' | 'unknown' | 'paid' | 'failed';
  transferId?: string;
  reversedUsdCents: number;
  /** Oldest first. Each reversal undoes the payment of the latest earnings that are still paid. */
  reversals: { reversalId: string; amountMicroUsd: number }[];
  /** The earnings that the withdrawal pays, even if the money came back. Empty if the withdrawal failed. */
  spans: Span[];
  /** Released shares that were taken back and that no earlier withdrawal deducted. This withdrawal deducts them. */
  deductedMicroUsd: number;
}

export interface Payouts {
  /** The creator's withdrawals in the order of their requests. */
  withdrawals: Withdrawal[];
  /** The debts that were written off: payouts that the creator kept although their shares were taken back. */
  writtenOffMicroUsd: number;
  consents: readonly string[];
}

export interface Earned {
  /** Shares past their hold. */
  releasedMicroUsd: number;
  /** The part of the released shares that was taken back. */
  reversedMicroUsd: number;
  /** The part of the released shares under review, which cannot be withdrawn. */
  inDoubtMicroUsd?: number;
}

export type PayoutCommand =
  | {
      type: 'RequestWithdrawal';
      creatorId: string;
      withdrawalId: string;
      /** Absent if no account is connected. */
      account: { accountId: string; payoutsEnabled: boolean } | undefined;
      /** If absent, everything available is withdrawn, in whole cents. */
      amountUsdCents: number | undefined;
      /** A claim for a deleted account is paid without the minimum amount. */
      paysClaim?: boolean;
      earned: Earned;
      now: string;
    }
  | {
      type: 'WriteOffDebt';
      creatorId: string;
      earned: Earned;
      /** Held shares will pay a part of the debt. */
      heldMicroUsd: number;
      /** If absent, the whole debt is written off. */
      consent?: { approvalId: string; approvedBy: string; mostMicroUsd: number };
      now: string;
    }
  | { type: 'RecordLostAnswer'; withdrawalId: string; now: string }
  | {
      type: 'RecordTransfer';
      withdrawalId: string;
      transferId: string;
      amountUsdCents: number;
      now: string;
      /** The time of the transfer at the provider. */
      at?: string;
    }
  | { type: 'RecordRefusal'; withdrawalId: string; reason: string; now: string }
  | {
      type: 'RecordReversal';
      withdrawalId: string;
      reversalId: string;
      amountUsdCents: number;
      now: string;
      at?: string;
    };

interface Moved {
  creatorId: string;
  withdrawalId: string;
  amountMicroUsd: number;
  at: string;
}

export type PayoutEvent =
  /** The amount leaves the creator's balance and is in transit: creator → payouts-in-transit. */
  | {
      type: 'WithdrawalRequested';
      data: Moved & {
        accountId: string;
        amountUsdCents: number;
        transferGroup: string;
        /** The ranges of earnings that the withdrawal pays. Together they are the amount plus the deduction. */
        spans: Span[];
        deductedMicroUsd: number;
      };
    }
  /** We requested a transfer and got no answer, so the transfer may exist. Moves no money. */
  | { type: 'TransferAnswerLost'; data: { creatorId: string; withdrawalId: string; at: string } }
  /** The money is in the creator's account: payouts-in-transit → stripe:balance. */
  | { type: 'TransferCreated'; data: Moved & { transferId: string } }
  /** The transfer certainly does not exist: payouts-in-transit → creator. */
  | { type: 'WithdrawalFailed'; data: Moved & { reason: string } }
  /** A transfer was reversed, in whole or in part: stripe:balance → creator. */
  | { type: 'TransferReversed'; data: Moved & { transferId: string; reversalId: string } }
  /** The creator's debt was too old and is written off: creator-losses → creator. */
  | {
      type: 'CreatorDebtWrittenOff';
      data: {
        creatorId: string;
        amountMicroUsd: number;
        /** Present if a second person approved a debt above the limit. */
        approvalId?: string;
        approvedBy?: string;
        at: string;
      };
    };

export type PayoutRejection =
  | { code: 'PayoutsNotEnabled' }
  | { code: 'WithdrawalTooSmall'; minimumUsdCents: number }
  /** The available amount is negative if the payouts exceed the shares that were not taken back. */
  | { code: 'InsufficientEarnings'; availableMicroUsd: number; minimumUsdCents: number }
  | { code: 'WithdrawalInFlight'; withdrawalId: string }
  | { code: 'NotFound' }
  /** The provider reports money that cannot have moved. A person must look at it. */
  | { code: 'TransferContradicts'; withdrawalId: string; detail: string };

export type PayoutDecision = Decision<PayoutEvent, PayoutRejection>;

const isOpen = ({ status }: Withdrawal): boolean => status === 'requested' || status === 'unknown';

/** Returns the earnings that a withdrawal paid and that were not reversed. */
export const keptSpans = ({ spans, reversedUsdCents }: Withdrawal): Span[] =>
  dropLast(spans, microUsdFromCents(reversedUsdCents));

export interface PaidAgain {
  withdrawalId: string;
  reversalId: string;
  amountMicroUsd: number;
}

/**
 * Returns the lines of a withdrawal's statement: earnings that no earlier statement lists, and parts of earlier payouts
 * that were reversed and are now paid again. Later reversals do not change the lines.
 * @param earlier the creator's earlier withdrawals, oldest first
 */
export function statementOf(
  spans: readonly Span[],
  earlier: readonly Withdrawal[],
): { sales: Span[]; paidAgain: PaidAgain[] } {
  let sales = [...spans];
  const paidAgain: PaidAgain[] = [];
  // Latest first: if several earlier payouts paid the same earnings, the line names the latest of them.
  for (const { withdrawalId, spans: paid, reversals } of earlier.toReversed()) {
    let kept = paid;
    for (const { reversalId, amountMicroUsd } of reversals) {
      const left = dropLast(kept, amountMicroUsd);
      const rest = without(sales, without(kept, left));
      const again = lengthOf(sales) - lengthOf(rest);
      if (again > 0) paidAgain.push({ withdrawalId, reversalId, amountMicroUsd: again });
      [kept, sales] = [left, rest];
    }
  }
  return { sales, paidAgain };
}

/** Returns the amount paid or in transit, less reversals. */
const settledUsdCents = (withdrawals: readonly Withdrawal[]): number =>
  sumOf(
    withdrawals.map((each) => (each.status === 'failed' ? 0 : each.amountUsdCents - each.reversedUsdCents)),
  );

/** Returns released − taken back − paid or in transit + written off. May be negative. Includes sales under review. */
export const availableMicroUsd = ({ withdrawals, writtenOffMicroUsd }: Payouts, earned: Earned): number =>
  earned.releasedMicroUsd -
  earned.reversedMicroUsd -
  microUsdFromCents(settledUsdCents(withdrawals)) +
  writtenOffMicroUsd;

/** Returns what reached the creator and did not come back. */
export const paidUsdCents = ({ withdrawals }: Payouts): number =>
  settledUsdCents(withdrawals.filter((withdrawal) => !isOpen(withdrawal)));

function decide(command: PayoutCommand, state: Payouts): PayoutDecision {
  if (command.type === 'RequestWithdrawal') return request(command, state);
  if (command.type === 'WriteOffDebt') return writeOff(command, state);
  const withdrawal = state.withdrawals.find(({ withdrawalId }) => withdrawalId === command.withdrawalId);
  return withdrawal ? record(command, withdrawal) : reject({ code: 'NotFound' });
}

function request(
  command: Extract<PayoutCommand, { type: 'RequestWithdrawal' }>,
  state: Payouts,
): PayoutDecision {
  const { creatorId, withdrawalId, account, earned, now: at } = command;
  const minimumUsdCents = command.paysClaim ? 1 : PAYOUT_POLICY.minimumUsdCents;
  // A repeated request: the withdrawal is in progress or done.
  if (state.withdrawals.some((known) => known.withdrawalId === withdrawalId)) return accept();
  if (!account?.payoutsEnabled) return reject({ code: 'PayoutsNotEnabled' });
  const open = state.withdrawals.find(isOpen);
  if (open) return reject({ code: 'WithdrawalInFlight', withdrawalId: open.withdrawalId });
  if (command.amountUsdCents !== undefined && command.amountUsdCents < minimumUsdCents)
    return reject({ code: 'WithdrawalTooSmall', minimumUsdCents });
  const available = availableMicroUsd(state, earned) - (earned.inDoubtMicroUsd ?? 0);
  // Fractions of a cent stay for the next withdrawal.
  const amountUsdCents = command.amountUsdCents ?? Math.floor(available / MICRO_USD_PER_CENT);
  const amountMicroUsd = microUsdFromCents(amountUsdCents);
  if (amountMicroUsd > available || amountUsdCents < minimumUsdCents)
    return reject({ code: 'InsufficientEarnings', availableMicroUsd: available, minimumUsdCents });
  const deductedMicroUsd =
    earned.reversedMicroUsd -
    state.writtenOffMicroUsd -
    sumOf(state.withdrawals.map((known) => known.deductedMicroUsd));
  const paid = state.withdrawals.flatMap(keptSpans);
  return accept<PayoutEvent>({
    type: 'WithdrawalRequested',
    data: {
      creatorId,
      withdrawalId,
      amountMicroUsd,
      at,
      accountId: account.accountId,
      amountUsdCents,
      transferGroup: transferGroupOf(withdrawalId),
      spans: takeFree(paid, earned.releasedMicroUsd, amountMicroUsd + deductedMicroUsd),
      deductedMicroUsd,
    },
  });
}

/** Returns the creator's debt beyond the held shares. Without a debt the result is 0 or negative. */
export const debtMicroUsd = (state: Payouts, earned: Earned, heldMicroUsd: number): number =>
  -(availableMicroUsd(state, earned) + heldMicroUsd);

/** Writes off the creator's debt, if there is one. The caller decides when a debt is old enough. */
function writeOff(
  { creatorId, earned, heldMicroUsd, consent, now: at }: Extract<PayoutCommand, { type: 'WriteOffDebt' }>,
  state: Payouts,
): PayoutDecision {
  if (consent && state.consents.includes(consent.approvalId)) return accept();
  const owed = debtMicroUsd(state, earned, heldMicroUsd);
  const amountMicroUsd = Math.min(owed, consent?.mostMicroUsd ?? Infinity);
  if (amountMicroUsd <= 0) return accept();
  const agreed = consent && { approvalId: consent.approvalId, approvedBy: consent.approvedBy };
  return accept({ type: 'CreatorDebtWrittenOff', data: { creatorId, amountMicroUsd, ...agreed, at } });
}

export type SettlementCommand = Exclude<PayoutCommand, { type: 'RequestWithdrawal' | 'WriteOffDebt' }>;
export type SettlementEvent = Exclude<PayoutEvent, { type: 'WithdrawalRequested' | 'CreatorDebtWrittenOff' }>;

/** Records the provider's report about a withdrawal. A repeated report records nothing. */
function record(command: SettlementCommand, withdrawal: Withdrawal): PayoutDecision {
  const usd = (cents: number): string => inUsd(microUsdFromCents(cents));
  const { creatorId, withdrawalId, status } = withdrawal;
  const contradicts = (detail: string): PayoutDecision =>
    reject({ code: 'TransferContradicts', withdrawalId, detail });
  const moved: Moved = {
    creatorId,
    withdrawalId,
    amountMicroUsd: microUsdFromCents(withdrawal.amountUsdCents),
    at: ('at' in command ? command.at : undefined) ?? command.now,
  };
  switch (command.type) {
    case 'RecordLostAnswer':
      if (status !== 'requested') return accept();
      return accept({ type: 'TransferAnswerLost', data: { creatorId, withdrawalId, at: command.now } });
    case 'RecordTransfer':
      if (command.amountUsdCents !== withdrawal.amountUsdCents)
        return contradicts(
          `${command.transferId} is over ${usd(command.amountUsdCents)}, ${usd(withdrawal.amountUsdCents)} were asked for`,
        );
      if (status === 'failed')
        return contradicts(`${command.transferId} exists, although the withdrawal failed`);
      if (status === 'paid')
        return withdrawal.transferId === command.transferId
          ? accept()
          : contradicts(`${command.transferId} is a second transfer beside ${withdrawal.transferId}`);
      return accept({ type: 'TransferCreated', data: { ...moved, transferId: command.transferId } });
    case 'RecordRefusal':
      // The transfer exists or failed already, so this refusal is out of date.
      if (!isOpen(withdrawal)) return accept();
      return accept({ type: 'WithdrawalFailed', data: { ...moved, reason: command.reason } });
    case 'RecordReversal': {
      if (withdrawal.reversals.some(({ reversalId }) => reversalId === command.reversalId)) return accept();
      const left = withdrawal.amountUsdCents - withdrawal.reversedUsdCents;
      if (status !== 'paid' || !withdrawal.transferId || command.amountUsdCents > left)
        return contradicts(`${command.reversalId} takes back ${usd(command.amountUsdCents)} of ${usd(left)}`);
      const { transferId } = withdrawal;
      const amountMicroUsd = microUsdFromCents(command.amountUsdCents);
      const data = { ...moved, amountMicroUsd, transferId, reversalId: command.reversalId };
      return accept({ type: 'TransferReversed', data });
    }
    default:
      return unreachable(command);
  }
}

const evolveWithdrawal = evolveBy<Withdrawal, SettlementEvent>({
  TransferAnswerLost: (withdrawal) => ({ ...withdrawal, status: 'unknown' }),
  TransferCreated: (withdrawal, { transferId }) => ({ ...withdrawal, status: 'paid', transferId }),
  // Frees the earnings, so that the next withdrawal pays them.
  WithdrawalFailed: (withdrawal) => ({ ...withdrawal, status: 'failed', spans: [], deductedMicroUsd: 0 }),
  TransferReversed: (withdrawal, { reversalId, amountMicroUsd }) => ({
    ...withdrawal,
    reversedUsdCents: withdrawal.reversedUsdCents + amountMicroUsd / MICRO_USD_PER_CENT,
    reversals: [...withdrawal.reversals, { reversalId, amountMicroUsd }],
  }),
});

function evolve(state: Payouts, event: PayoutEvent): Payouts {
  if (event.type === 'WithdrawalRequested') {
    const { at: _at, amountMicroUsd: _amount, transferGroup: _group, ...asked } = event.data;
    const withdrawal: Withdrawal = { ...asked, status: 'requested', reversedUsdCents: 0, reversals: [] };
    return { ...state, withdrawals: [...state.withdrawals, withdrawal] };
  }
  if (event.type === 'CreatorDebtWrittenOff') {
    const { amountMicroUsd, approvalId } = event.data;
    return {
      ...state,
      writtenOffMicroUsd: state.writtenOffMicroUsd + amountMicroUsd,
      consents: approvalId === undefined ? state.consents : [...state.consents, approvalId],
    };
  }
  const withdrawals = state.withdrawals.map((each) =>
    each.withdrawalId === event.data.withdrawalId ? evolveWithdrawal(each, event) : each,
  );
  return { ...state, withdrawals };
}

/** Stream `payouts-{creatorId}`: the withdrawals of a creator and their outcomes. */
export const payoutDecider: Decider<PayoutCommand, Payouts, PayoutEvent, PayoutRejection> = {
  streamOf: (creatorId) => `payouts-${creatorId}`,
  initialState: { withdrawals: [], writtenOffMicroUsd: 0, consents: [] },
  decide,
  evolve,
};
