import {
  creditAccountDecider,
  type CreditCommand,
  type CreditEvent,
  type CreditRejection,
} from '../../domain/credits/credit-account.js';
import {
  creditsOf,
  giftAccountOf,
  handOverGift,
  type GiftRejection,
  type HandOverGift,
} from '../../domain/credits/gift.js';
import { invoiceDecider } from '../../domain/credits/invoice.js';
import {
  evolveInvoiceLot,
  leftToCompensate,
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
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { sumOf } from '../../domain/shared/micro-usd.js';
import { sharesOf } from '../../domain/shared/share-policy.js';
import type { Remark } from '../../domain/shared/remark.js';
import type { EventMetadata } from '../shared/event-store.js';
import type { CreditBatch } from './credit-batch.js';

/** Grants credits, once for each lot id. */
export interface CreditGrant {
  type: 'GrantCredits';
  grant: Extract<CreditCommand, { type: 'GrantCredits' }>;
  metadata: EventMetadata;
}

/** Takes unspent credits, once for each adjustment id. */
export interface CreditRevocation {
  type: 'RevokeCredits';
  revocation: Extract<CreditCommand, { type: 'RevokeCredits' }>;
  metadata: EventMetadata;
}

/** `changed` is false if an earlier command with the same id granted or took the credits. */
export type CreditOutcome = Outcome<
  { changed: boolean },
  CreditRejection | { code: 'MadeGoodAlready'; mostMicroUsd: number }
> & { balance: number };

/** The part of lot `takenFrom` that a purchase spent. `lotId` is the new lot that gives it back to the buyer. */
export interface ReturnedLot extends Pick<
  Extract<CreditCommand, { type: 'GrantCredits' }>,
  'lotId' | 'kind' | 'credits' | 'valueMicroUsd' | 'grantedAt'
> {
  takenFrom: string;
  /** The paid lot behind `takenFrom`. This is another lot if `takenFrom` has returned or compensating credits. */
  paidLotId: string;
}

/** Returns a sample's price to the buyer, lot by lot, and takes back the creators' shares. */
export interface PurchaseReturn {
  type: 'ReturnPurchase';
  purchase: PaidPurchase;
  reason: ReturnReason;
  explanation: string;
  remark?: Remark | undefined;
  lots: ReturnedLot[];
  metadata: EventMetadata;
}

/** `changed` is false if the purchase was already undone. */
export type ReturnOutcome = Outcome<{ changed: boolean }, PurchaseRejection>;

/** A refund or dispute of an invoice. `lotIds` are the lots of its lines. */
export interface InvoiceCorrection {
  type: 'CorrectInvoice';
  userId: string;
  lotIds: string[];
  correction: InvoiceLotCommand;
  /** When the refund or dispute happened, according to the payment provider. */
  at?: string;
  metadata: EventMetadata;
}

/** `events` is empty if the correction was recorded before. */
export type InvoiceOutcome = Outcome<
  {
    events: CreditEvent[];
    balance: number;
    /** The account that has the lots. */
    userId: string;
  },
  InvoiceLotRejection
>;

/** Hands a gift over, once. The account `to` becomes the owner of its lots. */
export interface GiftHandover extends HandOverGift {
  type: 'HandOverGift';
  metadata: EventMetadata;
}

export type GiftOutcome = Outcome<{ credits: number }, GiftRejection> & { balance: number };

export function grantCredits({ grant, metadata }: CreditGrant, batch: CreditBatch): CreditOutcome {
  const { userId, lotId } = grant;
  const { grantedLots, invoiceLots } = batch.facts;
  if (grantedLots.has(lotId)) return { accepted: true, changed: false, balance: batch.balanceOf(userId) };
  const paid = invoiceLots.get(grant.adjustment?.paidLotId ?? '');
  // Checks the amount again, because a refund since the adjustment was requested leaves less to compensate.
  const mostMicroUsd = paid ? leftToCompensate(paid, batch.accountOf(userId).state) : 0;
  if (grant.adjustment && grant.valueMicroUsd > mostMicroUsd)
    return { ...reject({ code: 'MadeGoodAlready', mostMicroUsd }), balance: batch.balanceOf(userId) };
  grantedLots.add(lotId);
  const event = batch.decideCredits(grant, metadata);
  const after = paid && event && evolveInvoiceLot(paid, event);
  if (after) invoiceLots.set(after.lotId, after);
  return { accepted: true, changed: true, balance: batch.balanceOf(userId) };
}

export function revokeCredits({ revocation, metadata }: CreditRevocation, batch: CreditBatch): CreditOutcome {
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
  { userId, metadata, type: _, ...correcting }: InvoiceCorrection,
  batch: CreditBatch,
): InvoiceOutcome | LotMoved {
  const { invoiceLots } = batch.facts;
  const moved = correcting.lotIds.flatMap((lotId) => invoiceLots.get(lotId) ?? []);
  const to = moved.find((lot) => lot.userId !== userId)?.userId;
  if (to !== undefined) return { accepted: 'moved', to };
  const before = { account: batch.accountOf(userId).state, lots: invoiceLots };
  const decided = invoiceDecider.decide(correcting, before);
  if (!decided.accepted) return decided;
  batch.recordCredits(userId, decided.events, metadata);
  for (const [lotId, lot] of decided.events.reduce(invoiceDecider.evolve, before).lots)
    invoiceLots.set(lotId, lot);
  return { accepted: true, events: decided.events, balance: batch.balanceOf(userId), userId };
}

/** Another account has the lots by now: a gift was redeemed after its lots were looked up. Nothing was recorded. */
export interface LotMoved {
  accepted: 'moved';
  to: string;
}

export function handOver({ metadata, type: _, ...handover }: GiftHandover, batch: CreditBatch): GiftOutcome {
  const { giftId, to } = handover;
  const { gifts, invoiceLots } = batch.facts;
  const from = giftAccountOf(giftId);
  const gift = gifts.get(giftId) ?? { grants: [], payerIsGone: false };
  const decided = handOverGift(handover, batch.accountOf(from).state, gift);
  if (!decided.accepted) return { ...decided, balance: batch.balanceOf(to) };
  for (const event of decided.events) {
    batch.recordCredits(event.data.userId, [event], metadata);
    const lot = event.type === 'GiftGiven' ? invoiceLots.get(event.data.lotId) : undefined;
    const after = lot && evolveInvoiceLot(lot, event);
    if (after) invoiceLots.set(after.lotId, after);
  }
  return { accepted: true, credits: creditsOf(decided.events), balance: batch.balanceOf(to) };
}

export function returnPurchase(
  { purchase, reason, explanation, remark, lots, metadata }: PurchaseReturn,
  batch: CreditBatch,
): ReturnOutcome {
  const { purchaseId } = purchase;
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
  // A lost dispute may have taken a part of the creators' shares already. Do not take that part twice.
  const takenBack = [...new Set(lots.map(paidWith))]
    .flatMap((lot) => lot?.sharesTakenBack ?? [])
    .filter((share) => share.purchaseId === purchaseId);
  const shares = sharesOf(purchase).map((share) => ({
    ...share,
    shareMicroUsd:
      share.shareMicroUsd - sumOfShares(takenBack.filter(({ creatorId }) => creatorId === share.creatorId)),
  }));
  const decided = purchaseDecider.decide(
    {
      type: 'ReturnPurchase',
      purchase: { ...purchase, shareMicroUsd: sumOfShares(shares), shares },
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
  return { accepted: true, changed };
}

const sumOfShares = (shares: readonly { shareMicroUsd: number }[]): number =>
  sumOf(shares.map(({ shareMicroUsd }) => shareMicroUsd));

/** Returns one grant per lot of an undone purchase. The grant gives back all, some or none of the lot's credits. */
function partsThatGoBack(
  { buyerId, purchaseId }: PaidPurchase,
  lots: readonly ReturnedLot[],
  batch: CreditBatch,
): Extract<CreditCommand, { type: 'GrantCredits' }>[] {
  let account = batch.accountOf(buyerId).state;
  const counted = new Map<string, number>();
  return lots.map(({ takenFrom: _, paidLotId, ...lot }) => {
    const paid = batch.facts.invoiceLots.get(paidLotId);
    const good = (paid?.compensations ?? [])
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
