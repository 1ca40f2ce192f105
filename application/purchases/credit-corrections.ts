import { creditAccountDecider, type CreditCommand } from '../../domain/credits/credit-account.js';
import { invoiceDecider } from '../../domain/credits/invoice.js';
import { returnability, type InvoiceLotCommand } from '../../domain/credits/invoice-lot.js';
import { purchaseDecider, type PaidPurchase, type ReturnReason } from '../../domain/purchases/purchase.js';
import type { EventMetadata } from '../shared/event-store.js';
import {
  accountOf,
  applyCredits,
  purchaseOf,
  recordCredits,
  type BatchAnswer,
  type BatchDecision,
  type DecisionContext,
} from './decision-context.js';

/** Unspent credits go. The adjustment's id is the fact's own id: it takes once. */
export interface RevokeCredits {
  type: 'RevokeCredits';
  revocation: Extract<CreditCommand, { type: 'RevokeCredits' }>;
  metadata: EventMetadata;
}

/** One lot that a purchase drew on: what it gave, and under which id that goes back. */
export interface ReturnedLot extends Pick<
  Extract<CreditCommand, { type: 'GrantCredits' }>,
  'lotId' | 'kind' | 'credits' | 'valueMicroUsd' | 'grantedAt'
> {
  /** The lot it was taken from. */
  takenFrom: string;
  /** The lot behind that which was paid for; the same, unless that was returned itself. */
  paidLotId: string;
}

/** What was paid for a sample goes back to its buyer, lot by lot, and the share back from its creator. */
export interface ReturnPurchase {
  type: 'ReturnPurchase';
  purchase: PaidPurchase;
  reason: ReturnReason;
  explanation: string;
  /** What the purchase took, as the lots it came from had it. */
  lots: ReturnedLot[];
  metadata: EventMetadata;
}

/** A refund or a dispute about the invoice behind some lots, one a line. */
export interface CorrectInvoice {
  type: 'CorrectInvoice';
  userId: string;
  lotIds: string[];
  correction: InvoiceLotCommand;
  metadata: EventMetadata;
}

export function correctInvoice(
  { userId, lotIds, correction, metadata }: CorrectInvoice,
  context: DecisionContext,
  decision: BatchDecision,
): BatchAnswer {
  const before = { account: accountOf(context, userId).state, lots: context.invoiceLots };
  const decided = invoiceDecider.decide({ lotIds, correction }, before);
  if (!decided.accepted) return { type: 'invoice', outcome: decided };
  recordCredits(context, decision, userId, decided.events, metadata);
  for (const [lotId, lot] of decided.events.reduce(invoiceDecider.evolve, before).lots)
    context.invoiceLots.set(lotId, lot);
  const balance = accountOf(context, userId).state.balanceCredits;
  return { type: 'invoice', outcome: { accepted: true, events: decided.events, balance } };
}

export function revoke(
  { revocation, metadata }: RevokeCredits,
  context: DecisionContext,
  decision: BatchDecision,
): BatchAnswer {
  const { userId, adjustment } = revocation;
  const account = accountOf(context, userId);
  if (context.revocations.has(adjustment.adjustmentId)) {
    const { balanceCredits: balance } = account.state;
    return { type: 'revocation', outcome: { accepted: true, changed: false, balance } };
  }
  const decided = creditAccountDecider.decide(revocation, account.state);
  if (!decided.accepted) return { type: 'revocation', outcome: decided };
  applyCredits(context, decision, userId, revocation, metadata);
  context.revocations.add(adjustment.adjustmentId);
  const { balanceCredits: balance } = account.state;
  return { type: 'revocation', outcome: { accepted: true, changed: true, balance } };
}

export function returnPurchase(
  { purchase, reason, explanation, lots, metadata }: ReturnPurchase,
  context: DecisionContext,
  decision: BatchDecision,
): BatchAnswer {
  const { buyerId, sampleId, purchaseId } = purchase;
  const held = purchaseOf(context, buyerId, sampleId);
  const standing = (lot: ReturnedLot) => {
    const paid = context.invoiceLots.get(lot.paidLotId);
    return paid ? returnability(paid) : 'returnable';
  };
  const gone = lots.filter((lot) => standing(lot) === 'gone');
  // What the creator lost of this sale to a bank's verdict is not taken a second time.
  const taken = new Set(lots.map(({ paidLotId }) => context.invoiceLots.get(paidLotId)));
  const takenBack = [...taken]
    .flatMap((lot) => lot?.sharesTakenBack ?? [])
    .filter((share) => share.purchaseId === purchaseId)
    .reduce((sum, { shareMicroUsd }) => sum + shareMicroUsd, 0);
  const decided = purchaseDecider.decide(
    {
      type: 'ReturnPurchase',
      purchase: { ...purchase, shareMicroUsd: purchase.shareMicroUsd - takenBack },
      reason,
      explanation,
      disputed: lots.some((lot) => standing(lot) === 'disputed'),
      withheld: gone.map(({ takenFrom: lotId, credits, valueMicroUsd }) => ({
        lotId,
        credits,
        valueMicroUsd,
      })),
    },
    held.state,
  );
  if (!decided.accepted) return { type: 'return', outcome: decided };
  let returned = 0;
  for (const event of decided.events) {
    held.version += 1;
    held.state = purchaseDecider.evolve(held.state, event);
    const stream = purchaseDecider.streamOf({ buyerId, sampleId });
    decision.events.push({ ...event, stream, version: held.version, metadata });
    for (const { takenFrom: _, paidLotId, ...lot } of lots.filter((each) => !gone.includes(each))) {
      const grant = {
        type: 'GrantCredits',
        userId: buyerId,
        reason: 'refund',
        returned: { purchaseId, lotId: paidLotId },
        ...lot,
      } as const;
      applyCredits(context, decision, buyerId, grant, metadata);
      returned += lot.credits;
    }
  }
  const balance = accountOf(context, buyerId).state.balanceCredits;
  return {
    type: 'return',
    outcome: { accepted: true, changed: decided.events.length > 0, returned, balance },
  };
}
