import type { AdjustingLine } from '../shared/adjusting-lines.js';
import { feeOfRecord, type BalanceTransactionEvent, type HeldMovement } from '../shared/balance-movement.js';
import { byType } from '../shared/by-type.js';
import type { InvoiceEvent, Unexplained } from '../shared/invoice-event.js';
import { sharesOf, type DividedShare } from '../shared/share-policy.js';
import { creatorAccount, deferredAccount, SUSPENSE, taxAccount, userAccount } from './accounts.js';
import {
  amountOf,
  CASH,
  credits,
  entry,
  inForeign,
  noLongerDeferred,
  usd,
  valueOf,
  type Entry,
  type LedgerFact,
  type LotValue,
  type Posting,
} from './entry-parts.js';
import { INVOICE_ENTRIES } from './invoice-entries.js';

export type { Entry, LedgerFact, Posting } from './entry-parts.js';

/** Credits that leave an account. */
interface Taking {
  userId: string;
  credits: number;
  segments: readonly LotValue[];
}

/** The events that move money or credits, with the fields that the books read. */
export type FinancialEvent =
  | {
      type: 'CreditsGranted';
      data: LotValue & {
        userId: string;
        reason: string;
        invoice?: {
          grossMicroUsd: number;
          taxMicroUsd: number;
          taxed?: { place: string };
          unexplained?: Unexplained;
        };
      };
    }
  | { type: 'GiftGiven' | 'GiftReceived'; data: { userId: string; credits: number } }
  | { type: 'CreditsSpent' | 'CreditsRevoked'; data: Taking }
  | { type: 'SamplePurchased' | 'PurchaseReturned'; data: DividedShare }
  | { type: 'AdjustingEntryPosted'; data: { lines: readonly AdjustingLine[] } }
  | {
      type:
        | 'WithdrawalRequested'
        | 'TransferCreated'
        | 'WithdrawalFailed'
        | 'TransferReversed'
        | 'CreatorDebtWrittenOff';
      data: { creatorId: string; amountMicroUsd: number };
    }
  | { type: 'BankPayoutSent' | 'BankPayoutArrived'; data: { amountMicroUsd: number } }
  | { type: 'BankPayoutFailed'; data: { amountMicroUsd: number; arrived: boolean } }
  | BalanceTransactionEvent
  | InvoiceEvent;

const IN_TRANSIT = 'payouts-in-transit';
const TO_BANK = 'bank:in-transit';

const moved = (fact: LedgerFact, debit: string, credit: string, amountMicroUsd: number) =>
  entry(fact, [usd(debit, amountMicroUsd), usd(credit, -amountMicroUsd)]);

const share = (sale: DividedShare, sign: 1 | -1): Posting[] => [
  usd('royalties', sign * sale.shareMicroUsd),
  ...sharesOf(sale).map(({ creatorId, shareMicroUsd }) =>
    usd(creatorAccount(creatorId), -sign * shareMicroUsd),
  ),
];

const taken = ({ userId, credits: count, segments }: Taking, income: string, to: string): Posting[] => [
  ...noLongerDeferred(segments),
  usd(income, -valueOf(segments)),
  credits(userAccount(userId), -count),
  credits(to, count),
];

/**
 * Posts a movement that no event explains, to suspense, to the reserve or to the opening
 * balances. `sign` −1 reverses the posting.
 */
const heldMovement = (held: HeldMovement, sign: 1 | -1): Entry | undefined =>
  entry(
    'movement-in-suspense',
    held.foreign
      ? [
          inForeign(CASH, held.foreign.currency, sign * held.foreign.amountMicro),
          inForeign(held.account ?? SUSPENSE, held.foreign.currency, -sign * held.foreign.amountMicro),
        ]
      : [
          usd(CASH, sign * (held.amountMicroUsd - held.feeMicroUsd)),
          usd(held.feeAccount ?? 'dispute-fees', sign * held.feeMicroUsd),
          usd(held.account ?? SUSPENSE, -sign * held.amountMicroUsd),
        ],
  );

const ENTRIES = byType<FinancialEvent, [], Entry | undefined>({
  CreditsGranted({ data: { userId, lotId, valueMicroUsd, invoice, reason, credits: count } }) {
    const deferred = usd(deferredAccount(lotId), -valueMicroUsd);
    const arriving = credits(userAccount(userId), count);
    if (invoice) {
      // Posts the gross amount as paid. If it differs from tax plus value, the entry does not sum to 0 and is reported.
      const missing = amountOf(invoice.unexplained);
      return entry('invoice-paid', [
        usd(CASH, invoice.grossMicroUsd - missing),
        usd(SUSPENSE, missing),
        usd(taxAccount(invoice.taxed?.place), -invoice.taxMicroUsd),
        deferred,
        arriving,
        credits('issued', -count),
      ]);
    }
    if (reason === 'refund')
      return entry('return', [usd('credits', valueMicroUsd), deferred, arriving, credits('spent', -count)]);
    // Credits that we fund have a value, and later events treat them like paid credits. Other promotional credits have no value.
    return entry(reason === 'admin_adjustment' ? 'adjustment' : 'promotion', [
      usd('promotions', valueMicroUsd),
      deferred,
      arriving,
      credits('issued', -count),
    ]);
  },
  // The value stays deferred in the same lot, so only the credits move. The giver's event and the recipient's event
  // each move the credits of their own user.
  GiftGiven: ({ data }) =>
    entry('gift-given', [credits(userAccount(data.userId), -data.credits), credits('issued', data.credits)]),
  GiftReceived: ({ data }) =>
    entry('gift-received', [
      credits(userAccount(data.userId), data.credits),
      credits('issued', -data.credits),
    ]),
  CreditsSpent: ({ data }) => entry('credits-spent', taken(data, 'credits', 'spent')),
  CreditsRevoked: ({ data }) => entry('adjustment', taken(data, 'forfeited', 'revoked')),
  SamplePurchased: ({ data }) => entry('share-earned', share(data, 1)),
  PurchaseReturned: ({ data }) => entry('share-returned', share(data, -1)),
  WithdrawalRequested: ({ data: { creatorId, amountMicroUsd } }) =>
    moved('withdrawal-requested', creatorAccount(creatorId), IN_TRANSIT, amountMicroUsd),
  TransferCreated: ({ data }) => moved('transfer-created', IN_TRANSIT, CASH, data.amountMicroUsd),
  WithdrawalFailed: ({ data: { creatorId, amountMicroUsd } }) =>
    moved('withdrawal-failed', IN_TRANSIT, creatorAccount(creatorId), amountMicroUsd),
  TransferReversed: ({ data: { creatorId, amountMicroUsd } }) =>
    moved('transfer-reversed', CASH, creatorAccount(creatorId), amountMicroUsd),
  CreatorDebtWrittenOff: ({ data: { creatorId, amountMicroUsd } }) =>
    moved('debt-written-off', 'creator-losses', creatorAccount(creatorId), amountMicroUsd),
  BankPayoutSent: ({ data }) => moved('bank-payout-sent', TO_BANK, CASH, data.amountMicroUsd),
  BankPayoutArrived: ({ data }) => moved('bank-payout-arrived', 'bank', TO_BANK, data.amountMicroUsd),
  BankPayoutFailed: ({ data: { arrived, amountMicroUsd } }) =>
    moved('bank-payout-failed', CASH, arrived ? 'bank' : TO_BANK, amountMicroUsd),
  // Posts only the fee of a movement; the event of its subject posts the amount. The event of an opened or adjusted
  // dispute also posts the fee.
  BalanceTransactionRecorded({ data }) {
    const kept = feeOfRecord(data);
    // A won dispute may return its fee.
    const account = data.kind === 'dispute won' ? 'dispute-fees' : 'stripe-fees';
    return entry('stripe-fee', [usd(account, kept), usd(CASH, -kept)]);
  },
  MovementHeldInSuspense: ({ data }) => heldMovement(data, 1),
  MovementExplained: ({ data }) => heldMovement(data, -1),
  ...INVOICE_ENTRIES,
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
 * A purchase is two events. `CreditsSpent` knows the lots, so it turns deferred revenue into income and moves the
 * credits. `SamplePurchased` knows the creators, so it turns income into their shares. The two never post the
 * same amount. An undone purchase is the exact mirror: `PurchaseReturned` takes the share back, and each
 * `CreditsGranted` of a returned lot turns income into deferred revenue.
 */
export const entryFor = ({ type, data }: { type: string; data: unknown }): Entry | undefined =>
  ENTRIES.of({ type, data } as FinancialEvent);

/** Returns the sum of an entry per commodity. Each sum of a correct entry is 0. */
export function sumsOf({ postings }: Pick<Entry, 'postings'>): Record<string, number> {
  const sums: Record<string, number> = { usd: 0, credits: 0 };
  for (const { commodity, delta } of postings) sums[commodity] = (sums[commodity] ?? 0) + delta;
  return sums;
}
