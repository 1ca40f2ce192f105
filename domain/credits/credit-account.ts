import { evolveBy } from '../shared/by-type.js';
import type { Remark } from '../shared/remark.js';
import { accept, assert, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import type { CreditLot, InvoiceEvent, LotSegment, Unexplained } from '../shared/invoice-event.js';
import { assertMicroUsd, floorRatio } from '../shared/micro-usd.js';

export type { CreditLot, InvoiceEvent, LotSegment } from '../shared/invoice-event.js';

/** The credits of one user. Lots without credits left are dropped, because no command can take from them. */
export interface CreditAccount {
  /** Spendable credits, without frozen ones. */
  balanceCredits: number;
  /** Open lots in the order of spending. */
  lots: CreditLot[];
}

export type GrantReason = 'monthly_grant' | 'top_up' | 'promotion' | 'admin_adjustment' | 'refund';

/** Why an administrator moved credits. `by` and `approvedBy` are user ids. */
export interface Adjustment extends Partial<Remark> {
  adjustmentId: string;
  by: string;
  approvedBy?: string;
  /** The lot or purchase whose spent or lost credits this adjustment replaces. */
  makesGood?: string;
  /** The paid lot that `makesGood` names, or that the named purchase took credits from; absent in older events. */
  paidLotId?: string;
  explanation: string;
}

/** A paid lot that waits until its code is redeemed. Its account belongs to the gift, not to a person. */
export interface Gift {
  giftId: string;
  /** Gets the unspent credits if the code expires before it is redeemed. */
  payerId: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Why a gift left its account: its code was used, or the code expired and the payer has the credits. */
export type GiftEnd = 'redeemed' | 'expired';

/** The tax of an invoice line. Each line is taxed in one place only. */
export interface Taxed {
  /** ISO 3166 country such as `DE`, or a state of the United States such as `US-NY`. */
  place: string;
  taxableMicroUsd: number;
  percentage: number;
  /**
   * The payment provider's code for why tax was or was not charged, such as standard_rated, reverse_charge or
   * not_collecting.
   */
  reason: string;
}

export interface PaidLine {
  invoiceId: string;
  invoiceLineId: string;
  /** What the line sold; absent in older events. */
  product?: string;
  /**
   * The plan that the line sold, only in events that were recorded before top-ups existed. Some of those events lack
   * it.
   */
  plan?: string;
  grossMicroUsd: number;
  taxMicroUsd: number;
  /** Absent if the tax is unknown. */
  taxed?: Taxed;
  /**
   * ISO 3166 country of the payer, for an invoice line that does not say where it was
   * taxed; absent in older events.
   */
  country?: string;
  /** The part of the gross that no cash movement covers. Negative if more cash arrived than the lines ask for. */
  unexplained?: Unexplained;
}

export type CreditCommand =
  | {
      type: 'GrantCredits';
      userId: string;
      lotId: string;
      kind: CreditLot['kind'];
      reason: GrantReason;
      credits: number;
      /**
       * What was paid for the credits: the price less the discount and less the
       * tax. Credits that replace lost paid credits have the
       * value of the lost credits. Other credits without a payment have 0.
       */
      valueMicroUsd: number;
      grantedAt: string;
      invoice?: PaidLine;
      gift?: Gift;
      adjustment?: Adjustment;
      /** Present for credits of an undone purchase. `lotId`: the original paid lot; absent in older events. */
      returned?: { purchaseId: string; lotId?: string };
    }
  | { type: 'SpendCredits'; userId: string; purchaseId: string; credits: number }
  | { type: 'RevokeCredits'; userId: string; credits: number; adjustment: Adjustment };

export type Grant = Omit<Extract<CreditCommand, { type: 'GrantCredits' }>, 'type'>;

interface GiftMove {
  userId: string;
  giftId: string;
  lotId: string;
  why: GiftEnd;
  /**
   * The unspent credits, which move from the account of the gift to another
   * account. The lot keeps its id, value, date and payment.
   */
  credits: number;
}

export type CreditEvent =
  | { type: 'CreditsGranted'; data: Grant }
  /** The gift's lot leaves the account of the gift for the account `to`. `GiftReceived` follows at once. */
  | { type: 'GiftGiven'; data: GiftMove & { to: string } }
  | { type: 'GiftReceived'; data: GiftMove & { from: string; spentCredits: number; grant: Grant } }
  | {
      type: 'CreditsSpent';
      data: { userId: string; purchaseId: string; credits: number; segments: LotSegment[] };
    }
  | {
      type: 'CreditsRevoked';
      data: {
        userId: string;
        reason: 'admin_adjustment';
        credits: number;
        segments: LotSegment[];
        adjustment: Adjustment;
      };
    }
  | InvoiceEvent;

export type CreditRejection = { code: 'InsufficientCredits'; balance: number; missing: number };

/** Decides one command on one account. The caller prevents a second grant of the same lot id. */
function decide(command: CreditCommand, state: CreditAccount): Decision<CreditEvent, CreditRejection> {
  switch (command.type) {
    case 'GrantCredits': {
      assert(Number.isSafeInteger(command.credits) && command.credits > 0, 'a grant has credits');
      assert(assertMicroUsd(command.valueMicroUsd) >= 0, 'a grant is not worth less than nothing');
      const { type: _, ...data } = command;
      return accept<CreditEvent>({ type: 'CreditsGranted', data });
    }
    case 'SpendCredits':
    case 'RevokeCredits': {
      assert(Number.isSafeInteger(command.credits) && command.credits > 0, 'taking takes credits');
      const balance = state.balanceCredits;
      const missing = command.credits - balance;
      if (missing > 0) return reject({ code: 'InsufficientCredits', balance, missing });
      const segments = takeFromLots(state.lots, command.credits);
      if (command.type === 'RevokeCredits') {
        const { type: _, ...data } = command;
        return accept({ type: 'CreditsRevoked', data: { ...data, reason: 'admin_adjustment', segments } });
      }
      const { userId, purchaseId, credits } = command;
      return accept<CreditEvent>({ type: 'CreditsSpent', data: { userId, purchaseId, credits, segments } });
    }
    default:
      return unreachable(command);
  }
}

const unchanged = (state: CreditAccount): CreditAccount => state;

const evolve = evolveBy<CreditAccount, CreditEvent>({
  CreditsGranted: (state, grant) => withLots(state, [creditLotOf(grant)], grant.credits),
  GiftGiven: (state, { lotId, credits }) => ({
    balanceCredits: state.balanceCredits - credits,
    lots: state.lots.filter((lot) => lot.lotId !== lotId),
  }),
  GiftReceived: (state, { grant, spentCredits, credits }) =>
    withLots(state, [{ ...creditLotOf(grant), spentCredits }], credits),
  RefundUndone: (state, { lots, frozen, credits }) => withLots(state, lots, frozen ? 0 : credits),
  CreditsSpent: (state, { segments, credits }) => without(state, segments, credits),
  CreditsRevoked: (state, { segments, credits }) => without(state, segments, credits),
  InvoiceRefunded: (state, { segments, frozen, credits }) => without(state, segments, frozen ? 0 : credits),
  DisputeOpened: (state, dispute) => disputed(state, dispute, true),
  DisputeWon: (state, dispute) => disputed(state, dispute, false),
  DisputeLost: (state, { segments }) => without(state, segments, 0),
  RefundPending: unchanged,
  RefundNoLongerPending: unchanged,
  RefundFailed: unchanged,
  DisputeAdjusted: unchanged,
  LostDisputeWon: (state, { lots = [], credits = 0 }) => withLots(state, lots, credits),
  ShareTakenBack: unchanged,
});

/** Returns how many spendable credits an event adds (positive) or removes (negative). */
export function creditDeltaOf(event: CreditEvent): number {
  switch (event.type) {
    case 'CreditsGranted':
    case 'GiftReceived':
    case 'DisputeWon':
      return event.data.credits;
    case 'LostDisputeWon':
      return event.data.credits ?? 0;
    case 'CreditsSpent':
    case 'CreditsRevoked':
    case 'GiftGiven':
    case 'DisputeOpened':
      return -event.data.credits;
    case 'InvoiceRefunded':
      return event.data.frozen ? 0 : -event.data.credits;
    case 'RefundUndone':
      return event.data.frozen ? 0 : event.data.credits;
    case 'DisputeLost':
    case 'RefundPending':
    case 'RefundNoLongerPending':
    case 'RefundFailed':
    case 'DisputeAdjusted':
    case 'ShareTakenBack':
      return 0;
    default:
      return unreachable(event);
  }
}

/** Returns the grants of all lots that came into an account, including redeemed gifts. */
export const grantsIn = (history: readonly CreditEvent[]): Grant[] =>
  history.flatMap(({ type, data }) =>
    type === 'CreditsGranted'
      ? [data]
      : type === 'GiftReceived'
        ? [{ ...data.grant, userId: data.userId }]
        : [],
  );

export function creditLotOf(grant: Grant): CreditLot {
  const { lotId, kind, credits, valueMicroUsd, grantedAt, returned, adjustment } = grant;
  const lot: CreditLot = { lotId, kind, credits, spentCredits: 0, valueMicroUsd, grantedAt };
  const paidLotId = returned?.lotId ?? adjustment?.paidLotId;
  return paidLotId === undefined ? lot : { ...lot, paidLotId };
}

const withLots = (state: CreditAccount, lots: readonly CreditLot[], toBalance: number): CreditAccount => ({
  balanceCredits: state.balanceCredits + toBalance,
  lots: [...state.lots, ...lots].sort(spendingOrder),
});

/** @param fromBalance how many of the taken credits were spendable */
function without(state: CreditAccount, segments: readonly LotSegment[], fromBalance: number): CreditAccount {
  const taken = new Map(segments.map((segment) => [segment.lotId, segment.credits]));
  return {
    balanceCredits: state.balanceCredits - fromBalance,
    lots: state.lots
      .map((lot) => ({ ...lot, spentCredits: lot.spentCredits + (taken.get(lot.lotId) ?? 0) }))
      .filter((lot) => lot.spentCredits < lot.credits),
  };
}

function disputed(
  state: CreditAccount,
  { credits, lotId, disputeId }: { credits: number; lotId: string; disputeId: string },
  opened: boolean,
): CreditAccount {
  return {
    balanceCredits: state.balanceCredits + (opened ? -credits : credits),
    lots: state.lots.map((each) => {
      if (!isOfLot(each, lotId)) return each;
      const { disputedBy = [], ...lot } = each;
      const others = disputedBy.filter((id) => id !== disputeId);
      const open = opened ? [...others, disputeId] : others;
      return open.length > 0 ? { ...lot, disputedBy: open } : lot;
    }),
  };
}

/** Returns whether `lot` is the paid lot `lotId`, was returned from a purchase paid with it, or compensates for it. */
export const isOfLot = (lot: CreditLot, lotId: string): boolean =>
  lot.lotId === lotId || lot.paidLotId === lotId;

/** Sorts lots: promotional first, then oldest, then by id, so that all nodes use the same order. */
function spendingOrder(a: CreditLot, b: CreditLot): number {
  if (a.kind !== b.kind) return a.kind === 'promotional' ? -1 : 1;
  if (a.grantedAt !== b.grantedAt) return a.grantedAt < b.grantedAt ? -1 : 1;
  return a.lotId < b.lotId ? -1 : 1;
}

/**
 * Returns the credits to take from each lot, in the order of spending. Skips lots with a disputed
 * payment. The caller has checked that the lots have enough credits.
 */
function takeFromLots(lots: readonly CreditLot[], credits: number): LotSegment[] {
  const segments: LotSegment[] = [];
  let wanted = credits;
  for (const lot of lots) {
    if (wanted === 0) break;
    if (lot.disputedBy) continue;
    const taken = Math.min(wanted, lot.credits - lot.spentCredits);
    segments.push({ lotId: lot.lotId, credits: taken, valueMicroUsd: valueOf(lot, taken) });
    wanted -= taken;
  }
  assert(wanted === 0, 'the lots hold what the balance says');
  return segments;
}

/**
 * Returns the value in micro-dollars of the next m credits, after k of n were spent: floor(P·(k+m)/n) − floor(P·k/n).
 * These differences add up to exactly P, the value of the lot, so no account for rounding is needed.
 */
export function valueOf(lot: CreditLot, credits: number): number {
  const upTo = (count: number): number => floorRatio(lot.valueMicroUsd, count, lot.credits);
  return upTo(lot.spentCredits + credits) - upTo(lot.spentCredits);
}

export const creditAccountDecider: Decider<CreditCommand, CreditAccount, CreditEvent, CreditRejection> = {
  streamOf: (userId) => `credits-${userId}`,
  initialState: { balanceCredits: 0, lots: [] },
  decide,
  evolve,
};
