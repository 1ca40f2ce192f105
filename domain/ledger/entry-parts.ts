import type { Unexplained } from '../shared/invoice-event.js';
import { assertMicroUsd } from '../shared/micro-usd.js';
import { deferredAccount, foreignAccount, type Commodity } from './accounts.js';

/** The kind of fact behind a line. Roll-forwards of credits sum the lines of each kind. */
export type LedgerFact =
  | 'invoice-paid'
  | 'promotion'
  | 'gift-given'
  | 'gift-received'
  | 'adjustment'
  | 'return'
  | 'credits-spent'
  | 'share-earned'
  | 'share-returned'
  | 'withdrawal-requested'
  | 'transfer-created'
  | 'withdrawal-failed'
  | 'transfer-reversed'
  | 'debt-written-off'
  | 'bank-payout-sent'
  | 'bank-payout-arrived'
  | 'bank-payout-failed'
  | 'stripe-fee'
  | 'movement-in-suspense'
  | 'invoice-refunded'
  | 'refund-pending'
  | 'refund-no-longer-pending'
  | 'refund-failed'
  | 'refund-undone'
  | 'dispute-opened'
  | 'dispute-adjusted'
  | 'dispute-won'
  | 'dispute-lost'
  | 'share-taken-back'
  | 'adjusting-entry';

/** One side of an entry, in millionths of a currency or in whole credits. `delta` is positive for a debit. */
export interface Posting {
  account: string;
  commodity: Commodity;
  delta: number;
}

/** The postings of one event. They sum to 0 per commodity, and none of them is 0. */
export interface Entry {
  fact: LedgerFact;
  postings: Posting[];
}

export interface LotValue {
  lotId: string;
  credits: number;
  valueMicroUsd: number;
}

export const valueOf = (segments: readonly LotValue[]): number =>
  segments.reduce((sum, segment) => sum + segment.valueMicroUsd, 0);

export const noLongerDeferred = (segments: readonly LotValue[]): Posting[] =>
  segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd));

export const amountOf = (unexplained: Unexplained | undefined): number => unexplained?.amountMicroUsd ?? 0;

export const CASH = 'stripe:balance';

export function entry(fact: LedgerFact, postings: Posting[]): Entry | undefined {
  const moving = postings.filter(({ delta }) => delta !== 0);
  return moving.length === 0 ? undefined : { fact, postings: moving };
}

export const usd = (account: string, delta: number): Posting => ({
  account,
  commodity: 'usd',
  delta: assertMicroUsd(delta),
});

/** A posting in a currency other than dollars, in millionths of that currency. */
export const inForeign = (account: string, commodity: string, delta: number): Posting => ({
  account: foreignAccount(account, commodity),
  commodity,
  delta: assertMicroUsd(delta),
});

export const credits = (account: string, delta: number): Posting => ({
  account,
  commodity: 'credits',
  delta,
});
