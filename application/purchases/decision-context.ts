import {
  creditAccountDecider,
  creditDeltaOf,
  type CreditAccount,
  type CreditCommand,
  type CreditEvent,
  type CreditRejection,
} from '../../domain/credits/credit-account.js';
import type { InvoiceLot, InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';
import {
  purchaseDecider,
  type Purchase,
  type PurchaseRejection,
  type SampleOnOffer,
} from '../../domain/purchases/purchase.js';
import { assert } from '../../domain/shared/decision.js';
import type { EventMetadata, NewEvent } from '../shared/event-store.js';

/** Everything the commands of one batch depend on, as it stands under lock. Deciding moves it forward. */
export interface DecisionContext {
  accounts: Map<string, { version: number; state: CreditAccount }>;
  /** By `requestKey`. */
  requests: Map<string, { requestHash: string; outcome: PurchaseOutcome }>;
  /** By stream. */
  purchases: Map<string, { version: number; state: Purchase }>;
  samples: Map<string, SampleOnOffer>;
  grantedLots: Set<string>;
  /** By adjustment id: credits that were taken back before. */
  revocations: Set<string>;
  /** By lot id: what paid invoices collected, read for refunds, disputes and undone purchases only. */
  invoiceLots: Map<string, InvoiceLot>;
}

export type BatchRejection =
  | CreditRejection
  | PurchaseRejection
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
  | { status: 'refused'; rejection: BatchRejection };

/** `changed: false`: this adjustment was applied before. */
export type AdjustmentOutcome =
  { accepted: true; changed: boolean; balance: number } | { accepted: false; rejection: CreditRejection };

/** `changed: false`: this purchase was undone before. */
export type ReturnOutcome =
  | { accepted: true; changed: boolean; returned: number; balance: number }
  | { accepted: false; rejection: PurchaseRejection };

/** No events: it was known before. */
export type InvoiceOutcome =
  | { accepted: true; events: CreditEvent[]; balance: number }
  | { accepted: false; rejection: InvoiceLotRejection };

export type BatchAnswer =
  | { type: 'purchase'; outcome: PurchaseOutcome; replayed: boolean }
  | { type: 'grant'; granted: boolean; balance: number }
  | { type: 'revocation'; outcome: AdjustmentOutcome }
  | { type: 'return'; outcome: ReturnOutcome }
  | { type: 'invoice'; outcome: InvoiceOutcome };

/** An event with its place in its stream. */
export interface DecidedEvent extends NewEvent {
  stream: string;
  version: number;
  metadata: EventMetadata;
  creditDelta?: number;
}

/** What a batch adds up to: one answer a command, the events, and the outcomes to remember. */
export interface BatchDecision {
  answers: BatchAnswer[];
  events: DecidedEvent[];
  requests: { userId: string; key: string; requestHash: string; outcome: PurchaseOutcome }[];
}

export const requestKey = (userId: string, key: string): string => `${userId} ${key}`;

/** Decides on one account and moves it forward. The caller has ruled refusals out. */
export function applyCredits(
  context: DecisionContext,
  decision: BatchDecision,
  userId: string,
  command: CreditCommand,
  metadata: EventMetadata,
): CreditEvent | undefined {
  const account = accountOf(context, userId);
  const decided = creditAccountDecider.decide(command, account.state);
  assert(decided.accepted, 'the account was checked before');
  recordCredits(context, decision, userId, decided.events, metadata);
  return decided.events[0];
}

/** Moves one account forward by events decided about it. */
export function recordCredits(
  context: DecisionContext,
  decision: BatchDecision,
  userId: string,
  events: readonly CreditEvent[],
  metadata: EventMetadata,
): void {
  const account = accountOf(context, userId);
  const stream = creditAccountDecider.streamOf(userId);
  for (const event of events) {
    account.version += 1;
    account.state = creditAccountDecider.evolve(account.state, event);
    const { type, data } = event;
    const creditDelta = creditDeltaOf(event);
    decision.events.push({ type, data, stream, version: account.version, metadata, creditDelta });
  }
}

export function accountOf(context: DecisionContext, userId: string) {
  let account = context.accounts.get(userId);
  if (!account)
    context.accounts.set(userId, (account = { version: 0, state: creditAccountDecider.initialState }));
  return account;
}

export function purchaseOf(context: DecisionContext, buyerId: string, sampleId: string) {
  const stream = purchaseDecider.streamOf({ buyerId, sampleId });
  let purchase = context.purchases.get(stream);
  if (!purchase)
    context.purchases.set(stream, (purchase = { version: 0, state: purchaseDecider.initialState }));
  return purchase;
}
