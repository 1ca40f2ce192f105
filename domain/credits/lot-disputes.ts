import { accept, reject, type Decision } from '../shared/decision.js';
import type { CreditAccount, CreditEvent, CreditLot } from './credit-account.js';
import { isGiftAccount } from './gift.js';
import {
  beyond,
  explainedOf,
  isOver,
  keptOf,
  placeOf,
  taxLeft,
  unspentOf,
  type InvoiceLot,
} from './lot-payment.js';

type Answer = Decision<CreditEvent, { code: 'NotFound' }>;
type Dispute = InvoiceLot['disputes'][number];

const AFTER_VERDICT = 'moved after the bank had decided about the dispute';

/** A creator's share, still in hold, of a purchase that was paid with the lot. */
export interface ShareInHold {
  lotId: string;
  purchaseId: string;
  creatorId: string;
  sampleId: string;
  shareMicroUsd: number;
}

/** Money that moved after the dispute was opened. A positive amount was taken from us. */
export interface DisputeAdjustment {
  disputeId: string;
  transactionId: string;
  deltaMicroUsd: number;
  feeDeltaMicroUsd: number;
}

export interface CloseDispute {
  type: 'RecordDisputeClosed';
  disputeId: string;
  outcome: 'won' | 'lost';
  shares: ShareInHold[];
}

export function openDispute(
  dispute: { disputeId: string; amountMicroUsd: number; feeMicroUsd: number },
  lot: InvoiceLot,
  account: CreditAccount,
): Answer {
  const { disputeId, amountMicroUsd, feeMicroUsd } = dispute;
  if (lot.disputes.some((each) => each.disputeId === disputeId)) return accept();
  const { credits, frozen } = unspentOf(lot, account);
  const { userId, lotId, invoiceId } = lot;
  const amounts = { amountMicroUsd, feeMicroUsd, credits: frozen ? 0 : credits };
  const data = { userId, lotId, invoiceId, disputeId, ...amounts, ...beyond(lot, amountMicroUsd) };
  return accept({ type: 'DisputeOpened', data });
}

/** Money that moves after the bank's decision goes to the suspense account, because the dispute is closed. */
export function adjustDispute(
  { disputeId, transactionId, deltaMicroUsd, feeDeltaMicroUsd }: DisputeAdjustment,
  lot: InvoiceLot,
): Answer {
  const dispute = lot.disputes.find((each) => each.disputeId === disputeId);
  if (!dispute) return reject({ code: 'NotFound' });
  if (dispute.adjustments.includes(transactionId)) return accept();
  const unexplained =
    dispute.status === 'open'
      ? beyond(lot, deltaMicroUsd)
      : { unexplained: { amountMicroUsd: deltaMicroUsd, reason: AFTER_VERDICT } };
  const { userId, lotId } = lot;
  return accept<CreditEvent>({
    type: 'DisputeAdjusted',
    data: { userId, lotId, disputeId, transactionId, deltaMicroUsd, feeDeltaMicroUsd, ...unexplained },
  });
}

export function closeDispute(
  { disputeId, outcome, shares }: CloseDispute,
  lot: InvoiceLot,
  account: CreditAccount,
): Answer {
  const dispute = lot.disputes.find((each) => each.disputeId === disputeId);
  if (!dispute) return reject({ code: 'NotFound' });
  const { userId, lotId } = lot;
  const { amountMicroUsd, unexplained } = dispute;
  const named = { userId, lotId, disputeId, amountMicroUsd, ...(unexplained ? { unexplained } : {}) };
  // A won appeal. If the money came back before this report, the suspense account already has it.
  if (dispute.status === 'lost' && outcome === 'won' && !dispute.recovered && amountMicroUsd > 0) {
    const data = { ...named, taxMicroUsd: dispute.taxMicroUsd, ...placeOf(lot), ...restored(dispute, lot) };
    return accept<CreditEvent>({ type: 'LostDisputeWon', data });
  }
  if (dispute.status !== 'open') return accept();
  const { credits, segments, valueMicroUsd } = unspentOf(lot, account);
  if (outcome === 'won') {
    const othersOpen = lot.disputes.some((each) => each !== dispute && each.status === 'open');
    return accept({ type: 'DisputeWon', data: { ...named, credits: othersOpen ? 0 : credits } });
  }
  const taxMicroUsd = Math.min(taxLeft(lot), Math.max(0, explainedOf(dispute) - valueMicroUsd));
  const takenBack = shares.map((share): CreditEvent => ({
    type: 'ShareTakenBack',
    data: { userId, disputeId, ...share },
  }));
  const data = { ...named, taxMicroUsd, ...placeOf(lot), credits, segments };
  return accept({ type: 'DisputeLost', data }, ...takenBack);
}

/** Returns the lot of an unredeemed gift as it was before the bank's decision, if the payment covers it again. */
function restored(dispute: Dispute, lot: InvoiceLot) {
  const { taken, disputeId } = dispute;
  const others = lot.disputes.filter((each) => each !== dispute);
  if (!taken || !isGiftAccount(lot.userId) || !others.every(isOver)) return {};
  const after = withDispute(lot, disputeId, (each) => ({ ...each, recovered: true }));
  if (keptOf(after) < taken.valueMicroUsd) return {};
  const { lotId, credits, valueMicroUsd, paidAt: grantedAt } = lot;
  const spentCredits = credits - taken.credits;
  const before: CreditLot = { lotId, kind: 'paid', credits, spentCredits, valueMicroUsd, grantedAt };
  return { credits: taken.credits, segments: [taken], lots: [before] };
}

export function evolveDisputes(
  lot: InvoiceLot,
  event: Extract<
    CreditEvent,
    { type: 'DisputeOpened' | 'DisputeAdjusted' | 'DisputeWon' | 'DisputeLost' | 'LostDisputeWon' }
  >,
): InvoiceLot {
  switch (event.type) {
    case 'DisputeOpened': {
      const { disputeId, amountMicroUsd, unexplained } = event.data;
      const dispute = { disputeId, amountMicroUsd, unexplained, taxMicroUsd: 0, adjustments: [] };
      return { ...lot, disputes: [...lot.disputes, { ...dispute, status: 'open' }] };
    }
    case 'DisputeAdjusted':
      return withDispute(lot, event.data.disputeId, (dispute) => adjusted(dispute, event.data));
    case 'LostDisputeWon':
      return withDispute(lot, event.data.disputeId, ({ taxMicroUsd, ...dispute }) => ({
        ...dispute,
        taxMicroUsd: taxMicroUsd - (event.data.taxMicroUsd ?? 0),
        recovered: true,
      }));
    case 'DisputeWon':
    case 'DisputeLost': {
      const closed =
        event.type === 'DisputeWon'
          ? ({ status: 'won' } as const)
          : ({ status: 'lost', taxMicroUsd: event.data.taxMicroUsd, ...takenBy(event.data) } as const);
      return withDispute(lot, event.data.disputeId, (dispute) => ({ ...dispute, ...closed }));
    }
  }
}

function takenBy({ lotId, segments }: Extract<CreditEvent, { type: 'DisputeLost' }>['data']) {
  const taken = segments.find((segment) => segment.lotId === lotId);
  return taken && { taken };
}

function withDispute(lot: InvoiceLot, disputeId: string, change: (dispute: Dispute) => Dispute): InvoiceLot {
  const disputes = lot.disputes.map((each) => (each.disputeId === disputeId ? change(each) : each));
  return { ...lot, disputes };
}

function adjusted(
  { unexplained: before, ...dispute }: Dispute,
  { transactionId, deltaMicroUsd, unexplained }: Extract<CreditEvent, { type: 'DisputeAdjusted' }>['data'],
): Dispute {
  const more = (before?.amountMicroUsd ?? 0) + (unexplained?.amountMicroUsd ?? 0);
  const reason = before?.reason ?? unexplained?.reason ?? '';
  return {
    ...dispute,
    amountMicroUsd: dispute.amountMicroUsd + deltaMicroUsd,
    ...(more === 0 ? {} : { unexplained: { amountMicroUsd: more, reason } }),
    adjustments: [...dispute.adjustments, transactionId],
  };
}
