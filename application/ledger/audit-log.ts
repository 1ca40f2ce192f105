import {
  creditAccountDecider,
  valueOf,
  type CreditAccount,
  type CreditEvent,
  type CreditLot,
  type LotSegment,
} from '../../domain/credits/credit-account.js';
import { FINANCIAL_EVENT_TYPES, entryFor, sumsOf, type FinancialEvent } from '../../domain/ledger/entry.js';
import { creatorAccount } from '../../domain/ledger/accounts.js';
import type { BalanceTransactionEvent } from '../../domain/shared/balance-movement.js';
import type { BankPayoutEvent } from '../../domain/payments/bank-payout.js';
import type { AdjustingEvent } from '../../domain/ledger/adjusting-entry.js';
import type { PayoutEvent } from '../../domain/payouts/payouts.js';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import { floorShare, inExactUsd, sumOf } from '../../domain/shared/micro-usd.js';
import { sharesOf, WHOLE_BPS } from '../../domain/shared/share-policy.js';
import { eventsOf, UPCASTERS, type StoredEvent } from '../shared/event-store.js';
import type { EarlierEvent } from './earlier-events.js';
import type { Breach } from './queries.js';
import { SeenNames } from './seen-names.js';

const FINANCIAL: ReadonlySet<string> = new Set(FINANCIAL_EVENT_TYPES);

interface Taken {
  credits: number;
  valueMicroUsd: number;
}

/** Credits that leave the lots of a user. */
interface Taking {
  userId: string;
  segments: readonly LotSegment[];
}

const totalOf = (segments: readonly LotSegment[]): Taken => ({
  credits: sumOf(segments.map(({ credits }) => credits)),
  valueMicroUsd: sumOf(segments.map(({ valueMicroUsd }) => valueMicroUsd)),
});

/** Recomputes the books from the log alone, without SQL. To start later than the first event, call `recall` first. */
export class LogAudit {
  readonly breaches: Breach[] = [];
  private readonly accounts = new Map<string, CreditAccount>();
  /** Credits of `CreditsSpent` events whose purchase has not appeared in the log yet. */
  private readonly taken = new Map<string, Taken>();
  /** Credits of undone purchases whose `CreditsGranted` has not appeared in the log yet. */
  private readonly returning = new Map<string, Taken>();
  /** Gifts that left their account, until they arrive with the next event. */
  private readonly gifts = new Map<string, Taken & { to: string }>();
  private readonly earned = new Map<string, number>();
  /** The streams and creators that `unknownIn` has already returned. */
  private readonly recalled = new SeenNames();
  private readonly owners = new SeenNames();
  private readonly lots = new SeenNames();
  private readonly movements = new Set<string>();
  private readonly invoiceLines = new SeenNames();

  /**
   * Returns the streams and creators that are new on this page. The caller passes the earlier events of the streams
   * to `recall`, and the earlier balances of the creators to `recallEarned`.
   */
  unknownIn(page: readonly StoredEvent[]): { streams: string[]; creatorIds: string[] } {
    const streams = new Set<string>();
    const creatorIds = new Set<string>();
    for (const { stream, type, data } of page) {
      if (!FINANCIAL.has(type)) continue;
      if (this.recalled.add(stream)) streams.add(stream);
      if (type !== 'WithdrawalRequested') continue;
      const { creatorId } = JSON.parse(data) as DataOf<'WithdrawalRequested'>;
      if (this.recalled.add(creatorAccount(creatorId))) creatorIds.add(creatorId);
    }
    return { streams: [...streams], creatorIds: [...creatorIds] };
  }

  /** Takes over an event from before the start of the audit, without checking it. */
  recall(stored: EarlierEvent): void {
    const event = { ...stored, data: UPCASTERS[stored.type]?.(stored.data) ?? stored.data };
    if (!isAudited(event)) return;
    switch (event.type) {
      case 'CreditsGranted':
        this.lots.add(event.data.lotId);
        if (event.data.invoice) this.invoiceLines.add(event.data.invoice.invoiceLineId);
        this.evolve(event.data.userId, event);
        break;
      case 'GiftGiven':
      case 'GiftReceived':
      case 'CreditsSpent':
      case 'CreditsRevoked':
      case 'InvoiceRefunded':
      case 'RefundUndone':
      case 'DisputeOpened':
      case 'DisputeWon':
      case 'DisputeLost':
      case 'LostDisputeWon':
        this.evolve(event.data.userId, event);
        break;
      case 'BalanceTransactionRecorded':
        this.movements.add(event.data.transactionId);
        break;
      case 'SamplePurchased':
        this.owners.add(event.stream);
        break;
      case 'PurchaseReturned':
        this.owners.delete(event.stream);
        break;
    }
  }

  recallEarned(creatorId: string, microUsd: number): void {
    this.earn(creatorId, microUsd);
  }

  /** Examines an event as it was stored. Skips an event that moves neither money nor credits. */
  readonly witness = ({ position, stream, type, data: text }: StoredEvent): void => {
    if (!FINANCIAL.has(type)) return;
    const stored = JSON.parse(text) as Record<string, unknown>;
    this.examine({ position, stream, type, data: UPCASTERS[type]?.(stored) ?? stored });
  };

  /** Checks one event. Callers pass the events in the order of their positions. */
  examine(event: { position: number; stream: string; type: string; data: unknown }): void {
    for (const [commodity, sum] of Object.entries(sumsOf(entryFor(event) ?? { postings: [] })))
      if (sum !== 0)
        this.found(
          1,
          `the entry of event ${event.position} is off by ${commodity === 'usd' ? inExactUsd(sum) : `${sum} ${commodity}`}`,
        );
    if (!isAudited(event)) return;
    switch (event.type) {
      case 'CreditsGranted':
        this.examineGrant(event.data, event.position);
        break;
      case 'GiftGiven':
        this.examineGift(event.data, event.position);
        this.evolve(event.data.userId, event);
        break;
      case 'GiftReceived':
        this.evolve(event.data.userId, event);
        this.examineGift(event.data, event.position);
        break;
      case 'CreditsSpent':
        this.examineSpend(event.data, event.position);
        break;
      case 'CreditsRevoked':
        this.examineTaking(event.data, event.position);
        this.evolve(event.data.userId, event);
        break;
      case 'InvoiceRefunded':
      case 'DisputeLost':
        this.examineSegments(event.data, event.position);
        this.evolve(event.data.userId, event);
        break;
      case 'RefundUndone':
      case 'LostDisputeWon':
        this.examineUndone(event.data, event.position);
        this.evolve(event.data.userId, event);
        break;
      case 'DisputeOpened':
      case 'DisputeWon':
        this.evolve(event.data.userId, event);
        break;
      case 'ShareTakenBack':
        this.earn(event.data.creatorId, -event.data.shareMicroUsd);
        break;
      case 'SamplePurchased':
        this.examinePurchase(event.data, event);
        break;
      case 'WithdrawalRequested': {
        const { creatorId, amountMicroUsd } = event.data;
        if (this.earn(creatorId, -amountMicroUsd) < 0)
          this.found(12, `event ${event.position} withdraws more than creator ${creatorId} has`);
        break;
      }
      case 'WithdrawalFailed':
      case 'TransferReversed':
      case 'CreatorDebtWrittenOff':
        this.earn(event.data.creatorId, event.data.amountMicroUsd);
        break;
      case 'BalanceTransactionRecorded':
        if (this.movements.has(event.data.transactionId))
          this.found(8, `${event.data.transactionId} was recorded again at event ${event.position}`);
        this.movements.add(event.data.transactionId);
        break;
      case 'PurchaseReturned':
        for (const { creatorId, shareMicroUsd } of this.sharesIn(event.data, event.position))
          this.earn(creatorId, -shareMicroUsd);
        this.owners.delete(event.stream);
        this.expectReturn(event.data);
        break;
    }
  }

  /**
   * Ends the audit after the last event. Reports credits that were taken without a purchase or never returned, and
   * gifts that never arrived.
   */
  finish(): Breach[] {
    for (const [purchaseId, { credits }] of this.taken)
      this.found(7, `${credits} credits were taken for purchase ${purchaseId}, which is not there`);
    for (const [lotId, { to }] of this.gifts) this.found(5, `gift lot ${lotId} never came to user ${to}`);
    for (const [purchaseId, { credits, valueMicroUsd }] of this.returning)
      this.found(
        5,
        `purchase ${purchaseId} was undone, ${credits} credits worth ${valueMicroUsd} did not go back`,
      );
    return this.breaches;
  }

  private examineGrant(grant: DataOf<'CreditsGranted'>, position: number): void {
    const { lotId, invoice, userId } = grant;
    if (!this.lots.add(lotId)) this.found(8, `lot ${lotId} was granted again at event ${position}`);
    if (invoice && !this.invoiceLines.add(invoice.invoiceLineId))
      this.found(8, `invoice line ${invoice.invoiceLineId} was granted again at event ${position}`);
    if (grant.returned) this.examineReturn(grant.returned.purchaseId, grant, position);
    this.evolve(userId, { type: 'CreditsGranted', data: grant });
  }

  private expectReturn(undone: DataOf<'PurchaseReturned'>): void {
    const { purchaseId, priceCredits, valueMicroUsd, withheld = [] } = undone;
    const kept = totalOf(withheld);
    if (kept.credits < priceCredits)
      this.returning.set(purchaseId, {
        credits: priceCredits - kept.credits,
        valueMicroUsd: valueMicroUsd - kept.valueMicroUsd,
      });
  }

  private examineReturn(purchaseId: string, { credits, valueMicroUsd }: Taken, position: number): void {
    const open = this.returning.get(purchaseId);
    if (!open || open.credits < credits || open.valueMicroUsd < valueMicroUsd)
      this.found(5, `event ${position} returns more than purchase ${purchaseId} took`);
    else if (open.credits === credits && open.valueMicroUsd === valueMicroUsd)
      this.returning.delete(purchaseId);
    else
      this.returning.set(purchaseId, {
        credits: open.credits - credits,
        valueMicroUsd: open.valueMicroUsd - valueMicroUsd,
      });
  }

  private examineSpend(spend: DataOf<'CreditsSpent'>, position: number): void {
    const { userId, purchaseId, credits, segments } = spend;
    this.examineTaking(spend, position);
    const total = totalOf(segments);
    if (total.credits !== credits)
      this.found(3, `event ${position} spends ${credits} credits, its lots give another number`);
    this.taken.set(purchaseId, { ...total, credits });
    this.evolve(userId, { type: 'CreditsSpent', data: spend });
  }

  /**
   * Checks that a gift arrives with the lot, credits and value with which it left. Callers apply `GiftGiven` after
   * this check and `GiftReceived` before it, so that the user has the lot.
   */
  private examineGift({ userId, lotId, credits, ...gift }: GiftMove, position: number): void {
    const lot = this.accounts.get(userId)?.lots.find((each) => each.lotId === lotId);
    const moved = lot && { credits: lot.credits - lot.spentCredits, valueMicroUsd: lot.valueMicroUsd };
    if (moved?.credits !== credits)
      this.found(4, `event ${position} moves ${credits} credits of lot ${lotId}`);
    const left = this.gifts.get(lotId);
    if ('to' in gift) {
      if (moved) this.gifts.set(lotId, { ...moved, to: gift.to });
      return;
    }
    this.gifts.delete(lotId);
    if (left?.to !== userId || left.credits !== credits || left.valueMicroUsd !== moved?.valueMicroUsd)
      this.found(5, `event ${position} receives lot ${lotId} otherwise than it was given`);
  }

  private examineTaking(taking: Taking, position: number): void {
    this.examineSegments(taking, position);
    this.examineOrder(taking, position);
  }

  private examineSegments({ userId, segments }: Taking, position: number): void {
    const lots = this.accounts.get(userId)?.lots ?? [];
    for (const { lotId, credits, valueMicroUsd } of segments) {
      const lot = lots.find((each) => each.lotId === lotId);
      if (!lot || lot.credits - lot.spentCredits < credits)
        this.found(4, `event ${position} takes ${credits} credits that lot ${lotId} does not have`);
      else if (valueOf(lot, credits) !== valueMicroUsd)
        this.found(
          4,
          `event ${position} values credits of lot ${lotId} at ${inExactUsd(valueMicroUsd)}, not ${inExactUsd(valueOf(lot, credits))}`,
        );
    }
  }

  /** Checks the order in which lots are spent. Does not call the domain, so that a fault in the domain is found. */
  private examineOrder({ userId, segments }: Taking, position: number): void {
    const taken = new Map(segments.map(({ lotId, credits }) => [lotId, credits]));
    const open = (this.accounts.get(userId)?.lots ?? []).filter(({ disputedBy }) => !disputedBy);
    const left = open.filter((lot) => lot.credits - lot.spentCredits > (taken.get(lot.lotId) ?? 0));
    const rank = ({ kind, grantedAt, lotId }: CreditLot): string =>
      [kind === 'promotional' ? 0 : 1, grantedAt, lotId].join(' ');
    for (const lot of open.filter(({ lotId }) => taken.has(lotId))) {
      const skipped = left.find((other) => rank(other) < rank(lot));
      if (skipped)
        this.found(23, `event ${position} draws on lot ${lot.lotId} before lot ${skipped.lotId} is spent`);
    }
  }

  private examineUndone(
    { segments = [], lots = [] }: DataOf<'RefundUndone'> | DataOf<'LostDisputeWon'>,
    position: number,
  ): void {
    for (const { lotId, credits, valueMicroUsd } of segments) {
      const lot = lots.find((each) => each.lotId === lotId);
      if (!lot || lot.credits - lot.spentCredits !== credits || valueOf(lot, credits) !== valueMicroUsd)
        this.found(
          4,
          `event ${position} gives back ${credits} credits of lot ${lotId} worth ${inExactUsd(valueMicroUsd)}`,
        );
    }
  }

  private examinePurchase(
    purchase: DataOf<'SamplePurchased'>,
    at: { position: number; stream: string },
  ): void {
    const { purchaseId, priceCredits, valueMicroUsd, shareMicroUsd } = purchase;
    const taken = this.taken.get(purchaseId);
    this.taken.delete(purchaseId);
    const { credits = 0, valueMicroUsd: takenMicroUsd = 0 } = taken ?? {};
    if (credits !== priceCredits)
      this.found(7, `event ${at.position} costs ${priceCredits} credits, ${credits} were taken`);
    if (purchase.promotion === undefined) this.examinePackPart(purchase, at.position);
    else if (priceCredits !== 0 || purchase.packPart || sharesOf(purchase).length > 0)
      this.found(7, `event ${at.position} was received with a code, and yet costs credits or gives shares`);
    if (takenMicroUsd !== valueMicroUsd)
      this.found(
        5,
        `event ${at.position} recognises ${inExactUsd(valueMicroUsd)}, the lots gave ${inExactUsd(takenMicroUsd)}`,
      );
    if (floorShare(valueMicroUsd, purchase) !== shareMicroUsd || purchase.shareBps > 8_000)
      this.found(
        11,
        `event ${at.position} gives a share of ${inExactUsd(shareMicroUsd)} at ${purchase.shareBps} bps`,
      );
    if (!this.owners.add(at.stream)) this.found(6, `event ${at.position} charges for ${at.stream} again`);
    const shares = this.sharesIn(purchase, at.position);
    // Does not call the domain, so that a fault in the division of a share is found.
    for (const [index, share] of shares.entries()) {
      const exact = (BigInt(shareMicroUsd) * BigInt(share.bps)) / BigInt(WHOLE_BPS);
      if (index > 0 && BigInt(share.shareMicroUsd) !== exact)
        this.found(
          11,
          `event ${at.position} gives creator ${share.creatorId} ${inExactUsd(share.shareMicroUsd)} at ${share.bps} bps of the share`,
        );
      this.earn(share.creatorId, share.shareMicroUsd);
    }
    if (purchase.promotion === undefined && sumOf(shares.map(({ bps }) => bps)) !== WHOLE_BPS)
      this.found(11, `the parts of the share of event ${at.position} do not sum to ${WHOLE_BPS} bps`);
  }

  /** Checks a part of a pack. Does not call the domain, so that a fault in the allocation is found. */
  private examinePackPart({ priceCredits, packPart }: DataOf<'SamplePurchased'>, position: number): void {
    if (!packPart) {
      if (priceCredits === 0) this.found(7, `event ${position} is a sale for 0 credits of a single sample`);
      return;
    }
    const { packCredits, packSumCredits, orderSumCredits, singleCredits } = packPart;
    const isOrder =
      0 < singleCredits && singleCredits <= orderSumCredits && orderSumCredits <= packSumCredits;
    const paid = Math.ceil((packCredits * orderSumCredits) / packSumCredits);
    const exact = paid * singleCredits;
    const isPart = Math.abs(priceCredits * orderSumCredits - exact) < orderSumCredits;
    if (packCredits <= 0 || packCredits >= packSumCredits || !isOrder || !isPart)
      this.found(
        7,
        `event ${position} costs ${priceCredits} credits, not ${paid} · ${singleCredits} / ${orderSumCredits} of a pack for ${packCredits}`,
      );
  }

  private sharesIn(sale: DataOf<'SamplePurchased'>, position: number) {
    const shares = sharesOf(sale);
    const sum = sumOf(shares.map(({ shareMicroUsd }) => shareMicroUsd));
    if (sum !== sale.shareMicroUsd || shares.some(({ shareMicroUsd }) => shareMicroUsd < 0))
      this.found(
        11,
        `the shares of event ${position} sum to ${inExactUsd(sum)}, not ${inExactUsd(sale.shareMicroUsd)}`,
      );
    return shares;
  }

  /** Adds an amount to a creator's earnings. @returns the balance: earned, less taken back, paid and in transit */
  private earn(creatorId: string, microUsd: number): number {
    const balance = (this.earned.get(creatorId) ?? 0) + microUsd;
    this.earned.set(creatorId, balance);
    return balance;
  }

  private evolve(userId: string, event: CreditEvent): void {
    const before = this.accounts.get(userId) ?? creditAccountDecider.initialState;
    const account = creditAccountDecider.evolve(before, event);
    this.accounts.set(userId, account);
    if (account.balanceCredits < 0) this.found(3, `the balance of user ${userId} went below zero`);
  }

  private found(invariant: number, detail: string): void {
    this.breaches.push({ invariant, detail });
  }
}

/** The events that the books read, with all their fields. */
type AuditedFact = Extract<
  CreditEvent | PurchaseEvent | PayoutEvent | BalanceTransactionEvent | BankPayoutEvent | AdjustingEvent,
  { type: FinancialEvent['type'] }
>;
const isAudited = eventsOf<AuditedFact>(FINANCIAL_EVENT_TYPES);
type GiftMove = DataOf<'GiftGiven'> | DataOf<'GiftReceived'>;
type DataOf<Type extends AuditedFact['type']> = Extract<AuditedFact, { type: Type }>['data'];
