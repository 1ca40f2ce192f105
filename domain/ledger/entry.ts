import type { AdjustingLine } from '../shared/adjusting-lines.js';
import type { BalanceTransactionEvent } from '../shared/balance-movement.js';
import { byType } from '../shared/by-type.js';
import type { InvoiceEvent } from '../shared/invoice-event.js';
import {
  granted,
  revoked,
  share,
  spent,
  type Granting,
  type Sharing,
  type Taking,
} from './entries/credit-entries.js';
import { invoiceEntry } from './entries/invoice-entries.js';
import { fee, heldMovement } from './entries/movement-entries.js';
import { payoutEntry, type PayoutFact } from './entries/payout-entries.js';
import { entry, type Entry } from './entries/entry-parts.js';

export type { Entry, LedgerFact, Posting } from './entries/entry-parts.js';

/** The fields of events that the books read. Only these events move money or credits. */
export type FinancialEvent =
  | { type: 'CreditsGranted'; data: Granting }
  | { type: 'CreditsSpent' | 'CreditsRevoked'; data: Taking }
  | { type: 'SamplePurchased' | 'PurchaseReturned'; data: Sharing }
  | { type: 'AdjustingEntryPosted'; data: { lines: readonly AdjustingLine[] } }
  | PayoutFact
  | BalanceTransactionEvent
  | InvoiceEvent;

const ENTRIES = byType<FinancialEvent, [], Entry | undefined>({
  CreditsGranted: ({ data }) => granted(data),
  CreditsSpent: ({ data }) => spent(data),
  CreditsRevoked: ({ data }) => revoked(data),
  SamplePurchased: ({ data }) => entry('share-earned', share(data, 1)),
  PurchaseReturned: ({ data }) => entry('share-returned', share(data, -1)),
  WithdrawalRequested: payoutEntry,
  TransferCreated: payoutEntry,
  WithdrawalFailed: payoutEntry,
  TransferReversed: payoutEntry,
  CreatorDebtWrittenOff: payoutEntry,
  BankPayoutSent: payoutEntry,
  BankPayoutArrived: payoutEntry,
  BankPayoutFailed: payoutEntry,
  BalanceTransactionRecorded: ({ data }) => fee(data),
  MovementHeldInSuspense: ({ data }) => heldMovement(data, 1),
  MovementExplained: ({ data }) => heldMovement(data, -1),
  InvoiceRefunded: invoiceEntry,
  RefundPending: invoiceEntry,
  RefundNoLongerPending: invoiceEntry,
  RefundFailed: invoiceEntry,
  RefundUndone: invoiceEntry,
  DisputeOpened: invoiceEntry,
  DisputeAdjusted: invoiceEntry,
  DisputeWon: invoiceEntry,
  DisputeLost: invoiceEntry,
  LostDisputeWon: invoiceEntry,
  ShareTakenBack: ({ data }) => entry('share-taken-back', share(data, -1)),
  AdjustingEntryPosted: ({ data }) =>
    entry(
      'adjusting-entry',
      data.lines.map(({ about: _, ...posting }) => posting),
    ),
});

export const FINANCIAL_EVENT_TYPES = ENTRIES.types;

/**
 * Returns the entry of an event, or undefined if it moves nothing: a re-download, a creator's own sample, a share of
 * worthless credits.
 *
 * A purchase is two events. `CreditsSpent` knows the lots, so it turns deferred into earned income and moves the
 * credits. `SamplePurchased` knows the creator, so it turns income into the creator's share. The two never post the
 * same amount. An undone purchase is the exact mirror: `PurchaseReturned` takes the share back, and each
 * `CreditsGranted` of a returned lot turns income into deferred again.
 */
export const entryFor = ({ type, data }: { type: string; data: unknown }): Entry | undefined =>
  ENTRIES.of({ type, data } as FinancialEvent);

/** Returns the sum of an entry per commodity. Each sum of a correct entry is 0. */
export function sumsOf({ postings }: Pick<Entry, 'postings'>): Record<string, number> {
  const sums: Record<string, number> = { usd: 0, credits: 0 };
  for (const { commodity, delta } of postings) sums[commodity] = (sums[commodity] ?? 0) + delta;
  return sums;
}
