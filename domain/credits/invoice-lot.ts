import { remarkIn, type Remark } from '../shared/remark.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import { floorRatio, sumOf } from '../shared/micro-usd.js';
import type { CreditAccount, CreditEvent, CreditLot } from './credit-account.js';
import { followRefund, type RefundReport } from './failed-refund.js';
import {
  adjustDispute,
  closeDispute,
  evolveDisputes,
  openDispute,
  type CloseDispute,
  type DisputeAdjustment,
} from './lot-disputes.js';
import {
  amountOf,
  beyond,
  floorCents,
  goneOf,
  goodwillWorth,
  isLost,
  keptOf,
  leftOf,
  paidUnspentOf,
  placeOf,
  taxIn,
  taxLeft,
  type InvoiceLot,
  type Unspent,
} from './lot-payment.js';

/** A buyer can get a refund on request for this many days after the payment. */
export const REFUND_WINDOW_DAYS = 14;
export const REFUND_WINDOW_MS = REFUND_WINDOW_DAYS * 86_400_000;

export type { ShareInHold } from './lot-disputes.js';
export type { InvoiceLot } from './lot-payment.js';

export type InvoiceLotCommand =
  /** An administrator refunds the unspent credits, alone or with the approval of a second person. */
  | ({
      type: 'RefundUnspent';
      refundId: string;
      by: string;
      approvedBy?: string;
      explanation: string;
      /** The most that was approved as a refund for all lots of the invoice together, tax included. */
      mostMicroUsd?: number;
      now: string;
    } & Partial<Remark>)
  /** The provider reports a refund; the amount is gross, in whole cents. */
  | { type: 'RecordRefund'; refundId: string; amountMicroUsd: number; paymentFailed?: true }
  | RefundReport
  | { type: 'RecordDispute'; disputeId: string; amountMicroUsd: number; feeMicroUsd: number }
  | ({ type: 'AdjustDispute' } & DisputeAdjustment)
  | CloseDispute;

export type InvoiceLotRejection =
  | { code: 'RefundWindowClosed'; closedAt: string }
  | { code: 'NothingToRefund' }
  /** The refund of all unspent credits would exceed the approved amount. */
  | { code: 'RefundTooLarge'; amountMicroUsd: number }
  | { code: 'InvoiceDisputed' }
  | { code: 'NotFound' };

/**
 * A repeated command adds no event. A report of the provider is refused only if it names an unknown refund or
 * dispute, because the money has already moved.
 */
export function decideInvoiceLot(
  command: InvoiceLotCommand,
  lot: InvoiceLot,
  account: CreditAccount,
): Decision<CreditEvent, InvoiceLotRejection> {
  switch (command.type) {
    case 'RefundUnspent':
      return refundUnspent(command, lot, account);
    case 'RecordRefund': {
      if (lot.refunds.some(({ refundId }) => refundId === command.refundId)) return accept();
      return accept<CreditEvent>(recordRefund(command, lot, account));
    }
    case 'RecordRefundFailure':
    case 'RecordRefundPending':
    case 'RecordRefundSent':
    case 'UndoRefund':
      return followRefund(command, lot);
    case 'RecordDispute':
      return openDispute(command, lot, account);
    case 'AdjustDispute':
      return adjustDispute(command, lot);
    case 'RecordDisputeClosed':
      return closeDispute(command, lot, account);
    default:
      return unreachable(command);
  }
}

function refundUnspent(
  command: Extract<InvoiceLotCommand, { type: 'RefundUnspent' }>,
  lot: InvoiceLot,
  account: CreditAccount,
): Decision<CreditEvent, InvoiceLotRejection> {
  const { refundId, by, approvedBy, explanation, now } = command;
  if (lot.refunds.some((refund) => refund.refundId === refundId)) return accept();
  if (lot.disputes.some(({ status }) => status === 'open')) return reject({ code: 'InvoiceDisputed' });
  const closedAt = new Date(Date.parse(lot.paidAt) + REFUND_WINDOW_MS);
  if (Date.parse(now) > closedAt.getTime())
    return reject({ code: 'RefundWindowClosed', closedAt: closedAt.toISOString() });
  const unspent = paidUnspentOf(lot, account);
  const backMicroUsd = Math.min(unspent.valueMicroUsd, Math.max(0, keptOf(lot)));
  const taxMicroUsd = taxIn(lot, backMicroUsd, lot.valueMicroUsd);
  const netMicroUsd = Math.min(floorCents(backMicroUsd), leftOf(lot) - taxMicroUsd);
  if (netMicroUsd <= 0) return reject({ code: 'NothingToRefund' });
  return accept<CreditEvent>(
    refunded(lot, unspent, {
      refundId,
      netMicroUsd,
      taxMicroUsd,
      requested: { by, ...(approvedBy !== undefined && { approvedBy }), explanation, ...remarkIn(command) },
    }),
  );
}

/**
 * Records a refund that the provider made. Takes unspent credits in proportion to the net amount, rounded down, and
 * compensating credits that the payment no longer covers. A refund of the remaining money takes all credits.
 */
function recordRefund(
  { refundId, amountMicroUsd, paymentFailed }: Extract<InvoiceLotCommand, { type: 'RecordRefund' }>,
  lot: InvoiceLot,
  account: CreditAccount,
): CreditEvent {
  const explained = Math.min(amountMicroUsd, leftOf(lot));
  const gone = goneOf(lot) + explained;
  // The final refund also returns the tax cents that earlier refunds rounded off.
  const taxMicroUsd =
    gone >= lot.grossMicroUsd ? Math.min(taxLeft(lot), explained) : taxIn(lot, explained, lot.grossMicroUsd);
  const netMicroUsd = explained - taxMicroUsd;
  const whole = explained > 0 && gone >= lot.collectedMicroUsd;
  const most = lot.valueMicroUsd === 0 ? 0 : floorRatio(lot.credits, netMicroUsd, lot.valueMicroUsd);
  const paid = paidUnspentOf(lot, account, whole ? Infinity : most);
  const backMicroUsd = amountMicroUsd - taxMicroUsd;
  const goodwill = goodwillWorth(lot, account, whole ? Infinity : backMicroUsd - Math.max(0, keptOf(lot)));
  const taken = {
    segments: [...goodwill.segments, ...paid.segments],
    credits: goodwill.credits + paid.credits,
    valueMicroUsd: goodwill.valueMicroUsd + paid.valueMicroUsd,
    frozen: goodwill.frozen || paid.frozen,
  };
  const amounts = { netMicroUsd, taxMicroUsd, ...beyond(lot, amountMicroUsd) };
  return refunded(lot, taken, { refundId, ...amounts, ...(paymentFailed && { paymentFailed }) });
}

type Refund = Extract<CreditEvent, { type: 'InvoiceRefunded' }>['data'];

function refunded(
  lot: InvoiceLot,
  { credits, segments, frozen }: Unspent,
  refund: Pick<
    Refund,
    'refundId' | 'netMicroUsd' | 'taxMicroUsd' | 'unexplained' | 'requested' | 'paymentFailed'
  >,
): CreditEvent {
  const { userId, lotId, invoiceId } = lot;
  return {
    type: 'InvoiceRefunded',
    data: { userId, lotId, invoiceId, ...refund, ...placeOf(lot), credits, segments, frozen },
  };
}

/**
 * Returns whether credits spent from the lot can be given back:
 * - `disputed`: a bank is deciding about the payment, and a buyer must not get both money and credits
 * - `gone`: a bank took the payment back, or all of it was refunded
 *
 * A failed refund counts as refunded, because its money is still owed.
 */
export function returnability(lot: InvoiceLot): 'returnable' | 'disputed' | 'gone' {
  const { disputes, refunds, collectedMicroUsd } = lot;
  if (disputes.some(isLost)) return 'gone';
  if (disputes.some(({ status }) => status === 'open')) return 'disputed';
  const owed = sumOf(refunds.filter(({ failed }) => failed).map(amountOf));
  return collectedMicroUsd > 0 && leftOf(lot) <= owed ? 'gone' : 'returnable';
}

/** Returns the value of spent or lost credits that were neither returned nor compensated. */
export function leftToCompensate(lot: InvoiceLot, account: CreditAccount): number {
  // The bank may still take the money, and then the lot has no loss to compensate.
  if (lot.disputes.some(({ status }) => status === 'open')) return 0;
  return Math.max(0, keptOf(lot) - paidUnspentOf(lot, account).valueMicroUsd);
}

/**
 * Returns how much of one lot goes back to the buyer when a purchase is undone: at most what the payment still covers,
 * less earlier compensation.
 * @param account after the other lots of the purchase were returned
 * @param compensatedMicroUsd the earlier compensation
 */
export function returnableOf(
  { kind, credits, valueMicroUsd }: Pick<CreditLot, 'kind' | 'credits' | 'valueMicroUsd'>,
  lot: InvoiceLot,
  account: CreditAccount,
  compensatedMicroUsd: number,
): { credits: number; valueMicroUsd: number } {
  const most =
    kind === 'promotional'
      ? keptOf(lot) + valueMicroUsd
      : Math.min(
          valueMicroUsd - compensatedMicroUsd,
          keptOf(lot) - paidUnspentOf(lot, account).valueMicroUsd,
        );
  if (valueMicroUsd === 0 || most >= valueMicroUsd) return { credits, valueMicroUsd };
  if (most <= 0) return { credits: 0, valueMicroUsd: 0 };
  const back = floorRatio(credits, most, valueMicroUsd);
  return { credits: back, valueMicroUsd: floorRatio(valueMicroUsd, back, credits) };
}

export function paidLotOf(event: CreditEvent): string | undefined {
  if (event.type !== 'CreditsGranted') return 'lotId' in event.data ? event.data.lotId : undefined;
  const { lotId, invoice, adjustment } = event.data;
  // Older adjustments have no `paidLotId`. Their `makesGood` may be the lot itself.
  return invoice ? lotId : (adjustment?.paidLotId ?? adjustment?.makesGood);
}

/** Applies an event to its lot (see `paidLotOf`). The first event is the grant, which creates the lot. */
export function evolveInvoiceLot(lot: InvoiceLot | undefined, event: CreditEvent): InvoiceLot | undefined {
  if (event.type === 'CreditsGranted') {
    const { userId, lotId, credits, invoice, adjustment, valueMicroUsd, grantedAt: paidAt } = event.data;
    if (!invoice) {
      const of = adjustment?.makesGood;
      if (!lot || of === undefined) return undefined;
      return { ...lot, compensations: [...lot.compensations, { of, valueMicroUsd }] };
    }
    const { invoiceId, grossMicroUsd, taxMicroUsd, taxed, unexplained } = invoice;
    const paid = { userId, lotId, invoiceId, credits, valueMicroUsd, grossMicroUsd, taxMicroUsd, paidAt };
    return {
      ...paid,
      taxPlace: taxed?.place,
      collectedMicroUsd: grossMicroUsd - Math.max(0, unexplained?.amountMicroUsd ?? 0),
      refunds: [],
      disputes: [],
      sharesTakenBack: [],
      compensations: [],
    };
  }
  if (!lot) return undefined;
  switch (event.type) {
    case 'InvoiceRefunded': {
      const { refundId, netMicroUsd, taxMicroUsd, unexplained } = event.data;
      const refund = { refundId, netMicroUsd, taxMicroUsd, unexplained, failed: false };
      return { ...lot, refunds: [...lot.refunds, refund] };
    }
    case 'RefundFailed':
      return withRefund(lot, event.data.refundId, (refund) => ({ ...refund, failed: true }));
    case 'RefundPending':
    case 'RefundNoLongerPending': {
      const { refundId, owed } = event.data;
      const pending = event.type === 'RefundPending' ? 'now' : 'over';
      return withRefund(lot, refundId, (refund) => ({ ...refund, pending, ...(owed && { owed }) }));
    }
    // An undone refund keeps its id, so that a repeated request refunds nothing. Its amounts are 0: nothing is owed.
    case 'RefundUndone': {
      const { refundId } = event.data;
      const nothing = { refundId, netMicroUsd: 0, taxMicroUsd: 0, failed: true };
      return withRefund(lot, refundId, () => nothing);
    }
    case 'DisputeOpened':
    case 'DisputeAdjusted':
    case 'DisputeWon':
    case 'DisputeLost':
    case 'LostDisputeWon':
      return evolveDisputes(lot, event);
    case 'GiftGiven':
      return { ...lot, userId: event.data.to };
    case 'ShareTakenBack': {
      const { purchaseId, creatorId, shareMicroUsd } = event.data;
      const takenBack = { purchaseId, creatorId, shareMicroUsd };
      return { ...lot, sharesTakenBack: [...lot.sharesTakenBack, takenBack] };
    }
    default:
      return lot;
  }
}

function withRefund(
  lot: InvoiceLot,
  refundId: string,
  change: (refund: InvoiceLot['refunds'][number]) => InvoiceLot['refunds'][number],
): InvoiceLot {
  const refunds = lot.refunds.map((each) => (each.refundId === refundId ? change(each) : each));
  return { ...lot, refunds };
}
