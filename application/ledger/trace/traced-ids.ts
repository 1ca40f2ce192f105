import { FINANCIAL_EVENT_TYPES } from '../../../domain/ledger/entry.js';
import { cashFactOf } from '../../../domain/ledger/tie-out.js';
import type { MovementKind } from '../../../domain/shared/balance-movement.js';
import type { TracedKind } from './trace-contract.js';

export interface TracedId {
  id: string;
  kind: TracedKind;
}

/** Events whose ids can be traced. The last three move no money, but name a certificate or a withdrawal. */
export const TRACED_EVENT_TYPES = [
  ...FINANCIAL_EVENT_TYPES,
  'OwnSampleLicensed',
  'NewVersionLicensed',
  'PayoutClaimRedeemed',
] as const;

/** The kind of id that each member of an event contains. The id of the subject comes before other ids. */
const KIND_OF_MEMBER = {
  transactionId: 'movement',
  refundId: 'refund',
  reversalId: 'reversal',
  disputeId: 'dispute',
  payoutId: 'bank-payout',
  withdrawalId: 'withdrawal',
  transferId: 'transfer',
  purchaseId: 'purchase',
  certificateId: 'certificate',
  giftId: 'gift',
  adjustmentId: 'adjustment',
  approvalId: 'approval',
  entryId: 'adjusting-entry',
  invoiceId: 'invoice',
  invoiceLineId: 'invoice-line',
} as const satisfies Record<string, TracedKind>;

const KIND_OF_SUBJECT: Partial<Record<MovementKind, TracedKind>> = {
  charge: 'invoice',
  refund: 'refund',
  'refund failed': 'refund',
  dispute: 'dispute',
  'dispute won': 'dispute',
  'dispute adjusted': 'dispute',
  'payment failed': 'refund',
  transfer: 'transfer',
  'transfer reversed': 'reversal',
  'bank payout': 'bank-payout',
  'bank payout failed': 'bank-payout',
};

const NESTED = ['invoice', 'gift', 'returned', 'adjustment'] as const;

/** Returns each id in an event once, the subject first. A lot id counts only in the event that granted the lot. */
export function idsOf({ type, data }: { type: string; data: object }): TracedId[] {
  const event = data as Record<string, unknown>;
  const found: TracedId[] = [];
  const add = (id: unknown, kind: TracedKind): void => {
    if (typeof id === 'string' && id !== '' && !found.some((one) => one.id === id)) found.push({ id, kind });
  };
  if (type === 'CreditsGranted') add(event['lotId'], 'lot');
  for (const members of [event, ...NESTED.map((part) => event[part] as Record<string, unknown> | undefined)])
    for (const [member, kind] of Object.entries(KIND_OF_MEMBER)) add(members?.[member], kind);
  // Lets a search for a cleared item find this entry. The item's first event determines the kind of its id.
  if (type === 'AdjustingEntryPosted')
    for (const { about } of (data as { lines: { about?: string }[] }).lines) add(about, 'adjusting-entry');
  const subject = KIND_OF_SUBJECT[event['kind'] as MovementKind];
  if (type === 'BalanceTransactionRecorded') {
    if (subject) add(event['about'], subject);
    add(event['source'], 'charge');
  }
  return found;
}

export function amountsOf(event: { type: string; data: object }): number[] {
  const { type, data } = event;
  const { grossMicroUsd = 0, feeMicroUsd = 0, amountMicroUsd = 0, invoice } = data as Amounts;
  const amounts =
    type === 'BalanceTransactionRecorded'
      ? [grossMicroUsd, grossMicroUsd - feeMicroUsd]
      : type === 'WithdrawalRequested'
        ? [amountMicroUsd]
        : [cashFactOf(event)?.amountMicroUsd ?? 0, invoice?.grossMicroUsd ?? 0];
  return [...new Set(amounts.map(Math.abs))].filter((amount) => amount > 0);
}

interface Amounts {
  grossMicroUsd?: number;
  feeMicroUsd?: number;
  amountMicroUsd?: number;
  invoice?: { grossMicroUsd: number };
}
