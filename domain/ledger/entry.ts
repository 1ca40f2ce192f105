import type {
  BalanceTransaction,
  BalanceTransactionEvent,
  HeldMovement,
} from '../shared/balance-movement.js';
import type { InvoiceEvent, Unexplained } from '../shared/invoice-event.js';
import { assertMicroUsd } from '../shared/micro-usd.js';
import { creatorAccount, deferredAccount, frozenAccount, userAccount, type Commodity } from './accounts.js';

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
  | 'transfer-reversed'
  | 'debt-written-off'
  | 'bank-payout-sent'
  | 'bank-payout-arrived'
  | 'bank-payout-failed'
  | 'stripe-fee'
  | 'movement-in-suspense'
  | 'invoice-refunded'
  | 'refund-failed'
  | 'refund-undone'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'share-taken-back';

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
        invoice?: { grossMicroUsd: number; taxMicroUsd: number; unexplained?: Unexplained };
      };
    }
  | {
      type: 'CreditsSpent' | 'CreditsRevoked';
      data: { userId: string; credits: number; segments: readonly LotValue[] };
    }
  | { type: 'SamplePurchased' | 'PurchaseReturned'; data: { creatorId: string; shareMicroUsd: number } }
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
  'RefundFailed',
  'RefundUndone',
  'DisputeOpened',
  'DisputeWon',
  'DisputeLost',
  'ShareTakenBack',
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
    case 'CreatorDebtWrittenOff':
      return moved('debt-written-off', 'creator-losses', creatorAccount(event.data.creatorId), event.data);
    case 'BankPayoutSent':
      return moved('bank-payout-sent', 'bank:in-transit', CASH, event.data);
    case 'BankPayoutArrived':
      return moved('bank-payout-arrived', 'bank', 'bank:in-transit', event.data);
    case 'BankPayoutFailed':
      return moved('bank-payout-failed', CASH, event.data.arrived ? 'bank' : 'bank:in-transit', event.data);
    case 'BalanceTransactionRecorded':
      return fee(event.data);
    case 'MovementHeldInSuspense':
      return heldMovement(event.data, 1);
    case 'MovementExplained':
      return heldMovement(event.data, -1);
    case 'ShareTakenBack':
      return entry('share-taken-back', share(event.data, -1));
    case 'InvoiceRefunded':
    case 'RefundFailed':
    case 'RefundUndone':
    case 'DisputeOpened':
    case 'DisputeWon':
    case 'DisputeLost':
      return invoiceEntry(event);
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
type Taking = Extract<FinancialEvent, { type: 'CreditsSpent' | 'CreditsRevoked' }>['data'];
type Refunding = Extract<FinancialEvent, { type: 'InvoiceRefunded' | 'RefundUndone' }>['data'];
type Sharing = { creatorId: string; shareMicroUsd: number };

function granted(grant: Granting): Entry | undefined {
  const { userId, lotId, valueMicroUsd, invoice, reason } = grant;
  const arriving = [credits(userAccount(userId), grant.credits), credits('issued', -grant.credits)];
  if (invoice) {
    // The gross is posted as it was paid: if it were not tax plus value, the sum would show it.
    const missing = amountOf(invoice.unexplained);
    return entry('invoice-paid', [
      usd(CASH, invoice.grossMicroUsd - missing),
      usd(SUSPENSE, missing),
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
  // If we fund credits, they behave like cash from here on. Unfunded credits are worth nothing and post no money.
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
  return [
    ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
    usd(income, -valueOf(segments)),
  ];
}

const share = ({ creatorId, shareMicroUsd }: Sharing, sign: 1 | -1): Posting[] => [
  usd('royalties', sign * shareMicroUsd),
  usd(creatorAccount(creatorId), -sign * shareMicroUsd),
];

/** Money that is paid back to the payer of an invoice, or is disputed. */
function invoiceEntry(event: Exclude<InvoiceEvent, { type: 'ShareTakenBack' }>): Entry | undefined {
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
    case 'RefundFailed':
      return moved('refund-failed', CASH, SUSPENSE, event.data);
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
      const { segments, taxMicroUsd, credits: count } = event.data;
      const unspent = valueOf(segments);
      // What the payment does not explain stays in suspense.
      const amountMicroUsd = event.data.amountMicroUsd - amountOf(event.data.unexplained);
      return entry('dispute-lost', [
        ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
        usd('tax', taxMicroUsd),
        usd('chargeback-loss', Math.max(amountMicroUsd - unspent - taxMicroUsd, 0)),
        usd('disputes:held', -amountMicroUsd),
        // The rest of a lot is worth more than a small dispute about it took.
        usd('forfeited', -Math.max(unspent - amountMicroUsd, 0)),
        credits(frozen, -count),
        credits('revoked', count),
      ]);
    }
  }
}

function refunded(refund: Refunding): Posting[] {
  const { userId, segments, netMicroUsd, taxMicroUsd, credits: count, frozen } = refund;
  const unspent = valueOf(segments);
  const beyond = amountOf(refund.unexplained);
  return [
    ...segments.map(({ lotId, valueMicroUsd }) => usd(deferredAccount(lotId), valueMicroUsd)),
    usd('tax', taxMicroUsd),
    usd('refunds', Math.max(netMicroUsd - unspent, 0)),
    usd(SUSPENSE, beyond),
    usd(CASH, -(netMicroUsd + taxMicroUsd + beyond)),
    usd('forfeited', -Math.max(unspent - netMicroUsd, 0)),
    credits(frozen ? frozenAccount(userId) : userAccount(userId), -count),
    credits('revoked', count),
  ];
}

/**
 * What the provider keeps for itself. The fact behind a movement posts the rest of it, and a dispute posts its own
 * fee; a won dispute that gives its fee back lowers the dispute fees.
 */
function fee({ kind, grossMicroUsd, feeMicroUsd }: BalanceTransaction): Entry | undefined {
  if (kind === 'dispute') return undefined;
  const kept = kind === 'fee' ? feeMicroUsd - grossMicroUsd : feeMicroUsd;
  const account = kind === 'dispute won' ? 'dispute-fees' : 'stripe-fees';
  return entry('stripe-fee', [usd(account, kept), usd(CASH, -kept)]);
}

/** A movement without a fact of ours, and its mirror. */
const heldMovement = (held: HeldMovement, sign: 1 | -1): Entry | undefined =>
  entry('movement-in-suspense', [
    usd(CASH, sign * (held.amountMicroUsd - held.feeMicroUsd)),
    usd('dispute-fees', sign * held.feeMicroUsd),
    usd(SUSPENSE, -sign * held.amountMicroUsd),
  ]);

const valueOf = (segments: readonly LotValue[]): number =>
  segments.reduce((sum, segment) => sum + segment.valueMicroUsd, 0);

const amountOf = (unexplained: Unexplained | undefined): number => unexplained?.amountMicroUsd ?? 0;

const IN_TRANSIT = 'payouts-in-transit';
const CASH = 'stripe:balance';
const SUSPENSE = 'suspense';

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
