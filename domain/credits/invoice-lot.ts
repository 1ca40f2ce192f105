import { remarkIn, type Remark } from '../shared/remark.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import { floorRatio } from '../shared/micro-usd.js';
import type { Unexplained } from '../shared/invoice-event.js';
import type { CreditAccount, CreditEvent } from './credit-account.js';
import { recordFailure, undoRefund, type UndoRefund } from './failed-refund.js';
import {
  amountOf,
  beyond,
  explainedOf,
  floorCents,
  goneOf,
  leftOf,
  sumOf,
  taxIn,
  taxLeft,
  unspentOf,
  type InvoiceLot,
  type Unspent,
} from './lot-payment.js';

/** An invoice is refunded on request for this long after its payment. */
export const REFUND_WINDOW_DAYS = 14;
const DAY_MS = 86_400_000;

export type { InvoiceLot } from './lot-payment.js';

/** A share of a purchase that the lot paid for, while its creator cannot be paid yet. */
export interface ShareInHold {
  lotId: string;
  purchaseId: string;
  creatorId: string;
  sampleId: string;
  shareMicroUsd: number;
}

export type InvoiceLotCommand =
  /** An administrator gives back what the user has not spent, alone or with a second one's consent. */
  | ({
      type: 'RefundUnspent';
      refundId: string;
      by: string;
      approvedBy?: string;
      explanation: string;
      /** Of all lots of the invoice together, tax included. */
      mostMicroUsd?: number;
      now: string;
    } & Partial<Remark>)
  /** The provider reports a refund; gross, in whole cents. */
  | { type: 'RecordRefund'; refundId: string; amountMicroUsd: number }
  | { type: 'RecordRefundFailure'; refundId: string; failure: string }
  | UndoRefund
  | { type: 'RecordDispute'; disputeId: string; amountMicroUsd: number; feeMicroUsd: number }
  | { type: 'RecordDisputeClosed'; disputeId: string; outcome: 'won' | 'lost'; shares: ShareInHold[] };

export type InvoiceLotRejection =
  | { code: 'RefundWindowClosed'; closedAt: string }
  | { code: 'NothingToRefund' }
  /** More is unspent than may be refunded. */
  | { code: 'RefundTooLarge'; amountMicroUsd: number }
  | { code: 'InvoiceDisputed' }
  | { code: 'NotFound' };

/**
 * Decides on one lot of an account. A known fact is accepted and changes nothing. What the provider reports has
 * happened, so it is never refused: the event names the part that the payment does not explain.
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
      return recordFailure(command, lot);
    case 'UndoRefund':
      return undoRefund(command, lot);
    case 'RecordDispute': {
      if (lot.disputes.some(({ disputeId }) => disputeId === command.disputeId)) return accept();
      const { disputeId, amountMicroUsd, feeMicroUsd } = command;
      const { credits, frozen } = unspentOf(lot, account);
      const { userId, lotId, invoiceId } = lot;
      return accept<CreditEvent>({
        type: 'DisputeOpened',
        data: {
          userId,
          lotId,
          invoiceId,
          disputeId,
          amountMicroUsd,
          feeMicroUsd,
          credits: frozen ? 0 : credits,
          ...beyond(lot, amountMicroUsd),
        },
      });
    }
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
  const closedAt = new Date(Date.parse(lot.paidAt) + REFUND_WINDOW_DAYS * DAY_MS);
  if (Date.parse(now) > closedAt.getTime())
    return reject({ code: 'RefundWindowClosed', closedAt: closedAt.toISOString() });
  const unspent = unspentOf(lot, account);
  const taxMicroUsd = taxIn(lot, unspent.valueMicroUsd, lot.valueMicroUsd);
  const netMicroUsd = Math.min(floorCents(unspent.valueMicroUsd), leftOf(lot) - taxMicroUsd);
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
 * Takes unspent credits in proportion to the net amount, rounded down; takes all of them with the last of the money
 * collected.
 */
function recordRefund(
  { refundId, amountMicroUsd }: Extract<InvoiceLotCommand, { type: 'RecordRefund' }>,
  lot: InvoiceLot,
  account: CreditAccount,
): CreditEvent {
  const explained = Math.min(amountMicroUsd, leftOf(lot));
  const taxMicroUsd = taxIn(lot, explained, lot.grossMicroUsd);
  const netMicroUsd = explained - taxMicroUsd;
  const whole = explained > 0 && goneOf(lot) + explained >= lot.collectedMicroUsd;
  const most = lot.valueMicroUsd === 0 ? 0 : floorRatio(lot.credits, netMicroUsd, lot.valueMicroUsd);
  const taken = unspentOf(lot, account, whole ? Infinity : most);
  return refunded(lot, taken, { refundId, netMicroUsd, taxMicroUsd, ...beyond(lot, amountMicroUsd) });
}

function refunded(
  { userId, lotId, invoiceId }: InvoiceLot,
  { credits, segments, frozen }: Unspent,
  refund: {
    refundId: string;
    netMicroUsd: number;
    taxMicroUsd: number;
    unexplained?: Unexplained;
    requested?: { by: string; approvedBy?: string; explanation: string } & Partial<Remark>;
  },
): CreditEvent {
  return {
    type: 'InvoiceRefunded',
    data: { userId, lotId, invoiceId, ...refund, credits, segments, frozen },
  };
}

function closeDispute(
  { disputeId, outcome, shares }: Extract<InvoiceLotCommand, { type: 'RecordDisputeClosed' }>,
  lot: InvoiceLot,
  account: CreditAccount,
): Decision<CreditEvent, InvoiceLotRejection> {
  const dispute = lot.disputes.find((each) => each.disputeId === disputeId);
  if (!dispute) return reject({ code: 'NotFound' });
  if (dispute.status !== 'open') return accept();
  const { userId, lotId } = lot;
  const { amountMicroUsd, unexplained } = dispute;
  const named = { userId, lotId, disputeId, amountMicroUsd, ...(unexplained ? { unexplained } : {}) };
  const { credits, segments, valueMicroUsd } = unspentOf(lot, account);
  if (outcome === 'won') {
    const othersOpen = lot.disputes.some((each) => each !== dispute && each.status === 'open');
    return accept<CreditEvent>({
      type: 'DisputeWon',
      data: { ...named, credits: othersOpen ? 0 : credits },
    });
  }
  const taxMicroUsd = Math.min(taxLeft(lot), Math.max(0, explainedOf(dispute) - valueMicroUsd));
  return accept<CreditEvent>(
    {
      type: 'DisputeLost',
      data: { ...named, taxMicroUsd, credits, segments },
    },
    ...shares.map((share): CreditEvent => ({
      type: 'ShareTakenBack',
      data: { userId, disputeId, ...share },
    })),
  );
}

/**
 * Whether credits spent from the lot can be given back. They cannot while a bank decides about the payment, since a
 * buyer must not get both money and credits, nor after a bank took the payment back or all of it was refunded. A
 * refund that failed counts, because its money is still owed.
 */
export function returnability(lot: InvoiceLot): 'returnable' | 'disputed' | 'gone' {
  const { disputes, refunds, collectedMicroUsd } = lot;
  if (disputes.some(({ status }) => status === 'lost')) return 'gone';
  if (disputes.some(({ status }) => status === 'open')) return 'disputed';
  const owed = sumOf(refunds.filter(({ failed }) => failed).map(amountOf));
  return collectedMicroUsd > 0 && leftOf(lot) <= owed ? 'gone' : 'returnable';
}

/** Folds the events of one lot from its grant on. The caller leaves out the events of other lots. */
export function evolveInvoiceLot(lot: InvoiceLot | undefined, event: CreditEvent): InvoiceLot | undefined {
  if (event.type === 'CreditsGranted') {
    const { userId, lotId, credits, invoice, valueMicroUsd, grantedAt: paidAt } = event.data;
    if (!invoice) return undefined;
    const { invoiceId, grossMicroUsd, taxMicroUsd, unexplained } = invoice;
    const collectedMicroUsd = grossMicroUsd - Math.max(0, unexplained?.amountMicroUsd ?? 0);
    const paid = { userId, lotId, invoiceId, credits, valueMicroUsd, grossMicroUsd, taxMicroUsd, paidAt };
    return { ...paid, collectedMicroUsd, refunds: [], disputes: [], sharesTakenBack: [] };
  }
  if (!lot) return undefined;
  switch (event.type) {
    case 'InvoiceRefunded': {
      const { refundId, netMicroUsd, taxMicroUsd, unexplained } = event.data;
      const refund = { refundId, netMicroUsd, taxMicroUsd, ...(unexplained ? { unexplained } : {}) };
      return { ...lot, refunds: [...lot.refunds, { ...refund, failed: false }] };
    }
    case 'RefundFailed':
      return {
        ...lot,
        refunds: lot.refunds.map((refund) =>
          refund.refundId === event.data.refundId ? { ...refund, failed: true } : refund,
        ),
      };
    // Its id stays, so that the same request refunds nothing later; nothing is owed of it.
    case 'RefundUndone': {
      const { refundId } = event.data;
      const refunds = lot.refunds.map((refund) =>
        refund.refundId === refundId ? { refundId, netMicroUsd: 0, taxMicroUsd: 0, failed: true } : refund,
      );
      return { ...lot, refunds };
    }
    case 'DisputeOpened': {
      const { disputeId, amountMicroUsd, unexplained } = event.data;
      const dispute = { disputeId, amountMicroUsd, ...(unexplained ? { unexplained } : {}) };
      return { ...lot, disputes: [...lot.disputes, { ...dispute, taxMicroUsd: 0, status: 'open' }] };
    }
    case 'DisputeWon':
    case 'DisputeLost': {
      const closed =
        event.type === 'DisputeWon'
          ? ({ status: 'won' } as const)
          : ({ status: 'lost', taxMicroUsd: event.data.taxMicroUsd } as const);
      return {
        ...lot,
        disputes: lot.disputes.map((each) =>
          each.disputeId === event.data.disputeId ? { ...each, ...closed } : each,
        ),
      };
    }
    case 'ShareTakenBack': {
      const { purchaseId, shareMicroUsd } = event.data;
      return { ...lot, sharesTakenBack: [...lot.sharesTakenBack, { purchaseId, shareMicroUsd }] };
    }
    default:
      return lot;
  }
}
