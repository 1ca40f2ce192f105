import * as Credits from '../../domain/credits/credit-account.js';
import * as Purchases from '../../domain/purchases/purchase.js';
import { assert, unreachable } from '../../domain/shared/decision.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import type { EventMetadata, NewEvent } from '../ports/event-store.js';

/** A buyer takes samples, all or nothing. Ids are made by the caller, so that repeating changes nothing. */
export interface BuySamples {
  type: 'BuySamples';
  buyerId: string;
  items: { sampleId: string; purchaseId: string; certificateId: string }[];
  /** What the screen said it costs. */
  expectedCredits: number;
  idempotency: { key: string; requestHash: string };
  metadata: EventMetadata;
}

/** Credits arrive. The lot's id is the fact's own id: it arrives once. */
export interface ReceiveCredits {
  type: 'ReceiveCredits';
  grant: Extract<Credits.CreditCommand, { type: 'GrantCredits' }>;
  metadata: EventMetadata;
}

export type DeskCommand = BuySamples | ReceiveCredits;

/** Everything the commands of one batch depend on, as it stands under lock. Deciding moves it forward. */
export interface Situation {
  accounts: Map<string, { version: number; state: Credits.CreditAccount }>;
  /** By `requestKey`. */
  requests: Map<string, { requestHash: string; outcome: PurchaseOutcome }>;
  /** By `purchaseStream`. */
  purchases: Map<string, { version: number; state: Purchases.Purchase }>;
  samples: Map<string, Purchases.SampleOnOffer>;
  grantedLots: Set<string>;
}

export type DeskRejection =
  | Credits.CreditRejection
  | Purchases.PurchaseRejection
  | { code: 'PriceChanged'; priceCredits: number; expectedCredits: number }
  | { code: 'IdempotencyKeyReused' };

export interface BoughtItem {
  sampleId: string;
  charged: number;
  certificateId: string;
}

/** What an idempotency key stands for once decided. */
export type PurchaseOutcome =
  | { status: 'bought'; charged: number; balance: number; items: BoughtItem[]; purchased: boolean }
  | { status: 'refused'; rejection: DeskRejection };

export type DeskAnswer =
  | { type: 'purchase'; outcome: PurchaseOutcome; replayed: boolean }
  | { type: 'grant'; granted: boolean; balance: number };

/** An event with its place in its stream. */
export interface DecidedEvent extends NewEvent {
  stream: string;
  version: number;
  metadata: EventMetadata;
  creditDelta?: number;
}

/** What a batch adds up to: one answer a command, the events, and the outcomes to remember. */
export interface DeskDecision {
  answers: DeskAnswer[];
  events: DecidedEvent[];
  requests: { userId: string; key: string; requestHash: string; outcome: PurchaseOutcome }[];
}

export const requestKey = (userId: string, key: string): string => `${userId} ${key}`;
export const purchaseStream = Purchases.streamOf;

/** Decides a batch in arrival order, each command seeing what earlier ones did. Refusals are answers. */
export function decideAll(commands: readonly DeskCommand[], situation: Situation): DeskDecision {
  const decision: DeskDecision = { answers: [], events: [], requests: [] };
  for (const command of commands) {
    switch (command.type) {
      case 'BuySamples':
        decision.answers.push(buy(command, situation, decision));
        break;
      case 'ReceiveCredits':
        decision.answers.push(receive(command, situation, decision));
        break;
      default:
        unreachable(command);
    }
  }
  return decision;
}

function receive(command: ReceiveCredits, situation: Situation, decision: DeskDecision): DeskAnswer {
  const { grant, metadata } = command;
  const account = accountOf(situation, grant.userId);
  if (situation.grantedLots.has(grant.lotId)) {
    return { type: 'grant', granted: false, balance: account.state.balanceCredits };
  }
  situation.grantedLots.add(grant.lotId);
  applyCredits(situation, decision, grant.userId, grant, metadata);
  return { type: 'grant', granted: true, balance: account.state.balanceCredits };
}

function buy(command: BuySamples, situation: Situation, decision: DeskDecision): DeskAnswer {
  const { buyerId, idempotency } = command;
  const known = situation.requests.get(requestKey(buyerId, idempotency.key));
  if (known) {
    return known.requestHash === idempotency.requestHash
      ? { type: 'purchase', outcome: known.outcome, replayed: true }
      : { type: 'purchase', outcome: refused({ code: 'IdempotencyKeyReused' }), replayed: false };
  }
  const outcome = decidePurchase(command, situation, decision);
  const request = { userId: buyerId, key: idempotency.key, requestHash: idempotency.requestHash, outcome };
  situation.requests.set(requestKey(buyerId, idempotency.key), request);
  decision.requests.push(request);
  return { type: 'purchase', outcome, replayed: false };
}

function decidePurchase(command: BuySamples, situation: Situation, decision: DeskDecision): PurchaseOutcome {
  const { buyerId, items, expectedCredits } = command;
  const offers = items.map((item) => ({ item, sample: situation.samples.get(item.sampleId) }));
  let total = 0;
  for (const { sample } of offers) {
    if (!sample) return refused({ code: 'SampleNotAvailable' });
    // Everything that can be refused is refused before anything is decided: all or nothing.
    const dry = decideItem(command, items[0] as BuySamples['items'][number], sample, 0, situation);
    if (!dry.accepted) return refused(dry.rejection);
    total += Purchases.priceFor(buyerId, sample, purchaseOf(situation, buyerId, sample.sampleId).state);
  }
  // Free is free, whatever the screen thought it would cost.
  if (total !== expectedCredits && total !== 0) {
    return refused({ code: 'PriceChanged', priceCredits: total, expectedCredits });
  }
  const balance = accountOf(situation, buyerId).state.balanceCredits;
  if (balance < total) return refused({ code: 'InsufficientCredits', balance, missing: total - balance });

  const bought = offers.map(({ item, sample }) => {
    assert(sample !== undefined, 'every sample was found above');
    return acquire(command, item, sample, situation, decision);
  });
  return {
    status: 'bought',
    charged: total,
    balance: accountOf(situation, buyerId).state.balanceCredits,
    items: bought,
    purchased: total > 0,
  };
}

/** Takes the credits and records the purchase of one sample whose refusals are ruled out. */
function acquire(
  command: BuySamples,
  item: BuySamples['items'][number],
  sample: Purchases.SampleOnOffer,
  situation: Situation,
  decision: DeskDecision,
): BoughtItem {
  const { buyerId, metadata } = command;
  const purchase = purchaseOf(situation, buyerId, sample.sampleId);
  const priceCredits = Purchases.priceFor(buyerId, sample, purchase.state);
  let valueMicroUsd = 0;
  if (priceCredits > 0) {
    const spend = {
      type: 'SpendCredits',
      userId: buyerId,
      purchaseId: item.purchaseId,
      credits: priceCredits,
    } as const;
    const spent = applyCredits(situation, decision, buyerId, spend, metadata);
    assert(spent?.type === 'CreditsSpent', 'the balance was checked');
    valueMicroUsd = spent.data.segments.reduce((sum, segment) => sum + segment.valueMicroUsd, 0);
  }
  const decided = decideItem(command, item, sample, valueMicroUsd, situation);
  assert(decided.accepted, 'refusals were ruled out');
  for (const event of decided.events) {
    purchase.version += 1;
    purchase.state = Purchases.evolve(purchase.state, event);
    const stream = purchaseStream(buyerId, sample.sampleId);
    decision.events.push({ ...event, stream, version: purchase.version, metadata });
  }
  assert(purchase.state.status === 'Owned', 'an accepted acquisition ends in ownership');
  return { sampleId: sample.sampleId, charged: priceCredits, certificateId: purchase.state.certificateId };
}

function decideItem(
  { buyerId }: BuySamples,
  { purchaseId, certificateId }: BuySamples['items'][number],
  sample: Purchases.SampleOnOffer,
  valueMicroUsd: number,
  situation: Situation,
) {
  return Purchases.decide(
    {
      type: 'AcquireSample',
      buyerId,
      purchaseId,
      certificateId,
      sample,
      valueMicroUsd,
      policy: CURRENT_SHARE_POLICY,
    },
    purchaseOf(situation, buyerId, sample.sampleId).state,
  );
}

function applyCredits(
  situation: Situation,
  decision: DeskDecision,
  userId: string,
  command: Credits.CreditCommand,
  metadata: EventMetadata,
): Credits.CreditEvent | undefined {
  const account = accountOf(situation, userId);
  const decided = Credits.decide(command, account.state);
  assert(decided.accepted, 'the account was checked before');
  for (const event of decided.events) {
    account.version += 1;
    account.state = Credits.evolve(account.state, event);
    decision.events.push({
      ...event,
      stream: Credits.streamOf(userId),
      version: account.version,
      metadata,
      creditDelta: event.type === 'CreditsGranted' ? event.data.credits : -event.data.credits,
    });
  }
  return decided.events[0];
}

function accountOf(situation: Situation, userId: string) {
  let account = situation.accounts.get(userId);
  if (!account) situation.accounts.set(userId, (account = { version: 0, state: Credits.initialState }));
  return account;
}

function purchaseOf(situation: Situation, buyerId: string, sampleId: string) {
  const stream = purchaseStream(buyerId, sampleId);
  let purchase = situation.purchases.get(stream);
  if (!purchase) situation.purchases.set(stream, (purchase = { version: 0, state: Purchases.initialState }));
  return purchase;
}

const refused = (rejection: DeskRejection): PurchaseOutcome => ({ status: 'refused', rejection });
