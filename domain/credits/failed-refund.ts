import { accept, assert, reject, type Decision } from '../shared/decision.js';
import { creditLotOf, type CreditEvent, type CreditLot } from './credit-account.js';
import { sumOf, type InvoiceLot } from './lot-payment.js';

type Answer = Decision<CreditEvent, { code: 'NotFound' }>;
type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

type Refund = InvoiceLot['refunds'][number];

/** The provider refused a refund that we had recorded. */
export interface UndoRefund {
  type: 'UndoRefund';
  refundId: string;
  refund: DataOf<'InvoiceRefunded'>;
  refusal: string;
  /** The grants of the lots that it took from, or of all lots. */
  grants: readonly DataOf<'CreditsGranted'>[];
}

/** Records that the money came back to us. We still owe it. */
export function recordFailure(
  { refundId, failure }: { refundId: string; failure: string },
  lot: InvoiceLot,
): Answer {
  const refund = lot.refunds.find((each) => each.refundId === refundId);
  if (!refund) return reject({ code: 'NotFound' });
  if (refund.failed) return accept();
  return accept<CreditEvent>(...(refund.pending === 'now' ? [noLongerPending(refund, lot)] : []), {
    type: 'RefundFailed',
    data: { ...movedBy(refund, lot), ...owedOf(refund), failure },
  });
}

/** Records that the provider accepted the refund but has not sent it. */
export function recordPending(
  { refundId, reason }: { refundId: string; reason: string },
  lot: InvoiceLot,
): Answer {
  const refund = lot.refunds.find((each) => each.refundId === refundId);
  if (!refund) return reject({ code: 'NotFound' });
  if (refund.failed || refund.pending) return accept();
  return accept<CreditEvent>({
    type: 'RefundPending',
    data: { ...movedBy(refund, lot), ...owedOf(refund), reason },
  });
}

export function recordSent({ refundId }: { refundId: string }, lot: InvoiceLot): Answer {
  const refund = lot.refunds.find((each) => each.refundId === refundId);
  if (refund?.pending !== 'now') return accept();
  return accept<CreditEvent>(noLongerPending(refund, lot));
}

/** Mirrors the event that recorded the refund as pending. */
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
 * the payment. In two cases the refund counts as failed instead, so that a person looks at it:
 * - the bank took the payment back
 * - another refund or dispute exceeded the payment, and its recorded excess depends on this refund
 */
export function undoRefund({ refund, refusal, grants }: UndoRefund, lot: InvoiceLot): Answer {
  const { refundId, segments, requested: _, ...taken } = refund;
  const others = [...lot.refunds.filter((each) => each.refundId !== refundId), ...lot.disputes];
  const counted =
    others.some(({ unexplained }) => unexplained) || lot.disputes.some(({ status }) => status === 'lost');
  if (counted) return recordFailure({ refundId, failure: refusal }, lot);
  const known = lot.refunds.find((each) => each.refundId === refundId);
  if (!known) return reject({ code: 'NotFound' });
  if (known.failed) return accept();
  const disputedBy = lot.disputes.flatMap(({ status, disputeId }) => (status === 'open' ? [disputeId] : []));
  const frozen = disputedBy.length > 0;
  const lots = segments.map((segment): CreditLot => {
    const grant = grants.find(({ lotId }) => lotId === segment.lotId);
    assert(grant !== undefined, 'what a refund took was granted');
    const spentCredits = grant.credits - segment.credits;
    return { ...creditLotOf(grant), spentCredits, ...(frozen ? { disputedBy } : {}) };
  });
  assert(sumOf(segments.map(({ credits }) => credits)) === taken.credits, 'a refund took what its lots gave');
  return accept<CreditEvent>({
    type: 'RefundUndone',
    data: { ...taken, refundId, segments, frozen, lots, refusal },
  });
}
