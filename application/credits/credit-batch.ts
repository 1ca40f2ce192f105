import {
  creditAccountDecider,
  creditDeltaOf,
  type CreditAccount,
  type CreditCommand,
  type CreditEvent,
} from '../../domain/credits/credit-account.js';
import type { GiftFacts } from '../../domain/credits/gift.js';
import type { InvoiceLot } from '../../domain/credits/invoice-lot.js';
import {
  decideOrder,
  purchaseDecider,
  type Order,
  type OrderRejection,
  type PricedItem,
  type Purchase,
  type PurchaseEvent,
  type PurchaseId,
  type SampleOnOffer,
} from '../../domain/purchases/purchase.js';
import {
  acceptedCertificateStream,
  type AcceptedCertificate,
} from '../../domain/purchases/accepted-certificate.js';
import { assert, reject, type Outcome } from '../../domain/shared/decision.js';
import type { PackPrice } from '../../domain/shared/pack-price.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import type { EventMetadata, NewEvent } from '../shared/event-store.js';

/** An order of samples. Without items, it only asks for the stored outcome of its idempotency key. */
export interface KeyedOrder extends Order {
  type: 'BuySamples';
  /** Absent for orders that are safe to repeat without a key: samples that the buyer owns are free. */
  idempotency?: { key: string; requestHash: string };
  metadata: EventMetadata;
}

export interface BoughtItem {
  sampleId: string;
  /** Credits; 0 if the buyer owned or created the sample, or its part of the pack price is 0. */
  charged: number;
  /** Present if the sample was bought as a part of a pack that costs 0 credits. */
  free?: true;
  certificateId: string;
}

/** The stored answer to an order. Amounts are in credits. */
export type PurchaseOutcome =
  | { status: 'bought'; charged: number; balance: number; items: BoughtItem[]; purchased: boolean }
  | { status: 'refused'; rejection: OrderRejection };

export type RecoveryOutcome = Outcome<
  object,
  | OrderRejection
  /**
   * `PurchaseRecorded`: the log already has the purchase with this certificate. `PurchaseOwned`: the buyer owns the
   * sample through another purchase. `OwnInterest`: the person who requested or approved the recovery would get a
   * part of the creator's share.
   */
  | { code: 'PurchaseRecorded' | 'PurchaseOwned' | 'CreatorMismatch' | 'OwnInterest' }
>;

export interface PurchaseAnswer {
  outcome: PurchaseOutcome;
  /** True if an earlier order with the same idempotency key decided the outcome. */
  replayed: boolean;
}

/** The state of a stream. `version` is the number of its events. */
export interface Versioned<State> {
  version: number;
  state: State;
}

/** All data that the commands of a batch depend on. A missing entry means that nothing exists under that key. */
export interface BatchFacts {
  /** Credit accounts by user id. */
  accounts: Map<string, Versioned<CreditAccount>>;
  /** Purchases by stream name. */
  purchases: Map<string, Versioned<Purchase>>;
  /** The current catalogue entries by sample id. */
  samples: Map<string, SampleOnOffer>;
  /** The prices of whole packs by pack id. Packs without a price are missing. */
  packs: Map<string, PackPrice>;
  /** Outcomes of earlier orders by `requestKey`. */
  requests: Map<string, { requestHash: string; outcome: PurchaseOutcome }>;
  grantedLots: Set<string>;
  /** Gifts by gift id. Empty unless the batch hands gifts over. */
  gifts: Map<string, GiftFacts>;
  revocations: Set<string>;
  /** Payments by lot id. Empty unless the batch has returns, adjustments or invoice corrections. */
  invoiceLots: Map<string, InvoiceLot>;
}

export const requestKey = (userId: string, key: string): string => `${userId} ${key}`;

export interface DecidedEvent extends NewEvent {
  stream: string;
  version: number;
  metadata: EventMetadata;
  /** The change of the balance, in credits. Absent if the event does not belong to a credit account. */
  creditDelta?: number;
}

export interface DecidedRequest {
  userId: string;
  key: string;
  requestHash: string;
  outcome: PurchaseOutcome;
}

/** Decides the commands of a batch one by one. The caller must write `events` and `requests` in one transaction. */
export class CreditBatch {
  readonly events: DecidedEvent[] = [];
  readonly requests: DecidedRequest[] = [];

  /** @param facts updated by every decision */
  constructor(readonly facts: BatchFacts) {}

  /** Decides an order once per idempotency key. A repeated key returns the first outcome, even a refusal. */
  buy(order: KeyedOrder): PurchaseAnswer {
    const { buyerId, idempotency, items } = order;
    const key = idempotency && requestKey(buyerId, idempotency.key);
    const known = key === undefined ? undefined : this.facts.requests.get(key);
    if (known && known.requestHash === idempotency?.requestHash)
      return { outcome: known.outcome, replayed: true };
    const outcome = this.decideOrder(order, known !== undefined);
    if (idempotency && key !== undefined && !known && items.length > 0) {
      const request = { userId: buyerId, ...idempotency, outcome };
      this.facts.requests.set(key, request);
      this.requests.push(request);
    }
    return { outcome, replayed: false };
  }

  private decideOrder(order: KeyedOrder, isKeyUsed: boolean): PurchaseOutcome {
    const { buyerId, items, packId } = order;
    const offers = items.map(({ sampleId }) => ({
      sampleId,
      sample: this.facts.samples.get(sampleId),
      purchase: this.purchaseOf({ buyerId, sampleId }).state,
    }));
    const balanceCredits = this.balanceOf(buyerId);
    const packPrice = packId === undefined ? undefined : this.facts.packs.get(packId);
    const decided = decideOrder(order, { isKeyUsed, balanceCredits, packPrice, offers });
    if (!decided.accepted) return { status: 'refused', rejection: decided.rejection };
    const { prices, totalCredits: charged } = decided;
    const orderId = items[prices.findIndex(({ packPart }) => packPart)]?.purchaseId ?? '';
    const bought = items.map((item, index) =>
      this.buyOne(order, item, offers[index]?.sample as SampleOnOffer, prices[index] as PricedItem, orderId),
    );
    return {
      status: 'bought',
      charged,
      balance: this.balanceOf(buyerId),
      items: bought,
      purchased: charged > 0,
    };
  }

  /** Records a purchase that a restored log lacks, at the present price. The sample may be off sale by now. */
  recover(accepted: AcceptedCertificate, at: string, metadata: EventMetadata): RecoveryOutcome {
    const { approvalId: purchaseId, certificateId, buyerId, sampleId, creatorId, fileSha256 } = accepted;
    const { state } = this.purchaseOf({ buyerId, sampleId });
    if (state.status === 'Owned' && state.purchaseId === purchaseId) return { accepted: true };
    if (state.status !== 'NotOwned' && state.certificateId === certificateId)
      return reject({ code: 'PurchaseRecorded' });
    if (state.status === 'Owned') return reject({ code: 'PurchaseOwned' });
    const now = this.facts.samples.get(sampleId);
    if (!now) return reject({ code: 'SampleNotAvailable' });
    if (now.creatorId !== creatorId) return reject({ code: 'CreatorMismatch' });
    // The two people who requested and approved the recovery must not profit from it. One of them may have accepted a
    // split since the request.
    if (now.parts?.some((part) => part.creatorId === accepted.by || part.creatorId === accepted.approvedBy))
      return reject({ code: 'OwnInterest' });
    // If the creator has replaced the audio since the purchase, the purchase gets an earlier audio version. The next
    // download then licenses the present version, as after any replacement.
    const isReplaced = now.fileSha256 !== fileSha256;
    const audioVersion = isReplaced ? Math.max(1, now.audioVersion - 1) : now.audioVersion;
    const sample = { ...now, available: true, fileSha256, audioVersion };
    const order = { buyerId, metadata, expectedCredits: buyerId === creatorId ? 0 : now.priceCredits };
    const offers = [{ sampleId, sample, purchase: state }];
    const facts = { isKeyUsed: false, balanceCredits: this.balanceOf(buyerId), offers };
    const decided = decideOrder(order, facts);
    if (!decided.accepted) return decided;
    const data = { ...accepted, at };
    const stream = acceptedCertificateStream(certificateId);
    this.events.push({ type: 'CertificateAccepted', data, stream, version: 1, metadata });
    const item = { sampleId, purchaseId, certificateId };
    this.buyOne(order, item, sample, decided.prices[0] as PricedItem, '');
    return { accepted: true };
  }

  private buyOne(
    { buyerId, metadata }: Pick<KeyedOrder, 'buyerId' | 'metadata'>,
    { sampleId, purchaseId, certificateId }: Order['items'][number],
    sample: SampleOnOffer,
    { priceCredits: charged, packPart: part }: PricedItem,
    orderId: string,
  ): BoughtItem {
    const valueMicroUsd = charged > 0 ? this.spend(buyerId, purchaseId, charged, metadata) : 0;
    const policy = CURRENT_SHARE_POLICY;
    const ids = { buyerId, purchaseId, certificateId };
    const price = { priceCredits: charged, packPart: part && { orderId, ...part }, valueMicroUsd, policy };
    const decided = purchaseDecider.decide(
      { type: 'BuySample', ...ids, sample, ...price },
      this.purchaseOf({ buyerId, sampleId }).state,
    );
    assert(decided.accepted, 'an accepted order cannot be refused');
    const { state } = this.recordPurchase({ buyerId, sampleId }, decided.events, metadata);
    assert(state.status === 'Owned', 'an accepted order ends in ownership');
    const free = part !== undefined && charged === 0;
    return { sampleId, charged, certificateId: state.certificateId, ...(free && { free }) };
  }

  /** @returns the value of the spent credits in micro-dollars */
  private spend(userId: string, purchaseId: string, credits: number, metadata: EventMetadata): number {
    const spent = this.decideCredits({ type: 'SpendCredits', userId, purchaseId, credits }, metadata);
    assert(spent?.type === 'CreditsSpent', 'the balance was checked');
    return spent.data.segments.reduce((sum, segment) => sum + segment.valueMicroUsd, 0);
  }

  /** Applies a command to an account. The caller has checked that the account cannot refuse it. */
  decideCredits(command: CreditCommand, metadata: EventMetadata): CreditEvent | undefined {
    const decided = creditAccountDecider.decide(command, this.accountOf(command.userId).state);
    assert(decided.accepted, 'the account was checked before');
    this.recordCredits(command.userId, decided.events, metadata);
    return decided.events[0];
  }

  recordCredits(userId: string, events: readonly CreditEvent[], metadata: EventMetadata): void {
    const account = this.accountOf(userId);
    const stream = creditAccountDecider.streamOf(userId);
    for (const event of events) {
      account.version += 1;
      account.state = creditAccountDecider.evolve(account.state, event);
      const { type, data } = event;
      const creditDelta = creditDeltaOf(event);
      this.events.push({ type, data, stream, version: account.version, metadata, creditDelta });
    }
  }

  recordPurchase(
    id: PurchaseId,
    events: readonly PurchaseEvent[],
    metadata: EventMetadata,
  ): Versioned<Purchase> {
    const purchase = this.purchaseOf(id);
    const stream = purchaseDecider.streamOf(id);
    for (const event of events) {
      purchase.version += 1;
      purchase.state = purchaseDecider.evolve(purchase.state, event);
      const { type, data } = event;
      this.events.push({ type, data, stream, version: purchase.version, metadata });
    }
    return purchase;
  }

  balanceOf(userId: string): number {
    return this.accountOf(userId).state.balanceCredits;
  }

  accountOf(userId: string): Versioned<CreditAccount> {
    return getOrBegin(this.facts.accounts, userId, creditAccountDecider.initialState);
  }

  purchaseOf(id: PurchaseId): Versioned<Purchase> {
    return getOrBegin(this.facts.purchases, purchaseDecider.streamOf(id), purchaseDecider.initialState);
  }
}

function getOrBegin<State>(
  all: Map<string, Versioned<State>>,
  name: string,
  initialState: State,
): Versioned<State> {
  let found = all.get(name);
  if (!found) all.set(name, (found = { version: 0, state: initialState }));
  return found;
}
