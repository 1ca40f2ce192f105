import type { ByType } from '../shared/by-type.js';
import type { InvoiceEvent, NotSent, Unexplained } from '../shared/invoice-event.js';
import { frozenAccount, OWED, SUSPENSE, taxAccount, userAccount } from './accounts.js';
import {
  amountOf,
  CASH,
  credits,
  entry,
  noLongerDeferred,
  usd,
  valueOf,
  type Entry,
  type Posting,
} from './entry-parts.js';

type Refunding = Extract<InvoiceEvent, { type: 'InvoiceRefunded' | 'RefundUndone' }>['data'];

/** The entries of events about refunds and disputes. */
export const INVOICE_ENTRIES: ByType<
  Exclude<InvoiceEvent, { type: 'ShareTakenBack' }>,
  [],
  Entry | undefined
> = {
  InvoiceRefunded: ({ data }) => entry('invoice-refunded', refunded(data)),
  RefundPending: ({ data }) => entry('refund-pending', notSent(data, 1)),
  RefundNoLongerPending: ({ data }) => entry('refund-no-longer-pending', notSent(data, -1)),
  RefundFailed: ({ data }) => entry('refund-failed', notSent(data, 1)),
  RefundUndone: ({ data }) =>
    entry(
      'refund-undone',
      refunded(data).map((posting) => ({ ...posting, delta: -posting.delta })),
    ),
  DisputeOpened({ data: { userId, amountMicroUsd, feeMicroUsd, credits: count, unexplained } }) {
    return entry('dispute-opened', [
      ...disputed(amountMicroUsd, feeMicroUsd, unexplained),
      credits(userAccount(userId), -count),
      credits(frozenAccount(userId), count),
    ]);
  },
  DisputeAdjusted: ({ data: { deltaMicroUsd, feeDeltaMicroUsd, unexplained } }) =>
    entry('dispute-adjusted', disputed(deltaMicroUsd, feeDeltaMicroUsd, unexplained)),
  DisputeWon: ({ data: { userId, credits: count, ...given } }) =>
    entry('dispute-won', [
      ...returned(given, 'disputes:held'),
      credits(frozenAccount(userId), -count),
      credits(userAccount(userId), count),
    ]),
  DisputeLost({ data: { userId, segments, taxMicroUsd, taxPlace, credits: count, ...lost } }) {
    const unspent = valueOf(segments);
    // The part of the lost amount that exceeds the payment stays in suspense.
    const amountMicroUsd = lost.amountMicroUsd - amountOf(lost.unexplained);
    return entry('dispute-lost', [
      ...noLongerDeferred(segments),
      usd(taxAccount(taxPlace), taxMicroUsd),
      usd('chargeback-loss', Math.max(amountMicroUsd - unspent - taxMicroUsd, 0)),
      usd('disputes:held', -amountMicroUsd),
      // If the bank took less than the unspent credits are worth, the buyer forfeits the difference.
      usd('forfeited', -Math.max(unspent - amountMicroUsd, 0)),
      credits(frozenAccount(userId), -count),
      credits('revoked', count),
    ]);
  },
  LostDisputeWon({ data: { userId, segments = [], credits: count = 0, taxMicroUsd = 0, taxPlace, ...won } }) {
    const worth = valueOf(segments);
    const amountMicroUsd = won.amountMicroUsd - amountOf(won.unexplained);
    return entry('dispute-won', [
      ...returned(won, 'chargeback-loss'),
      usd(taxAccount(taxPlace), -taxMicroUsd),
      usd('chargeback-loss', taxMicroUsd),
      // Reverses what the lost dispute posted about the credits that come back.
      ...noLongerDeferred(segments).map((posting) => ({ ...posting, delta: -posting.delta })),
      usd('chargeback-loss', Math.min(worth, amountMicroUsd)),
      usd('forfeited', Math.max(worth - amountMicroUsd, 0)),
      credits(userAccount(userId), count),
      credits('revoked', -count),
    ]);
  },
};

function disputed(amount: number, fee: number, unexplained: Unexplained | undefined): Posting[] {
  const beyond = amountOf(unexplained);
  return [
    usd('disputes:held', amount - beyond),
    usd(SUSPENSE, beyond),
    usd('dispute-fees', fee),
    usd(CASH, -(amount + fee)),
  ];
}

const returned = (
  { amountMicroUsd, unexplained }: { amountMicroUsd: number; unexplained?: Unexplained },
  from: string,
): Posting[] => [
  usd(CASH, amountMicroUsd),
  usd(from, -(amountMicroUsd - amountOf(unexplained))),
  usd(SUSPENSE, -amountOf(unexplained)),
];

/**
 * Posts a refund that was not sent, so that its money is in our balance. We owe the customer the part that the payment
 * explains. Older events keep all of it in suspense, because the stored sums of closed months have it there.
 */
function notSent(
  { amountMicroUsd, owed, unexplained }: NotSent & { amountMicroUsd: number },
  sign: 1 | -1,
): Posting[] {
  const held = owed ? amountOf(unexplained) : amountMicroUsd;
  return [
    usd(CASH, sign * amountMicroUsd),
    usd(OWED, sign * (held - amountMicroUsd)),
    usd(SUSPENSE, -sign * held),
  ];
}

function refunded(refund: Refunding): Posting[] {
  const { userId, segments, netMicroUsd, taxMicroUsd, taxPlace, credits: count, frozen } = refund;
  const paymentFailed = 'paymentFailed' in refund;
  const unspent = valueOf(segments);
  const beyond = amountOf(refund.unexplained);
  return [
    ...noLongerDeferred(segments),
    usd(taxAccount(taxPlace), taxMicroUsd),
    usd(paymentFailed ? 'chargeback-loss' : 'refunds', Math.max(netMicroUsd - unspent, 0)),
    usd(SUSPENSE, beyond),
    usd(CASH, -(netMicroUsd + taxMicroUsd + beyond)),
    usd('forfeited', -Math.max(unspent - netMicroUsd, 0)),
    credits(frozen ? frozenAccount(userId) : userAccount(userId), -count),
    credits('revoked', count),
  ];
}
