import { accept, assert, reject, unreachable, type Decision } from '../shared/decision.js';
import { creditLotOf, type CreditEvent, type CreditLot, type Grant } from './credit-account.js';
import { sumOf } from '../shared/micro-usd.js';
import type { InvoiceLot } from './lot-payment.js';

type Answer = Decision<CreditEvent, { code: 'NotFound' }>;
type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

type Refund = InvoiceLot['refunds'][number];

/** The provider refused a refund that we had recorded. */
interface UndoRefund {
  type: 'UndoRefund';
  refundId: string;
  refund: DataOf<'InvoiceRefunded'>;
  refusal: string;
  /** The grants of all lots that the refund took credits from. May include other grants. */
  grants: readonly Grant[];
}

/** What the provider reports about a recorded refund. */
export type RefundReport =
  | { type: 'RecordRefundFailure'; refundId: string; failure: string }
  | { type: 'RecordRefundPending'; refundId: string; reason: string }
  | { type: 'RecordRefundSent'; refundId: string }
  | UndoRefund;

export function followRefund(report: RefundReport, lot: InvoiceLot): Answer {
  const refund = lot.refunds.find(({ refundId }) => refundId === report.refundId);
  if (!refund) return reject({ code: 'NotFound' });
  if (refund.failed) return accept();
  switch (report.type) {
    case 'RecordRefundFailure':
      return accept(...failed(refund, lot, report.failure));
    case 'RecordRefundPending': {
      if (refund.pending) return accept();
      const data = { ...movedBy(refund, lot), ...owedOf(refund), reason: report.reason };
      return accept({ type: 'RefundPending', data });
    }
    case 'RecordRefundSent':
      return refund.pending === 'now' ? accept(noLongerPending(refund, lot)) : accept();
    case 'UndoRefund':
      return accept(...undone(report, refund, lot));
    default:
      return unreachable(report);
  }
}

/** Records that the refund failed: we have the money again and still owe it to the customer. */
const failed = (refund: Refund, lot: InvoiceLot, failure: string): CreditEvent[] => [
  ...(refund.pending === 'now' ? [noLongerPending(refund, lot)] : []),
  { type: 'RefundFailed', data: { ...movedBy(refund, lot), ...owedOf(refund), failure } },
];

/** Reverses the event that recorded the refund as pending, with the same amounts. */
const noLongerPending = (refund: Refund, lot: InvoiceLot): CreditEvent => ({
  type: 'RefundNoLongerPending',
  data: { ...movedBy(refund, lot), ...(refund.owed && owedOf(refund)) },
});

const owedOf = ({ unexplained }: Refund) => ({ owed: true as const, ...(unexplained && { unexplained }) });

function movedBy(refund: Refund, { userId, lotId, invoiceId }: InvoiceLot) {
  const { refundId, netMicroUsd, taxMicroUsd, unexplained } = refund;
  const amountMicroUsd = netMicroUsd + taxMicroUsd + (unexplained?.amountMicroUsd ?? 0);
  return { userId, lotId, invoiceId, refundId, amountMicroUsd };
}

/**
 * Undoes a refund that the provider refused before money moved. The credits return, frozen while a bank decides about
 * the payment. In two cases the refund is recorded as failed instead, for a person to review:
 * - the bank took the payment back
 * - another refund or dispute exceeded the payment, and its recorded excess depends on this refund
 */
function undone({ refund, refusal, grants }: UndoRefund, known: Refund, lot: InvoiceLot): CreditEvent[] {
  const { refundId, segments, requested: _, ...taken } = refund;
  const others = [...lot.refunds.filter((each) => each !== known), ...lot.disputes];
  const counted =
    others.some(({ unexplained }) => unexplained) || lot.disputes.some(({ status }) => status === 'lost');
  if (counted) return failed(known, lot, refusal);
  const disputedBy = lot.disputes.flatMap(({ status, disputeId }) => (status === 'open' ? [disputeId] : []));
  const frozen = disputedBy.length > 0;
  const lots = segments.map((segment): CreditLot => {
    const grant = grants.find(({ lotId }) => lotId === segment.lotId);
    assert(grant !== undefined, 'what a refund took was granted');
    const spentCredits = grant.credits - segment.credits;
    return { ...creditLotOf(grant), spentCredits, ...(frozen ? { disputedBy } : {}) };
  });
  assert(sumOf(segments.map(({ credits }) => credits)) === taken.credits, 'a refund took what its lots gave');
  return [{ type: 'RefundUndone', data: { ...taken, refundId, segments, frozen, lots, refusal } }];
}
