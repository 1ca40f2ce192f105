import { assertMicroUsd } from '../shared/micro-usd.js';
import { creatorAccount, deferredAccount, userAccount, type Commodity } from './accounts.js';

/** What kind of fact a line comes from; credit roll-forwards are summed by it. */
export type LedgerFact =
  | 'invoice-paid'
  | 'promotion'
  | 'adjustment'
  | 'return'
  | 'credits-spent'
  | 'share-earned'
  | 'share-returned'
  | 'withdrawal-requested'
  | 'transfer-created'
  | 'withdrawal-failed'
  | 'transfer-reversed';

/** One side of an entry: a debit above zero, a credit below. Micro-dollars or credits, always whole. */
export interface Posting {
  account: string;
  commodity: Commodity;
  delta: number;
}

/** All that one event moves. Its postings sum to 0 in each commodity, and none of them is 0. */
export interface Entry {
  fact: LedgerFact;
  postings: Posting[];
}

/** Credits of a lot, and what they are worth. */
interface LotValue {
  lotId: string;
  credits: number;
  valueMicroUsd: number;
}

/** The events that can move money or credits, as far as the books read them. */
export type FinancialEvent =
  | {
      type: 'CreditsGranted';
      data: LotValue & {
        userId: string;
        reason: string;
        invoice?: { grossMicroUsd: number; taxMicroUsd: number };
      };
    }
  | {
      type: 'CreditsSpent' | 'CreditsRevoked';
      data: { userId: string; credits: number; segments: readonly LotValue[] };
    }
  | { type: 'SamplePurchased' | 'PurchaseReturned'; data: { creatorId: string; shareMicroUsd: number } }
  | {
      type: 'WithdrawalRequested' | 'TransferCreated' | 'WithdrawalFailed' | 'TransferReversed';
      data: { creatorId: string; amountMicroUsd: number };
    };

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
] as const satisfies readonly FinancialEvent['type'][];

/**
 * The one entry of an event, or undefined where it moves nothing: a re-download, a creator's own sample, a
 * share of worthless credits.
 *
 * A purchase is two events. `CreditsSpent` knows the lots, so it turns deferred into earned income and moves
 * the credits; `SamplePurchased` knows the creator, so it turns income into the creator's share. Nothing is
 * posted by both. A purchase undone is the exact mirror: `PurchaseReturned` takes the share back, and each
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
      return moved('withdrawal-requested', creatorAccount(event.data.creatorId), IN_TRANSIT, event.data);
    case 'TransferCreated':
      return moved('transfer-created', IN_TRANSIT, CASH, event.data);
    case 'WithdrawalFailed':
      return moved('withdrawal-failed', IN_TRANSIT, creatorAccount(event.data.creatorId), event.data);
    case 'TransferReversed':
      return moved('transfer-reversed', CASH, creatorAccount(event.data.creatorId), event.data);
    default:
      return undefined;
  }
}

/** The sum of an entry in each commodity; an entry that is right gives 0 twice. */
export function sumsOf({ postings }: Pick<Entry, 'postings'>): Record<Commodity, number> {
  const sums = { usd: 0, credits: 0 };
  for (const { commodity, delta } of postings) sums[commodity] += delta;
  return sums;
}

type Granting = Extract<FinancialEvent, { type: 'CreditsGranted' }>['data'];
type Taking = Extract<FinancialEvent, { data: { segments: readonly LotValue[] } }>['data'];
type Sharing = Extract<FinancialEvent, { type: 'SamplePurchased' | 'PurchaseReturned' }>['data'];

function granted(grant: Granting): Entry | undefined {
  const { userId, lotId, valueMicroUsd, invoice, reason } = grant;
  const arriving = [credits(userAccount(userId), grant.credits), credits('issued', -grant.credits)];
  if (invoice) {
    // The gross is posted as it was paid: were it not tax and value together, the sum would show it.
    return entry('invoice-paid', [
      usd('stripe:balance', invoice.grossMicroUsd),
      usd('tax', -invoice.taxMicroUsd),
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
  // Funded by us: from here on it behaves like cash. Unfunded credits are worth nothing and post no money.
  return entry(reason === 'admin_adjustment' ? 'adjustment' : 'promotion', [
    usd('promotions', valueMicroUsd),
    usd(deferredAccount(lotId), -valueMicroUsd),
    ...arriving,
  ]);
}

function spent({ userId, credits: count, segments }: Taking): Entry | undefined {
  return entry('credits-spent', [
    ...noLongerDeferred(segments, 'credits'),
    credits(userAccount(userId), -count),
    credits('spent', count),
  ]);
}

function revoked({ userId, credits: count, segments }: Taking): Entry | undefined {
  return entry('adjustment', [
    ...noLongerDeferred(segments, 'forfeited'),
    credits(userAccount(userId), -count),
    credits('revoked', count),
  ]);
}

function noLongerDeferred(segments: readonly LotValue[], income: 'credits' | 'forfeited'): Posting[] {
  const value = segments.reduce((sum, segment) => sum + segment.valueMicroUsd, 0);
  return [
    ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
    usd(income, -value),
  ];
}

const share = ({ creatorId, shareMicroUsd }: Sharing, sign: 1 | -1): Posting[] => [
  usd('royalties', sign * shareMicroUsd),
  usd(creatorAccount(creatorId), -sign * shareMicroUsd),
];

const IN_TRANSIT = 'payouts-in-transit';
const CASH = 'stripe:balance';

const moved = (
  fact: LedgerFact,
  debit: string,
  credit: string,
  { amountMicroUsd }: { amountMicroUsd: number },
): Entry | undefined => entry(fact, [usd(debit, amountMicroUsd), usd(credit, -amountMicroUsd)]);

function entry(fact: LedgerFact, postings: Posting[]): Entry | undefined {
  const moving = postings.filter(({ delta }) => delta !== 0);
  return moving.length === 0 ? undefined : { fact, postings: moving };
}

const usd = (account: string, delta: number): Posting => ({
  account,
  commodity: 'usd',
  delta: assertMicroUsd(delta),
});

const credits = (account: string, delta: number): Posting => ({ account, commodity: 'credits', delta });
