import { accept, assert, reject, unreachable, type Decision } from '../shared/decision.js';
import { MICRO_USD_PER_CENT } from '../shared/micro-usd.js';
import { isOfLot, valueOf, type CreditAccount, type CreditEvent, type LotSegment } from './credit-account.js';

/** So long after the payment an invoice is refunded on request. */
export const REFUND_WINDOW_DAYS = 14;
const DAY_MS = 86_400_000;

/** What a paid invoice line collected and what has gone back of it. Its credits are in the account. */
export interface InvoiceLot {
  userId: string;
  lotId: string;
  invoiceId: string;
  valueMicroUsd: number;
  grossMicroUsd: number;
  taxMicroUsd: number;
  /** ISO 8601. */
  paidAt: string;
  /** A refund that failed still counts: the money is owed. */
  refunds: { refundId: string; netMicroUsd: number; taxMicroUsd: number; failed: boolean }[];
  disputes: {
    disputeId: string;
    amountMicroUsd: number;
    taxMicroUsd: number;
    status: 'open' | 'won' | 'lost';
  }[];
  /** What creators lost of purchases that it had paid for. */
  sharesTakenBack: { purchaseId: string; shareMicroUsd: number }[];
}

/** A share of a purchase that the lot paid for, not yet payable to its creator. */
export interface ShareInHold {
  lotId: string;
  purchaseId: string;
  creatorId: string;
  sampleId: string;
  shareMicroUsd: number;
}

export type InvoiceLotCommand =
  /** An administrator gives back what is unspent. */
  | { type: 'RefundUnspent'; refundId: string; by: string; explanation: string; now: string }
  /** The provider tells of a refund; gross, in whole cents. */
  | { type: 'RecordRefund'; refundId: string; amountMicroUsd: number }
  | { type: 'RecordRefundFailure'; refundId: string; failure: string }
  | { type: 'RecordDispute'; disputeId: string; amountMicroUsd: number; feeMicroUsd: number }
  | { type: 'RecordDisputeClosed'; disputeId: string; outcome: 'won' | 'lost'; shares: ShareInHold[] };

export type InvoiceLotRejection =
  | { code: 'RefundWindowClosed'; closedAt: string }
  | { code: 'NothingToRefund' }
  | { code: 'InvoiceDisputed' }
  /** More than was collected and has not gone back before. */
  | { code: 'RefundTooLarge'; leftMicroUsd: number }
  | { code: 'NotFound' };

/** Decides on one lot of an account. What is known already is accepted and changes nothing. */
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
      const { refundId, amountMicroUsd } = command;
      if (!covers(lot, amountMicroUsd)) return tooLarge(lot);
      const taxMicroUsd = taxIn(lot, amountMicroUsd, lot.grossMicroUsd);
      return accept<CreditEvent>(
        refunded(lot, account, { refundId, netMicroUsd: amountMicroUsd - taxMicroUsd, taxMicroUsd }),
      );
    }
    case 'RecordRefundFailure': {
      const refund = lot.refunds.find(({ refundId }) => refundId === command.refundId);
      if (!refund) return reject({ code: 'NotFound' });
      if (refund.failed) return accept();
      const { userId, lotId, invoiceId } = lot;
      const { refundId, failure } = command;
      const amountMicroUsd = refund.netMicroUsd + refund.taxMicroUsd;
      return accept<CreditEvent>({
        type: 'RefundFailed',
        data: { userId, lotId, invoiceId, refundId, amountMicroUsd, failure },
      });
    }
    case 'RecordDispute': {
      if (lot.disputes.some(({ disputeId }) => disputeId === command.disputeId)) return accept();
      const { disputeId, amountMicroUsd, feeMicroUsd } = command;
      if (!covers(lot, amountMicroUsd)) return tooLarge(lot);
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
  { refundId, by, explanation, now }: Extract<InvoiceLotCommand, { type: 'RefundUnspent' }>,
  lot: InvoiceLot,
  account: CreditAccount,
): Decision<CreditEvent, InvoiceLotRejection> {
  if (lot.refunds.some((refund) => refund.refundId === refundId)) return accept();
  if (lot.disputes.some(({ status }) => status === 'open')) return reject({ code: 'InvoiceDisputed' });
  const closedAt = new Date(Date.parse(lot.paidAt) + REFUND_WINDOW_DAYS * DAY_MS);
  if (Date.parse(now) > closedAt.getTime())
    return reject({ code: 'RefundWindowClosed', closedAt: closedAt.toISOString() });
  const { valueMicroUsd } = unspentOf(lot, account);
  const taxMicroUsd = taxIn(lot, valueMicroUsd, lot.valueMicroUsd);
  const netMicroUsd = Math.min(floorCents(valueMicroUsd), leftOf(lot) - taxMicroUsd);
  if (netMicroUsd <= 0) return reject({ code: 'NothingToRefund' });
  return accept<CreditEvent>(
    refunded(lot, account, { refundId, netMicroUsd, taxMicroUsd, requested: { by, explanation } }),
  );
}

function refunded(
  lot: InvoiceLot,
  account: CreditAccount,
  refund: {
    refundId: string;
    netMicroUsd: number;
    taxMicroUsd: number;
    requested?: { by: string; explanation: string };
  },
): CreditEvent {
  const { userId, lotId, invoiceId } = lot;
  const { credits, segments, frozen } = unspentOf(lot, account);
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
  const { amountMicroUsd } = dispute;
  const { credits, segments, valueMicroUsd } = unspentOf(lot, account);
  if (outcome === 'won') {
    const othersOpen = lot.disputes.some((each) => each !== dispute && each.status === 'open');
    return accept<CreditEvent>({
      type: 'DisputeWon',
      data: { userId, lotId, disputeId, amountMicroUsd, credits: othersOpen ? 0 : credits },
    });
  }
  const taxMicroUsd = Math.min(taxLeft(lot), Math.max(0, amountMicroUsd - valueMicroUsd));
  return accept<CreditEvent>(
    {
      type: 'DisputeLost',
      data: { userId, lotId, disputeId, amountMicroUsd, taxMicroUsd, credits, segments },
    },
    ...shares.map((share): CreditEvent => ({
      type: 'ShareTakenBack',
      data: { userId, disputeId, ...share },
    })),
  );
}

/**
 * Whether credits spent from it can be given back. Not while a bank decides about the payment, since who gets the
 * money back must not keep the credits; and never once a bank took it back, or all of it went back otherwise.
 */
export function returnability({ grossMicroUsd, ...lot }: InvoiceLot): 'returnable' | 'disputed' | 'gone' {
  if (lot.disputes.some(({ status }) => status === 'lost')) return 'gone';
  if (lot.disputes.some(({ status }) => status === 'open')) return 'disputed';
  return grossMicroUsd > 0 && leftOf({ grossMicroUsd, ...lot }) === 0 ? 'gone' : 'returnable';
}

/** Folds the events of one lot, from its grant on; other lots' events must not come here. */
export function evolveInvoiceLot(lot: InvoiceLot | undefined, event: CreditEvent): InvoiceLot | undefined {
  if (event.type === 'CreditsGranted') {
    const { userId, lotId, invoice, valueMicroUsd, grantedAt: paidAt } = event.data;
    if (!invoice) return undefined;
    const { invoiceId, grossMicroUsd, taxMicroUsd } = invoice;
    const collected = { userId, lotId, invoiceId, valueMicroUsd, grossMicroUsd, taxMicroUsd, paidAt };
    return { ...collected, refunds: [], disputes: [], sharesTakenBack: [] };
  }
  if (!lot) return undefined;
  switch (event.type) {
    case 'InvoiceRefunded': {
      const { refundId, netMicroUsd, taxMicroUsd } = event.data;
      return { ...lot, refunds: [...lot.refunds, { refundId, netMicroUsd, taxMicroUsd, failed: false }] };
    }
    case 'RefundFailed':
      return {
        ...lot,
        refunds: lot.refunds.map((refund) =>
          refund.refundId === event.data.refundId ? { ...refund, failed: true } : refund,
        ),
      };
    case 'DisputeOpened': {
      const { disputeId, amountMicroUsd } = event.data;
      return {
        ...lot,
        disputes: [...lot.disputes, { disputeId, amountMicroUsd, taxMicroUsd: 0, status: 'open' }],
      };
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

/** What was collected and has neither gone back nor is disputed, in whole cents. */
export function leftOf({ grossMicroUsd, refunds, disputes }: InvoiceLot): number {
  const back = refunds.reduce((sum, refund) => sum + refund.netMicroUsd + refund.taxMicroUsd, 0);
  const held = disputes.reduce((sum, each) => sum + (each.status === 'won' ? 0 : each.amountMicroUsd), 0);
  const left = grossMicroUsd - back - held;
  assert(left >= 0, 'no more goes back than was collected');
  return left;
}

const covers = (lot: InvoiceLot, amountMicroUsd: number): boolean =>
  amountMicroUsd > 0 && amountMicroUsd <= leftOf(lot);

const tooLarge = (lot: InvoiceLot): Decision<never, InvoiceLotRejection> =>
  reject({ code: 'RefundTooLarge', leftMicroUsd: leftOf(lot) });

const taxLeft = ({ taxMicroUsd, refunds, disputes }: InvoiceLot): number =>
  taxMicroUsd - [...refunds, ...disputes].reduce((sum, each) => sum + each.taxMicroUsd, 0);

/** The tax that goes with a part of a whole, rounded down to a cent. */
const taxIn = (lot: InvoiceLot, part: number, whole: number): number =>
  whole === 0
    ? 0
    : Math.min(taxLeft(lot), floorCents(Number((BigInt(lot.taxMicroUsd) * BigInt(part)) / BigInt(whole))));

const floorCents = (microUsd: number): number => microUsd - (microUsd % MICRO_USD_PER_CENT);

/** What the account still has of this lot, and of what was returned from it. */
function unspentOf(
  { lotId }: InvoiceLot,
  account: CreditAccount,
): { credits: number; valueMicroUsd: number; segments: LotSegment[]; frozen: boolean } {
  const open = account.lots.filter((each) => isOfLot(each, lotId));
  const segments = open.map((each) => {
    const credits = each.credits - each.spentCredits;
    return { lotId: each.lotId, credits, valueMicroUsd: valueOf(each, credits) };
  });
  return {
    segments,
    credits: segments.reduce((sum, { credits }) => sum + credits, 0),
    valueMicroUsd: segments.reduce((sum, { valueMicroUsd }) => sum + valueMicroUsd, 0),
    frozen: open.some(({ disputedBy }) => disputedBy !== undefined),
  };
}
