import type { Unexplained } from '../../shared/invoice-event.js';
import { creatorAccount, deferredAccount, SUSPENSE, taxAccount, userAccount } from '../accounts.js';
import {
  amountOf,
  CASH,
  credits,
  entry,
  usd,
  valueOf,
  type Entry,
  type LotValue,
  type Posting,
} from './entry-parts.js';

/** Credits that an account receives. */
export interface Granting extends LotValue {
  userId: string;
  reason: string;
  invoice?: {
    grossMicroUsd: number;
    taxMicroUsd: number;
    taxed?: { place: string };
    unexplained?: Unexplained;
  };
}

/** Credits that leave an account. */
export interface Taking {
  userId: string;
  credits: number;
  segments: readonly LotValue[];
}

export interface Sharing {
  creatorId: string;
  shareMicroUsd: number;
}

export function granted(grant: Granting): Entry | undefined {
  const { userId, lotId, valueMicroUsd, invoice, reason } = grant;
  const arriving = [credits(userAccount(userId), grant.credits), credits('issued', -grant.credits)];
  if (invoice) {
    // Posts the gross as paid, so that the sum of the entry reveals a gross that differs from tax plus value.
    const missing = amountOf(invoice.unexplained);
    return entry('invoice-paid', [
      usd(CASH, invoice.grossMicroUsd - missing),
      usd(SUSPENSE, missing),
      usd(taxAccount(invoice.taxed?.place), -invoice.taxMicroUsd),
      usd(deferredAccount(lotId), -valueMicroUsd),
      ...arriving,
    ]);
  }
  if (reason === 'refund') {
    return entry('return', [
      usd('credits', valueMicroUsd),
      usd(deferredAccount(lotId), -valueMicroUsd),
      credits(userAccount(userId), grant.credits),
      credits('spent', -grant.credits),
    ]);
  }
  // Funded credits behave like cash from here on. Unfunded credits have no value and post no money.
  return entry(reason === 'admin_adjustment' ? 'adjustment' : 'promotion', [
    usd('promotions', valueMicroUsd),
    usd(deferredAccount(lotId), -valueMicroUsd),
    ...arriving,
  ]);
}

export function spent({ userId, credits: count, segments }: Taking): Entry | undefined {
  return entry('credits-spent', [
    ...noLongerDeferred(segments, 'credits'),
    credits(userAccount(userId), -count),
    credits('spent', count),
  ]);
}

export function revoked({ userId, credits: count, segments }: Taking): Entry | undefined {
  return entry('adjustment', [
    ...noLongerDeferred(segments, 'forfeited'),
    credits(userAccount(userId), -count),
    credits('revoked', count),
  ]);
}

function noLongerDeferred(segments: readonly LotValue[], income: 'credits' | 'forfeited'): Posting[] {
  return [
    ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
    usd(income, -valueOf(segments)),
  ];
}

export const share = ({ creatorId, shareMicroUsd }: Sharing, sign: 1 | -1): Posting[] => [
  usd('royalties', sign * shareMicroUsd),
  usd(creatorAccount(creatorId), -sign * shareMicroUsd),
];
