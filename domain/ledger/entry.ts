import type { AdjustingLine } from '../shared/adjusting-lines.js';
import type { BalanceTransactionEvent } from '../shared/balance-movement.js';
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

export const FINANCIAL_EVENT_TYPES = [
  'CreditsGranted',
  'CreditsSpent',
  'CreditsRevoked',
  'SamplePurchased',
  'PurchaseReturned',
  'WithdrawalRequested',
  'TransferCreated',
  'WithdrawalFailed',
  'TransferReversed',
  'CreatorDebtWrittenOff',
  'BankPayoutSent',
  'BankPayoutArrived',
  'BankPayoutFailed',
  'BalanceTransactionRecorded',
  'MovementHeldInSuspense',
  'MovementExplained',
  'InvoiceRefunded',
  'RefundPending',
  'RefundNoLongerPending',
  'RefundFailed',
  'RefundUndone',
  'DisputeOpened',
  'DisputeAdjusted',
  'DisputeWon',
  'DisputeLost',
  'LostDisputeWon',
  'ShareTakenBack',
  'AdjustingEntryPosted',
] as const satisfies readonly FinancialEvent['type'][];

/**
 * Returns the entry of an event, or undefined if it moves nothing: a re-download, a creator's own sample, a share of
 * worthless credits.
 *
 * A purchase is two events. `CreditsSpent` knows the lots, so it turns deferred into earned income and moves the
 * credits. `SamplePurchased` knows the creator, so it turns income into the creator's share. The two never post the
 * same amount. An undone purchase is the exact mirror: `PurchaseReturned` takes the share back, and each
 * `CreditsGranted` of a returned lot turns income into deferred again.
 */
export function entryFor({ type, data }: { type: string; data: unknown }): Entry | undefined {
  const event = { type, data } as FinancialEvent;
  switch (event.type) {
    case 'CreditsGranted':
      return granted(event.data);
    case 'CreditsSpent':
      return spent(event.data);
    case 'CreditsRevoked':
      return revoked(event.data);
    case 'SamplePurchased':
      return entry('share-earned', share(event.data, 1));
    case 'PurchaseReturned':
      return entry('share-returned', share(event.data, -1));
    case 'WithdrawalRequested':
    case 'TransferCreated':
    case 'WithdrawalFailed':
    case 'TransferReversed':
    case 'CreatorDebtWrittenOff':
    case 'BankPayoutSent':
    case 'BankPayoutArrived':
    case 'BankPayoutFailed':
      return payoutEntry(event);
    case 'BalanceTransactionRecorded':
      return fee(event.data);
    case 'MovementHeldInSuspense':
      return heldMovement(event.data, 1);
    case 'MovementExplained':
      return heldMovement(event.data, -1);
    case 'AdjustingEntryPosted':
      return entry(
        'adjusting-entry',
        event.data.lines.map(({ about: _, ...posting }) => posting),
      );
    case 'ShareTakenBack':
      return entry('share-taken-back', share(event.data, -1));
    case 'InvoiceRefunded':
    case 'RefundPending':
    case 'RefundNoLongerPending':
    case 'RefundFailed':
    case 'RefundUndone':
    case 'DisputeOpened':
    case 'DisputeAdjusted':
    case 'DisputeWon':
    case 'DisputeLost':
    case 'LostDisputeWon':
      return invoiceEntry(event);
    default:
      return undefined;
  }
}

/** Returns the sum of an entry per commodity. Each sum of a correct entry is 0. */
export function sumsOf({ postings }: Pick<Entry, 'postings'>): Record<string, number> {
  const sums: Record<string, number> = { usd: 0, credits: 0 };
  for (const { commodity, delta } of postings) sums[commodity] = (sums[commodity] ?? 0) + delta;
  return sums;
}
