import type { InvoiceEvent, NotSent } from '../../shared/invoice-event.js';
import { deferredAccount, frozenAccount, OWED, SUSPENSE, taxAccount, userAccount } from '../accounts.js';
import { amountOf, CASH, credits, entry, usd, valueOf, type Entry, type Posting } from './entry-parts.js';

type Refunding = Extract<InvoiceEvent, { type: 'InvoiceRefunded' | 'RefundUndone' }>['data'];

/** Returns the entry of an event about a refund or a dispute. */
export function invoiceEntry(event: Exclude<InvoiceEvent, { type: 'ShareTakenBack' }>): Entry | undefined {
  const user = userAccount(event.data.userId);
  const frozen = frozenAccount(event.data.userId);
  switch (event.type) {
    case 'InvoiceRefunded':
      return entry('invoice-refunded', refunded(event.data));
    case 'RefundUndone':
      return entry(
        'refund-undone',
        refunded(event.data).map((posting) => ({ ...posting, delta: -posting.delta })),
      );
    case 'RefundPending':
      return entry('refund-pending', notSent(event.data, 1));
    case 'RefundNoLongerPending':
      return entry('refund-no-longer-pending', notSent(event.data, -1));
    case 'RefundFailed':
      return entry('refund-failed', notSent(event.data, 1));
    case 'DisputeOpened': {
      const { amountMicroUsd, feeMicroUsd, credits: count } = event.data;
      const beyond = amountOf(event.data.unexplained);
      return entry('dispute-opened', [
        usd('disputes:held', amountMicroUsd - beyond),
        usd(SUSPENSE, beyond),
        usd('dispute-fees', feeMicroUsd),
        usd(CASH, -(amountMicroUsd + feeMicroUsd)),
        credits(user, -count),
        credits(frozen, count),
      ]);
    }
    case 'DisputeAdjusted': {
      const { deltaMicroUsd, feeDeltaMicroUsd } = event.data;
      const beyond = amountOf(event.data.unexplained);
      return entry('dispute-adjusted', [
        usd('disputes:held', deltaMicroUsd - beyond),
        usd(SUSPENSE, beyond),
        usd('dispute-fees', feeDeltaMicroUsd),
        usd(CASH, -(deltaMicroUsd + feeDeltaMicroUsd)),
      ]);
    }
    case 'LostDisputeWon': {
      const { amountMicroUsd } = event.data;
      const beyond = amountOf(event.data.unexplained);
      return entry('dispute-won', [
        usd(CASH, amountMicroUsd),
        usd('chargeback-loss', -(amountMicroUsd - beyond)),
        usd(SUSPENSE, -beyond),
      ]);
    }
    case 'DisputeWon': {
      const { amountMicroUsd, credits: count } = event.data;
      const beyond = amountOf(event.data.unexplained);
      return entry('dispute-won', [
        usd(CASH, amountMicroUsd),
        usd('disputes:held', -(amountMicroUsd - beyond)),
        usd(SUSPENSE, -beyond),
        credits(frozen, -count),
        credits(user, count),
      ]);
    }
    case 'DisputeLost': {
      const { segments, taxMicroUsd, taxPlace, credits: count } = event.data;
      const unspent = valueOf(segments);
      // The part that the payment does not explain stays in suspense.
      const amountMicroUsd = event.data.amountMicroUsd - amountOf(event.data.unexplained);
      return entry('dispute-lost', [
        ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
        usd(taxAccount(taxPlace), taxMicroUsd),
        usd('chargeback-loss', Math.max(amountMicroUsd - unspent - taxMicroUsd, 0)),
        usd('disputes:held', -amountMicroUsd),
        // A small dispute took less than the rest of the lot is worth.
        usd('forfeited', -Math.max(unspent - amountMicroUsd, 0)),
        credits(frozen, -count),
        credits('revoked', count),
      ]);
    }
  }
}

/**
 * Posts a refund whose money we hold. The customer is owed the part that the payment explains. Older events hold all of
 * it in suspense, because closed months were summed up that way.
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
    ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
    usd(taxAccount(taxPlace), taxMicroUsd),
    usd(paymentFailed ? 'chargeback-loss' : 'refunds', Math.max(netMicroUsd - unspent, 0)),
    usd(SUSPENSE, beyond),
    usd(CASH, -(netMicroUsd + taxMicroUsd + beyond)),
    usd('forfeited', -Math.max(unspent - netMicroUsd, 0)),
    credits(frozen ? frozenAccount(userId) : userAccount(userId), -count),
    credits('revoked', count),
  ];
}
