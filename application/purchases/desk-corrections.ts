import * as Credits from '../../domain/credits/credit-account.js';
import { decideInvoice } from '../../domain/credits/invoice.js';
import {
  evolveInvoiceLot,
  returnability,
  type InvoiceLot,
  type InvoiceLotCommand,
} from '../../domain/credits/invoice-lot.js';
import * as Purchases from '../../domain/purchases/purchase.js';
import type { EventMetadata } from '../ports/event-store.js';
import {
  accountOf,
  applyCredits,
  purchaseOf,
  purchaseStream,
  recordCredits,
  type DeskAnswer,
  type DeskDecision,
  type Situation,
} from './desk-situation.js';

/** Unspent credits go. The adjustment's id is the fact's own id: it takes once. */
export interface RevokeCredits {
  type: 'RevokeCredits';
  revocation: Extract<Credits.CreditCommand, { type: 'RevokeCredits' }>;
  metadata: EventMetadata;
}

/** One lot that a purchase drew on: what it gave, and under which id that goes back. */
export interface ReturnedLot extends Pick<
  Extract<Credits.CreditCommand, { type: 'GrantCredits' }>,
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
  purchase: Purchases.PaidPurchase;
  reason: Purchases.ReturnReason;
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
  situation: Situation,
  decision: DeskDecision,
): DeskAnswer {
  const lots = lotIds.flatMap((lotId) => situation.invoiceLots.get(lotId) ?? []);
  if (lots.length === 0)
    return { type: 'invoice', outcome: { accepted: false, rejection: { code: 'NotFound' } } };
  const decided = decideInvoice(correction, lots, accountOf(situation, userId).state);
  if (!decided.accepted) return { type: 'invoice', outcome: decided };
  recordCredits(situation, decision, userId, decided.events, metadata);
  for (const lot of lots) {
    const own = decided.events.filter(({ data }) => 'lotId' in data && data.lotId === lot.lotId);
    const after = own.reduce<InvoiceLot | undefined>(evolveInvoiceLot, lot);
    if (after) situation.invoiceLots.set(lot.lotId, after);
  }
  const balance = accountOf(situation, userId).state.balanceCredits;
  return { type: 'invoice', outcome: { accepted: true, events: decided.events, balance } };
}

export function revoke(
  { revocation, metadata }: RevokeCredits,
  situation: Situation,
  decision: DeskDecision,
): DeskAnswer {
  const { userId, adjustment } = revocation;
  const account = accountOf(situation, userId);
  if (situation.revocations.has(adjustment.adjustmentId)) {
    const { balanceCredits: balance } = account.state;
    return { type: 'revocation', outcome: { accepted: true, changed: false, balance } };
  }
  const decided = Credits.decide(revocation, account.state);
  if (!decided.accepted) return { type: 'revocation', outcome: decided };
  applyCredits(situation, decision, userId, revocation, metadata);
  situation.revocations.add(adjustment.adjustmentId);
  const { balanceCredits: balance } = account.state;
  return { type: 'revocation', outcome: { accepted: true, changed: true, balance } };
}

export function returnPurchase(
  { purchase, reason, explanation, lots, metadata }: ReturnPurchase,
  situation: Situation,
  decision: DeskDecision,
): DeskAnswer {
  const { buyerId, sampleId, purchaseId } = purchase;
  const held = purchaseOf(situation, buyerId, sampleId);
  const standing = (lot: ReturnedLot) => {
    const paid = situation.invoiceLots.get(lot.paidLotId);
    return paid ? returnability(paid) : 'returnable';
  };
  const gone = lots.filter((lot) => standing(lot) === 'gone');
  // What the creator lost of this sale to a bank's verdict is not taken a second time.
  const taken = new Set(lots.map(({ paidLotId }) => situation.invoiceLots.get(paidLotId)));
  const takenBack = [...taken]
    .flatMap((lot) => lot?.sharesTakenBack ?? [])
    .filter((share) => share.purchaseId === purchaseId)
    .reduce((sum, { shareMicroUsd }) => sum + shareMicroUsd, 0);
  const decided = Purchases.decide(
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
    held.state = Purchases.evolve(held.state, event);
    const stream = purchaseStream(buyerId, sampleId);
    decision.events.push({ ...event, stream, version: held.version, metadata });
    for (const { takenFrom: _, paidLotId, ...lot } of lots.filter((each) => !gone.includes(each))) {
      const grant = {
        type: 'GrantCredits',
        userId: buyerId,
        reason: 'refund',
        returned: { purchaseId, lotId: paidLotId },
        ...lot,
      } as const;
      applyCredits(situation, decision, buyerId, grant, metadata);
      returned += lot.credits;
    }
  }
  const balance = accountOf(situation, buyerId).state.balanceCredits;
  return {
    type: 'return',
    outcome: { accepted: true, changed: decided.events.length > 0, returned, balance },
  };
}
