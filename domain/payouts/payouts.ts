import type { Decider } from '../shared/decider.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import { inUsd, MICRO_USD_PER_CENT, microUsdFromCents } from '../shared/micro-usd.js';
import { PAYOUT_POLICY } from './policy.js';
import { dropLast, lengthOf, takeFree, without, type Span } from './spans.js';

/** Stream `payouts-{creatorId}`: what a creator withdrew, and how each withdrawal ended. */
const streamOf = (creatorId: string): string => `payouts-${creatorId}`;

const GROUP = 'withdrawal_';

/** Identifies a withdrawal at the payment provider. */
export const transferGroupOf = (withdrawalId: string): string => `${GROUP}${withdrawalId}`;

/** The withdrawal behind a transfer's group; undefined for a foreign transfer. */
export const withdrawalOf = (transferGroup: string): string | undefined =>
  transferGroup.startsWith(GROUP) ? transferGroup.slice(GROUP.length) : undefined;

export interface Withdrawal {
  creatorId: string;
  withdrawalId: string;
  accountId: string;
  amountUsdCents: number;
  /**
   * `requested`: no transfer is known; `unknown`: we asked for one and lost the answer; `paid`: it exists;
   * `failed`: it certainly does not exist.
   */
  status: 'requested' | 'unknown' | 'paid' | 'failed';
  transferId?: string;
  /** The part that came back afterwards. */
  reversedUsdCents: number;
  /** Oldest first. Each takes back the last of the earnings that stayed paid. */
  reversals: { reversalId: string; amountMicroUsd: number }[];
  /** The earnings that it pays, also once they came back; none when it failed. */
  spans: Span[];
  /** Earnings that were paid and then reversed; this withdrawal makes up for them. */
  deductedMicroUsd: number;
}

export interface Payouts {
  /** In the order they were requested. */
  withdrawals: Withdrawal[];
  /** Earnings that were paid, then reversed, and given up. */
  writtenOffMicroUsd: number;
  /** The consents that were used for it. */
  consents: readonly string[];
}

/** A creator's earnings as of a moment. */
export interface Earned {
  /** Shares past their hold. */
  releasedMicroUsd: number;
  /** The part of them that was taken back since. */
  reversedMicroUsd: number;
  /** The part of them that was sold for more than credits cost: nobody withdraws it. */
  inDoubtMicroUsd?: number;
}

export type PayoutCommand =
  | {
      type: 'RequestWithdrawal';
      creatorId: string;
      withdrawalId: string;
      /** Absent: no account is connected. */
      account: { accountId: string; payoutsEnabled: boolean } | undefined;
      /** Absent: all that is available, in whole cents. */
      amountUsdCents: number | undefined;
      /** The balance of a deleted account is paid out, however small it is. */
      paysClaim?: boolean;
      earned: Earned;
      now: string;
    }
  | {
      type: 'WriteOffDebt';
      creatorId: string;
      earned: Earned;
      /** Shares in their hold will pay a part of what is owed. */
      heldMicroUsd: number;
      /** All of it if absent. */
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
      /** When the provider made it. */
      at?: string;
    }
  | { type: 'RecordRefusal'; withdrawalId: string; reason: string; now: string }
  | {
      type: 'RecordReversal';
      withdrawalId: string;
      reversalId: string;
      amountUsdCents: number;
      now: string;
      /** When the provider made it. */
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
        /** The stretches of the creator's earnings that it pays: the amount and the deduction, together. */
        spans: Span[];
        /** What had been paid and was reversed since; this withdrawal makes up for it. */
        deductedMicroUsd: number;
      };
    }
  /** We asked for a transfer and got no answer: it may exist. Moves nothing. */
  | { type: 'TransferAnswerLost'; data: { creatorId: string; withdrawalId: string; at: string } }
  /** The money is in the creator's account: payouts-in-transit → stripe:balance. */
  | { type: 'TransferCreated'; data: Moved & { transferId: string } }
  /** The transfer certainly does not exist: payouts-in-transit → creator. */
  | { type: 'WithdrawalFailed'; data: Moved & { reason: string } }
  /** All or a part of a transfer came back: stripe:balance → creator. */
  | { type: 'TransferReversed'; data: Moved & { transferId: string; reversalId: string } }
  /** The creator owed this for too long, so it is written off: creator-losses → creator. */
  | {
      type: 'CreatorDebtWrittenOff';
      data: {
        creatorId: string;
        amountMicroUsd: number;
        /** Above a limit a second person agreed, once by the request's id. */
        approvalId?: string;
        approvedBy?: string;
        at: string;
      };
    };

export type PayoutRejection =
  | { code: 'PayoutsNotEnabled' }
  | { code: 'WithdrawalTooSmall'; minimumUsdCents: number }
  /** Negative if more was paid than is left after reversals. */
  | { code: 'InsufficientEarnings'; availableMicroUsd: number; minimumUsdCents: number }
  | { code: 'WithdrawalInFlight'; withdrawalId: string }
  | { code: 'NotFound' }
  /** The provider reports something impossible: money moved without a withdrawal. Somebody must look. */
  | { code: 'TransferContradicts'; withdrawalId: string; detail: string };

export type PayoutDecision = Decision<PayoutEvent, PayoutRejection>;

const initialState: Payouts = { withdrawals: [], writtenOffMicroUsd: 0, consents: [] };

const isOpen = ({ status }: Withdrawal): boolean => status === 'requested' || status === 'unknown';
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The earnings that a withdrawal paid and that did not come back. */
export const keptSpans = ({ spans, reversedUsdCents }: Withdrawal): Span[] =>
  dropLast(spans, microUsdFromCents(reversedUsdCents));

/** A part of a reversed payout, paid once more. */
export interface PaidAgain {
  withdrawalId: string;
  reversalId: string;
  amountMicroUsd: number;
}

/**
 * What a withdrawal's statement lists: the earnings that no earlier statement lists, and the reversals that it makes
 * up for. Later reversals change nothing in it.
 * @param earlier the creator's withdrawals before it, oldest first
 */
export function statementOf(
  spans: readonly Span[],
  earlier: readonly Withdrawal[],
): { sales: Span[]; paidAgain: PaidAgain[] } {
  let sales = [...spans];
  const paidAgain: PaidAgain[] = [];
  // The latest payout of the same earnings is the one that this withdrawal repeats.
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

/** Paid and in transit, less what came back. */
const settledUsdCents = (withdrawals: readonly Withdrawal[]): number =>
  sum(
    withdrawals
      .filter(({ status }) => status !== 'failed')
      .map(({ amountUsdCents, reversedUsdCents }) => amountUsdCents - reversedUsdCents),
  );

/** What a creator could withdraw: released, less reversed, less paid and in transit. Can be below zero. */
export const availableMicroUsd = ({ withdrawals, writtenOffMicroUsd }: Payouts, earned: Earned): number =>
  earned.releasedMicroUsd -
  earned.reversedMicroUsd -
  microUsdFromCents(settledUsdCents(withdrawals)) +
  writtenOffMicroUsd;

/** What reached the creator and stayed. */
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
  // The same request again: the withdrawal is under way or done.
  if (state.withdrawals.some((known) => known.withdrawalId === withdrawalId)) return accept();
  if (!account?.payoutsEnabled) return reject({ code: 'PayoutsNotEnabled' });
  const open = state.withdrawals.find(isOpen);
  if (open) return reject({ code: 'WithdrawalInFlight', withdrawalId: open.withdrawalId });
  if (command.amountUsdCents !== undefined && command.amountUsdCents < minimumUsdCents)
    return reject({ code: 'WithdrawalTooSmall', minimumUsdCents });
  const available = availableMicroUsd(state, earned) - (earned.inDoubtMicroUsd ?? 0);
  // Parts of a cent stay behind for the next withdrawal.
  const amountUsdCents = command.amountUsdCents ?? Math.floor(available / MICRO_USD_PER_CENT);
  const amountMicroUsd = microUsdFromCents(amountUsdCents);
  if (amountMicroUsd > available || amountUsdCents < minimumUsdCents)
    return reject({ code: 'InsufficientEarnings', availableMicroUsd: available, minimumUsdCents });
  const deductedMicroUsd =
    earned.reversedMicroUsd -
    state.writtenOffMicroUsd -
    sum(state.withdrawals.map((known) => known.deductedMicroUsd));
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
      spans: takeFree(
        state.withdrawals.flatMap(keptSpans),
        earned.releasedMicroUsd,
        amountMicroUsd + deductedMicroUsd,
      ),
      deductedMicroUsd,
    },
  });
}

/** What a creator owes beyond the shares in their hold; at most 0 if nothing. */
export const debtMicroUsd = (state: Payouts, earned: Earned, heldMicroUsd: number): number =>
  -(availableMicroUsd(state, earned) + heldMicroUsd);

/**
 * Writes off what the creator owes; nothing if the creator owes nothing. The caller knows when a debt is old enough.
 */
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

/** A command that reports how a withdrawal went. */
export type SettlementCommand = Exclude<PayoutCommand, { type: 'RequestWithdrawal' | 'WriteOffDebt' }>;
/** A fact about a withdrawal that was requested. */
export type SettlementEvent = Exclude<PayoutEvent, { type: 'WithdrawalRequested' | 'CreatorDebtWrittenOff' }>;

/** What the provider reports about a withdrawal; a repetition records nothing. */
function record(command: SettlementCommand, withdrawal: Withdrawal): PayoutDecision {
  const usd = (cents: number): string => inUsd(microUsdFromCents(cents));
  const { withdrawalId, status } = withdrawal;
  const contradicts = (detail: string): PayoutDecision =>
    reject({ code: 'TransferContradicts', withdrawalId, detail });
  const moved: Moved = {
    creatorId: withdrawal.creatorId,
    withdrawalId,
    amountMicroUsd: microUsdFromCents(withdrawal.amountUsdCents),
    at: ('at' in command ? command.at : undefined) ?? command.now,
  };
  switch (command.type) {
    case 'RecordLostAnswer':
      if (status !== 'requested') return accept();
      return accept({
        type: 'TransferAnswerLost',
        data: { creatorId: moved.creatorId, withdrawalId, at: command.now },
      });
    case 'RecordTransfer':
      if (command.amountUsdCents !== withdrawal.amountUsdCents)
        return contradicts(
          `${command.transferId} is over ${usd(command.amountUsdCents)}, ${usd(withdrawal.amountUsdCents)} were asked for`,
        );
      if (status === 'failed')
        return contradicts(`${command.transferId} exists, and the withdrawal had failed`);
      if (status === 'paid')
        return withdrawal.transferId === command.transferId
          ? accept()
          : contradicts(`${command.transferId} is a second transfer beside ${withdrawal.transferId}`);
      return accept({ type: 'TransferCreated', data: { ...moved, transferId: command.transferId } });
    case 'RecordRefusal':
      // An existing transfer was not refused: the refusal is out of date.
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

function evolve(state: Payouts, { type, data }: PayoutEvent): Payouts {
  if (type === 'WithdrawalRequested') {
    const { creatorId, withdrawalId, accountId, amountUsdCents, spans, deductedMicroUsd } = data;
    const withdrawal: Withdrawal = {
      creatorId,
      withdrawalId,
      accountId,
      amountUsdCents,
      status: 'requested',
      reversedUsdCents: 0,
      reversals: [],
      spans,
      deductedMicroUsd,
    };
    return { ...state, withdrawals: [...state.withdrawals, withdrawal] };
  }
  if (type === 'CreatorDebtWrittenOff')
    return {
      ...state,
      writtenOffMicroUsd: state.writtenOffMicroUsd + data.amountMicroUsd,
      consents: data.approvalId === undefined ? state.consents : [...state.consents, data.approvalId],
    };
  return {
    ...state,
    withdrawals: state.withdrawals.map((withdrawal) =>
      withdrawal.withdrawalId === data.withdrawalId
        ? evolveOne(withdrawal, { type, data } as SettlementEvent)
        : withdrawal,
    ),
  };
}

function evolveOne(withdrawal: Withdrawal, { type, data }: SettlementEvent): Withdrawal {
  switch (type) {
    case 'TransferAnswerLost':
      return { ...withdrawal, status: 'unknown' };
    case 'TransferCreated':
      return { ...withdrawal, status: 'paid', transferId: data.transferId };
    case 'WithdrawalFailed':
      // As if nobody had asked for it: the next withdrawal pays the same earnings.
      return { ...withdrawal, status: 'failed', spans: [], deductedMicroUsd: 0 };
    case 'TransferReversed': {
      const cents = data.amountMicroUsd / MICRO_USD_PER_CENT;
      return {
        ...withdrawal,
        reversedUsdCents: withdrawal.reversedUsdCents + cents,
        reversals: [
          ...withdrawal.reversals,
          { reversalId: data.reversalId, amountMicroUsd: data.amountMicroUsd },
        ],
      };
    }
    default:
      return unreachable(type);
  }
}

export const payoutDecider: Decider<PayoutCommand, Payouts, PayoutEvent, PayoutRejection> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
