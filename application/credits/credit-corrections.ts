import {
  creditAccountDecider,
  type CreditCommand,
  type CreditEvent,
  type CreditRejection,
} from '../../domain/credits/credit-account.js';
import { invoiceDecider } from '../../domain/credits/invoice.js';
import {
  evolveInvoiceLot,
  leftToMakeGood,
  returnability,
  returnableOf,
  type InvoiceLotCommand,
  type InvoiceLotRejection,
} from '../../domain/credits/invoice-lot.js';
import {
  purchaseDecider,
  type PaidPurchase,
  type PurchaseRejection,
  type ReturnReason,
} from '../../domain/purchases/purchase.js';
import type { Remark } from '../../domain/shared/remark.js';
import type { EventMetadata } from '../shared/event-store.js';
import type { CreditBatch } from './credit-batch.js';

/** Credits arrive. The lot's id is the fact's own id: it arrives once. */
export interface ReceiveCredits {
  type: 'ReceiveCredits';
  grant: Extract<CreditCommand, { type: 'GrantCredits' }>;
  metadata: EventMetadata;
}

/** `granted: false`: this lot had arrived before, or more was to be made good than is left. */
export interface GrantOutcome {
  granted: boolean;
  balance: number;
  rejection?: MadeGoodAlready;
}

interface MadeGoodAlready {
  code: 'MadeGoodAlready';
  mostMicroUsd: number;
}

/** Unspent credits go. The adjustment's id is the fact's own id: it takes once. */
export interface RevokeCredits {
  type: 'RevokeCredits';
  revocation: Extract<CreditCommand, { type: 'RevokeCredits' }>;
  metadata: EventMetadata;
}

/** `changed: false`: this adjustment was applied before. */
export type AdjustmentOutcome =
  | { accepted: true; changed: boolean; balance: number }
  | { accepted: false; balance: number; rejection: CreditRejection | MadeGoodAlready };

/** One lot that a purchase drew on: what it gave, and under which id that goes back. */
export interface ReturnedLot extends Pick<
  Extract<CreditCommand, { type: 'GrantCredits' }>,
  'lotId' | 'kind' | 'credits' | 'valueMicroUsd' | 'grantedAt'
> {
  /** The lot it was taken from. */
  takenFrom: string;
  /** The lot behind that which was paid for; the same, unless that was returned itself or makes another one good. */
  paidLotId: string;
}

/** Returns the price of a sample to its buyer, lot by lot, and takes the share back from its creator. */
export interface ReturnPurchase {
  type: 'ReturnPurchase';
  purchase: PaidPurchase;
  reason: ReturnReason;
  explanation: string;
  remark?: Remark | undefined;
  /** The spend of the purchase, in the lots that paid for it. */
  lots: ReturnedLot[];
  metadata: EventMetadata;
}

/** `changed: false`: this purchase was undone before. */
export type ReturnOutcome =
  | { accepted: true; changed: boolean; returned: number; balance: number }
  | { accepted: false; rejection: PurchaseRejection };

/** A refund or a dispute about the invoice behind some lots, one a line. */
export interface CorrectInvoice {
  type: 'CorrectInvoice';
  userId: string;
  lotIds: string[];
  correction: InvoiceLotCommand;
  /** When the provider says that it happened. */
  at?: string;
  metadata: EventMetadata;
}

/** No events: it was known before. */
export type InvoiceOutcome =
  | { accepted: true; events: CreditEvent[]; balance: number }
  | { accepted: false; rejection: InvoiceLotRejection };

export function receive({ grant, metadata }: ReceiveCredits, batch: CreditBatch): GrantOutcome {
  const { userId, lotId } = grant;
  const { grantedLots, invoiceLots } = batch.facts;
  if (grantedLots.has(lotId)) return { granted: false, balance: batch.balanceOf(userId) };
  const paid = invoiceLots.get(grant.adjustment?.paidLotId ?? '');
  // The payment may have gone back since the adjustment was asked for.
  const mostMicroUsd = paid ? leftToMakeGood(paid, batch.accountOf(userId).state) : 0;
  if (grant.adjustment && grant.valueMicroUsd > mostMicroUsd) {
    const rejection = { code: 'MadeGoodAlready', mostMicroUsd } as const;
    return { granted: false, balance: batch.balanceOf(userId), rejection };
  }
  grantedLots.add(lotId);
  const event = batch.decideCredits(grant, metadata);
  const after = paid && event && evolveInvoiceLot(paid, event);
  if (after) invoiceLots.set(after.lotId, after);
  return { granted: true, balance: batch.balanceOf(userId) };
}

export function revoke({ revocation, metadata }: RevokeCredits, batch: CreditBatch): AdjustmentOutcome {
  const { userId, adjustment } = revocation;
  const { revocations } = batch.facts;
  const changed = !revocations.has(adjustment.adjustmentId);
  if (changed) {
    const decided = creditAccountDecider.decide(revocation, batch.accountOf(userId).state);
    if (!decided.accepted) return { ...decided, balance: batch.balanceOf(userId) };
    batch.recordCredits(userId, decided.events, metadata);
    revocations.add(adjustment.adjustmentId);
  }
  return { accepted: true, changed, balance: batch.balanceOf(userId) };
}

export function correctInvoice(
  { userId, metadata, type: _, ...correcting }: CorrectInvoice,
  batch: CreditBatch,
): InvoiceOutcome {
  const { invoiceLots } = batch.facts;
  const before = { account: batch.accountOf(userId).state, lots: invoiceLots };
  const decided = invoiceDecider.decide(correcting, before);
  if (!decided.accepted) return decided;
  batch.recordCredits(userId, decided.events, metadata);
  for (const [lotId, lot] of decided.events.reduce(invoiceDecider.evolve, before).lots)
    invoiceLots.set(lotId, lot);
  return { accepted: true, events: decided.events, balance: batch.balanceOf(userId) };
}

export function returnPurchase(
  { purchase, reason, explanation, remark, lots, metadata }: ReturnPurchase,
  batch: CreditBatch,
): ReturnOutcome {
  const { buyerId, purchaseId } = purchase;
  const paidWith = (lot: ReturnedLot) => batch.facts.invoiceLots.get(lot.paidLotId);
  const returnable = (lot: ReturnedLot) => {
    const paid = paidWith(lot);
    return paid ? returnability(paid) : 'returnable';
  };
  const back = partsThatGoBack(purchase, lots, batch);
  const withheld = lots.flatMap(({ takenFrom: lotId, ...lot }, index) => {
    const { credits = 0, valueMicroUsd = 0 } = back[index] ?? {};
    if (credits === lot.credits) return [];
    return [{ lotId, credits: lot.credits - credits, valueMicroUsd: lot.valueMicroUsd - valueMicroUsd }];
  });
  // The part of this sale that the creator lost to a bank's verdict is not taken a second time.
  const takenBack = [...new Set(lots.map(paidWith))]
    .flatMap((lot) => lot?.sharesTakenBack ?? [])
    .filter((share) => share.purchaseId === purchaseId)
    .reduce((sum, { shareMicroUsd }) => sum + shareMicroUsd, 0);
  const decided = purchaseDecider.decide(
    {
      type: 'ReturnPurchase',
      purchase: { ...purchase, shareMicroUsd: purchase.shareMicroUsd - takenBack },
      reason,
      explanation,
      remark,
      disputed: lots.some((lot) => returnable(lot) === 'disputed'),
      withheld,
    },
    batch.purchaseOf(purchase).state,
  );
  if (!decided.accepted) return decided;
  batch.recordPurchase(purchase, decided.events, metadata);
  const changed = decided.events.length > 0;
  const grants = changed ? back.filter(({ credits }) => credits > 0) : [];
  for (const grant of grants) batch.decideCredits(grant, metadata);
  const returned = grants.reduce((sum, { credits }) => sum + credits, 0);
  return { accepted: true, changed, returned, balance: batch.balanceOf(buyerId) };
}

/** What goes back of each lot that a purchase drew on, in their order; some go back in part or not at all. */
function partsThatGoBack(
  { buyerId, purchaseId }: PaidPurchase,
  lots: readonly ReturnedLot[],
  batch: CreditBatch,
): Extract<CreditCommand, { type: 'GrantCredits' }>[] {
  let account = batch.accountOf(buyerId).state;
  const counted = new Map<string, number>();
  return lots.map(({ takenFrom: _, paidLotId, ...lot }) => {
    const paid = batch.facts.invoiceLots.get(paidLotId);
    const good = (paid?.madeGood ?? [])
      .filter(({ of }) => of === purchaseId)
      .reduce((sum, { valueMicroUsd }) => sum + valueMicroUsd, -(counted.get(paidLotId) ?? 0));
    const part = !paid
      ? lot
      : returnability(paid) === 'gone'
        ? { credits: 0, valueMicroUsd: 0 }
        : returnableOf(lot, paid, account, good);
    if (lot.kind === 'paid')
      counted.set(paidLotId, (counted.get(paidLotId) ?? 0) + Math.min(good, lot.valueMicroUsd));
    const grant = {
      type: 'GrantCredits',
      userId: buyerId,
      reason: 'refund',
      returned: { purchaseId, lotId: paidLotId },
      ...lot,
      credits: part.credits,
      valueMicroUsd: part.valueMicroUsd,
    } as const;
    const { type: _type, ...data } = grant;
    account = creditAccountDecider.evolve(account, { type: 'CreditsGranted', data });
    return grant;
  });
}
