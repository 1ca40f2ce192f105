import type { CreditCommand } from '../../domain/credits/credit-account.js';
import {
  obstacleTo,
  priceFor,
  purchaseDecider,
  type Purchase,
  type SampleOnOffer,
} from '../../domain/purchases/purchase.js';
import { assert, unreachable } from '../../domain/shared/decision.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import type { EventMetadata } from '../shared/event-store.js';
import {
  correctInvoice,
  returnPurchase,
  revoke,
  type CorrectInvoice,
  type ReturnPurchase,
  type RevokeCredits,
} from './credit-corrections.js';
import {
  accountOf,
  applyCredits,
  purchaseOf,
  requestKey,
  type BoughtItem,
  type BatchAnswer,
  type BatchDecision,
  type BatchRejection,
  type PurchaseOutcome,
  type DecisionContext,
} from './decision-context.js';

/** A buyer takes samples, all or nothing; none asks for the first answer alone. Ids are made by the caller, so that repeating changes nothing. */
export interface BuySamples {
  type: 'BuySamples';
  buyerId: string;
  items: { sampleId: string; purchaseId: string; certificateId: string }[];
  /** What the screen said it costs. */
  expectedCredits: number;
  /** Absent where repeating is harmless by itself: what is owned is fetched. */
  idempotency?: { key: string; requestHash: string };
  metadata: EventMetadata;
}

/** Credits arrive. The lot's id is the fact's own id: it arrives once. */
export interface ReceiveCredits {
  type: 'ReceiveCredits';
  grant: Extract<CreditCommand, { type: 'GrantCredits' }>;
  metadata: EventMetadata;
}

export type BatchCommand = BuySamples | ReceiveCredits | RevokeCredits | ReturnPurchase | CorrectInvoice;

/** Whose credits a command may move. */
export function accountHolder(command: BatchCommand): string {
  switch (command.type) {
    case 'BuySamples':
      return command.buyerId;
    case 'ReceiveCredits':
      return command.grant.userId;
    case 'RevokeCredits':
      return command.revocation.userId;
    case 'ReturnPurchase':
      return command.purchase.buyerId;
    case 'CorrectInvoice':
      return command.userId;
    default:
      return unreachable(command);
  }
}

/** Decides a batch in arrival order, each command seeing what earlier ones did. Refusals are answers. */
export function decideAll(commands: readonly BatchCommand[], context: DecisionContext): BatchDecision {
  const decision: BatchDecision = { answers: [], events: [], requests: [] };
  for (const command of commands) {
    switch (command.type) {
      case 'BuySamples':
        decision.answers.push(buy(command, context, decision));
        break;
      case 'ReceiveCredits':
        decision.answers.push(receive(command, context, decision));
        break;
      case 'RevokeCredits':
        decision.answers.push(revoke(command, context, decision));
        break;
      case 'ReturnPurchase':
        decision.answers.push(returnPurchase(command, context, decision));
        break;
      case 'CorrectInvoice':
        decision.answers.push(correctInvoice(command, context, decision));
        break;
      default:
        unreachable(command);
    }
  }
  return decision;
}

function receive(command: ReceiveCredits, context: DecisionContext, decision: BatchDecision): BatchAnswer {
  const { grant, metadata } = command;
  const account = accountOf(context, grant.userId);
  if (context.grantedLots.has(grant.lotId)) {
    return { type: 'grant', granted: false, balance: account.state.balanceCredits };
  }
  context.grantedLots.add(grant.lotId);
  applyCredits(context, decision, grant.userId, grant, metadata);
  return { type: 'grant', granted: true, balance: account.state.balanceCredits };
}

function buy(command: BuySamples, context: DecisionContext, decision: BatchDecision): BatchAnswer {
  const { buyerId, idempotency } = command;
  if (!idempotency)
    return { type: 'purchase', outcome: decidePurchase(command, context, decision), replayed: false };
  const known = context.requests.get(requestKey(buyerId, idempotency.key));
  if (known) {
    return known.requestHash === idempotency.requestHash
      ? { type: 'purchase', outcome: known.outcome, replayed: true }
      : { type: 'purchase', outcome: refused({ code: 'IdempotencyKeyReused' }), replayed: false };
  }
  // Nothing is left to be bought: only the first answer was asked for, and there is none.
  if (command.items.length === 0)
    return { type: 'purchase', outcome: refused({ code: 'SampleNotAvailable' }), replayed: false };
  const outcome = decidePurchase(command, context, decision);
  const request = { userId: buyerId, key: idempotency.key, requestHash: idempotency.requestHash, outcome };
  context.requests.set(requestKey(buyerId, idempotency.key), request);
  decision.requests.push(request);
  return { type: 'purchase', outcome, replayed: false };
}

function decidePurchase(
  command: BuySamples,
  context: DecisionContext,
  decision: BatchDecision,
): PurchaseOutcome {
  const { buyerId, items, expectedCredits } = command;
  const offers: Offer[] = [];
  let total = 0;
  // Everything that can be refused is refused before anything is decided: all or nothing.
  for (const item of items) {
    const sample = context.samples.get(item.sampleId);
    if (!sample) return refused({ code: 'SampleNotAvailable' });
    const purchase = purchaseOf(context, buyerId, item.sampleId);
    const obstacle = obstacleTo(buyerId, sample, purchase.state);
    if (obstacle) return refused(obstacle);
    total += priceFor(buyerId, sample, purchase.state);
    offers.push({ item, sample, purchase });
  }
  // Free is free, whatever the screen thought it would cost.
  if (total !== expectedCredits && total !== 0) {
    return refused({ code: 'PriceChanged', priceCredits: total, expectedCredits });
  }
  const balance = accountOf(context, buyerId).state.balanceCredits;
  if (balance < total) return refused({ code: 'InsufficientCredits', balance, missing: total - balance });

  const bought = offers.map((offer) => acquire(command, offer, context, decision));
  return {
    status: 'bought',
    charged: total,
    balance: accountOf(context, buyerId).state.balanceCredits,
    items: bought,
    purchased: total > 0,
  };
}

/** One item of an order, with what it depends on. */
interface Offer {
  item: BuySamples['items'][number];
  sample: SampleOnOffer;
  purchase: { version: number; state: Purchase };
}

/** Takes the credits and records the purchase of one sample whose refusals are ruled out. */
function acquire(
  { buyerId, metadata }: BuySamples,
  { item: { purchaseId, certificateId }, sample, purchase }: Offer,
  context: DecisionContext,
  decision: BatchDecision,
): BoughtItem {
  const priceCredits = priceFor(buyerId, sample, purchase.state);
  let valueMicroUsd = 0;
  if (priceCredits > 0) {
    const spend = { type: 'SpendCredits', userId: buyerId, purchaseId, credits: priceCredits } as const;
    const spent = applyCredits(context, decision, buyerId, spend, metadata);
    assert(spent?.type === 'CreditsSpent', 'the balance was checked');
    valueMicroUsd = spent.data.segments.reduce((sum, segment) => sum + segment.valueMicroUsd, 0);
  }
  const policy = CURRENT_SHARE_POLICY;
  const decided = purchaseDecider.decide(
    { type: 'AcquireSample', buyerId, purchaseId, certificateId, sample, valueMicroUsd, policy },
    purchase.state,
  );
  assert(decided.accepted, 'refusals were ruled out');
  const stream = purchaseDecider.streamOf({ buyerId, sampleId: sample.sampleId });
  for (const event of decided.events) {
    purchase.version += 1;
    purchase.state = purchaseDecider.evolve(purchase.state, event);
    const { type, data } = event;
    decision.events.push({ type, data, stream, version: purchase.version, metadata });
  }
  assert(purchase.state.status === 'Owned', 'an accepted acquisition ends in ownership');
  return { sampleId: sample.sampleId, charged: priceCredits, certificateId: purchase.state.certificateId };
}

const refused = (rejection: BatchRejection): PurchaseOutcome => ({ status: 'refused', rejection });
