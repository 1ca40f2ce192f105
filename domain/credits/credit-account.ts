import type { Remark } from '../shared/remark.js';
import type { Decider } from '../shared/decider.js';
import { accept, assert, reject, unreachable, type Decision } from '../shared/decision.js';
import type { CreditLot, InvoiceEvent, LotSegment, Unexplained } from '../shared/invoice-event.js';
import { assertMicroUsd, floorRatio } from '../shared/micro-usd.js';

export type { CreditLot, InvoiceEvent, LotSegment } from '../shared/invoice-event.js';

/** One user's credits. Drained lots leave the state, because nothing can be taken from them any more. */
export interface CreditAccount {
  /** Credits that can be spent, without the frozen ones. */
  balanceCredits: number;
  /** Open lots in the order they are spent. */
  lots: CreditLot[];
}

export type GrantReason = 'monthly_grant' | 'promotion' | 'admin_adjustment' | 'refund';

/** Why an administrator moved credits; user ids in `by` and `approvedBy`. */
export interface Adjustment extends Partial<Remark> {
  adjustmentId: string;
  by: string;
  approvedBy?: string;
  /** The lot or the purchase that the adjustment compensates. */
  makesGood?: string;
  /** The paid lot whose payment it counts against; older events do not name it. */
  paidLotId?: string;
  explanation: string;
}

/** Where a line was taxed, and how: it is sold in one place. */
export interface Taxed {
  /** `DE`, `US-NY`: an ISO 3166 country, with the state of the United States. */
  place: string;
  taxableMicroUsd: number;
  percentage: number;
  /** The provider's own words: standard_rated, reverse_charge, not_collecting, … */
  reason: string;
}

/** A line of a paid invoice. */
export interface PaidLine {
  invoiceId: string;
  invoiceLineId: string;
  /** A month of which plan it paid for; older events do not say. */
  plan?: string;
  grossMicroUsd: number;
  taxMicroUsd: number;
  /** Absent where nobody found out the tax. */
  taxed?: Taxed;
  /** ISO 3166: the payer's, for a line without a place of tax; older events do not name it. */
  country?: string;
  /** The part of the gross that no movement of cash covers; negative if more cash came than the lines ask for. */
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
      /** Paid net of tax and discount; 0 for unfunded promotions. */
      valueMicroUsd: number;
      grantedAt: string;
      /** Present when an invoice paid for it. */
      invoice?: PaidLine;
      /** Present when an administrator gave it. */
      adjustment?: Adjustment;
      /**
       * Present if a purchase was undone: the lot then has exactly the value taken, and the original date. `lotId`
       * is the paid lot that it came from; older events do not name it.
       */
      returned?: { purchaseId: string; lotId?: string };
    }
  | { type: 'SpendCredits'; userId: string; purchaseId: string; credits: number }
  | { type: 'RevokeCredits'; userId: string; credits: number; adjustment: Adjustment };

export type CreditEvent =
  | { type: 'CreditsGranted'; data: Omit<Extract<CreditCommand, { type: 'GrantCredits' }>, 'type'> }
  | {
      type: 'CreditsSpent';
      data: { userId: string; purchaseId: string; credits: number; segments: LotSegment[] };
    }
  /** Unspent credits taken back. */
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

const initialState: CreditAccount = { balanceCredits: 0, lots: [] };

const streamOf = (userId: string): string => `credits-${userId}`;

/** Decides one command on one account. The caller rules out granting the same lot twice, by the lot's id. */
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
      if (state.balanceCredits < command.credits) {
        return reject({
          code: 'InsufficientCredits',
          balance: state.balanceCredits,
          missing: command.credits - state.balanceCredits,
        });
      }
      const segments = takeFromLots(state.lots, command.credits);
      if (command.type === 'RevokeCredits') {
        const { type: _, ...data } = command;
        return accept<CreditEvent>({
          type: 'CreditsRevoked',
          data: { ...data, reason: 'admin_adjustment', segments },
        });
      }
      const { userId, purchaseId, credits } = command;
      return accept<CreditEvent>({ type: 'CreditsSpent', data: { userId, purchaseId, credits, segments } });
    }
    default:
      return unreachable(command);
  }
}

/** Records an event into a new state; the given state is left as it was. */
function evolve(state: CreditAccount, event: CreditEvent): CreditAccount {
  switch (event.type) {
    case 'CreditsGranted':
      return withLots(state, [creditLotOf(event.data)], event.data.credits);
    case 'RefundUndone':
      return withLots(state, event.data.lots, creditDeltaOf(event));
    case 'CreditsSpent':
    case 'CreditsRevoked':
      return without(state, event.data.segments, event.data.credits);
    case 'InvoiceRefunded':
      return without(state, event.data.segments, event.data.frozen ? 0 : event.data.credits);
    case 'DisputeOpened':
    case 'DisputeWon':
      return disputed(state, event);
    case 'DisputeLost':
      return without(state, event.data.segments, 0);
    case 'RefundPending':
    case 'RefundNoLongerPending':
    case 'RefundFailed':
    case 'DisputeAdjusted':
    case 'LostDisputeWon':
    case 'ShareTakenBack':
      return state;
    default:
      return unreachable(event);
  }
}

/** The credits that an event adds to what can be spent, or takes from it. */
export function creditDeltaOf(event: CreditEvent): number {
  switch (event.type) {
    case 'CreditsGranted':
    case 'DisputeWon':
      return event.data.credits;
    case 'CreditsSpent':
    case 'CreditsRevoked':
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
    case 'LostDisputeWon':
    case 'ShareTakenBack':
      return 0;
    default:
      return unreachable(event);
  }
}

/** A lot as it arrives. */
export function creditLotOf(grant: Extract<CreditEvent, { type: 'CreditsGranted' }>['data']): CreditLot {
  const { lotId, kind, credits, valueMicroUsd, grantedAt, returned, adjustment } = grant;
  const lot: CreditLot = { lotId, kind, credits, spentCredits: 0, valueMicroUsd, grantedAt };
  const paidLotId = returned?.lotId ?? adjustment?.paidLotId;
  return paidLotId === undefined ? lot : { ...lot, paidLotId };
}

const withLots = (state: CreditAccount, lots: readonly CreditLot[], toBalance: number): CreditAccount => ({
  balanceCredits: state.balanceCredits + toBalance,
  lots: [...state.lots, ...lots].sort(spendingOrder),
});

/** @param fromBalance how many of the credits taken could be spent until now */
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
  { type, data }: Extract<CreditEvent, { type: 'DisputeOpened' | 'DisputeWon' }>,
): CreditAccount {
  const opened = type === 'DisputeOpened';
  return {
    balanceCredits: state.balanceCredits + (opened ? -data.credits : data.credits),
    lots: state.lots.map((each) => {
      if (!isOfLot(each, data.lotId)) return each;
      const { disputedBy = [], ...lot } = each;
      const others = disputedBy.filter((id) => id !== data.disputeId);
      const open = opened ? [...others, data.disputeId] : others;
      return open.length > 0 ? { ...lot, disputedBy: open } : lot;
    }),
  };
}

/** Whether a lot is this one, came back from it, or makes it good. */
export const isOfLot = (lot: CreditLot, lotId: string): boolean =>
  lot.lotId === lotId || lot.paidLotId === lotId;

/** Promotional first, then oldest, then by id: two nodes never disagree. */
function spendingOrder(a: CreditLot, b: CreditLot): number {
  if (a.kind !== b.kind) return a.kind === 'promotional' ? -1 : 1;
  if (a.grantedAt !== b.grantedAt) return a.grantedAt < b.grantedAt ? -1 : 1;
  return a.lotId < b.lotId ? -1 : 1;
}

/** Takes from the front. The caller has made sure there is enough. */
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
 * What the next `credits` of a lot are worth: floor(P·(k+m)/n) − floor(P·k/n), in micro-dollars.
 * The floors telescope, so a drained lot has given exactly P and no rounding account exists.
 */
export function valueOf(lot: CreditLot, credits: number): number {
  const upTo = (count: number): number => floorRatio(lot.valueMicroUsd, count, lot.credits);
  return upTo(lot.spentCredits + credits) - upTo(lot.spentCredits);
}

export const creditAccountDecider: Decider<CreditCommand, CreditAccount, CreditEvent, CreditRejection> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
