import { accept, reject, type Decision } from '../shared/decision.js';
import type {
  BalanceTransaction,
  BalanceTransactionEvent,
  HeldMovement,
  MovementKind,
} from '../shared/balance-movement.js';
import { microUsdFromCents } from '../shared/micro-usd.js';

/** Stream `balance-{transactionId}`: one movement of our balance at the payment provider. */
export const balanceTransactionStream = (transactionId: string): string => `balance-${transactionId}`;

/** What the provider says of a movement. It never changes afterwards. */
export interface RecordBalanceTransaction {
  type: 'RecordBalanceTransaction';
  /** `txn_…` */
  transactionId: string;
  kind: MovementKind;
  /** Our id of the fact behind it: an invoice, refund, dispute, transfer, reversal or payout; absent for a stranger's. */
  about?: string;
  /** What it belongs to at the provider, such as its charge. */
  source?: string;
  /** The provider's own word where the kind is `other`. */
  providerType?: string;
  /** Below zero when it leaves. */
  grossUsdCents: number;
  /** What the provider keeps of it, besides; below zero when a fee is given back. */
  feeUsdCents: number;
  /** Present, with both amounts 0, where it moved a balance in another currency. */
  foreign?: NonNullable<BalanceTransaction['foreign']>;
  /** By the provider's clock, ISO 8601. */
  at: string;
}

/** Told before with other amounts. Somebody must look. */
export type BalanceTransactionRejection = { code: 'BalanceTransactionContradicts'; detail: string };

/** Told twice, it is recorded once; what nothing of ours can be about is held in suspense from the start. */
export function decideBalanceTransaction(
  { type: _, grossUsdCents, feeUsdCents, ...movement }: RecordBalanceTransaction,
  known: BalanceTransaction | undefined,
): Decision<BalanceTransactionEvent, BalanceTransactionRejection> {
  const data = {
    ...movement,
    grossMicroUsd: microUsdFromCents(grossUsdCents),
    feeMicroUsd: microUsdFromCents(feeUsdCents),
  };
  if (!known)
    return accept<BalanceTransactionEvent>(
      { type: 'BalanceTransactionRecorded', data },
      ...(isNobodys(data) ? [held(data)] : []),
    );
  if (known.grossMicroUsd !== data.grossMicroUsd || known.feeMicroUsd !== data.feeMicroUsd)
    return reject({
      code: 'BalanceTransactionContradicts',
      detail: `${data.transactionId} changed its amounts`,
    });
  return accept();
}

/** Whether no fact of ours can ever be about it. A fee posts itself; another currency is not kept. */
const isNobodys = ({ kind, about, foreign, grossMicroUsd }: BalanceTransaction): boolean =>
  !foreign && kind !== 'fee' && grossMicroUsd !== 0 && (kind === 'other' || about === undefined);

/** Why a movement without its fact is in suspense; a kind that posts itself needs no reason. */
const REASONS: Partial<Record<MovementKind, string>> = {
  charge: 'a payment that sold no plan',
  refund: 'a refund of no sale of ours',
  'refund failed': 'a refund that came back, of no sale of ours',
  dispute: 'a dispute about no sale of ours',
  'dispute won': 'a dispute about no sale of ours',
  transfer: 'a transfer that nobody withdrew',
  'transfer reversed': 'a reversal of no withdrawal',
};

function held(movement: BalanceTransaction): BalanceTransactionEvent {
  const { transactionId, kind, about, source, providerType, grossMicroUsd, feeMicroUsd, at } = movement;
  return {
    type: 'MovementHeldInSuspense',
    data: {
      transactionId,
      item: source ?? about ?? transactionId,
      amountMicroUsd: grossMicroUsd,
      feeMicroUsd: kind === 'dispute' ? feeMicroUsd : 0,
      reason: REASONS[kind] ?? `a movement that the books do not know: ${providerType ?? kind}`,
      at,
    },
  };
}

const heldNow = (history: readonly BalanceTransactionEvent[]): HeldMovement | undefined => {
  const last = history.at(-1);
  return last?.type === 'MovementHeldInSuspense' ? last.data : undefined;
};

/** No fact came for it. @returns nothing where it is held already, or unknown */
export function holdInSuspense(history: readonly BalanceTransactionEvent[]): BalanceTransactionEvent[] {
  const [first] = history;
  if (first?.type !== 'BalanceTransactionRecorded' || heldNow(history)) return [];
  return first.data.foreign || first.data.kind === 'fee' ? [] : [held(first.data)];
}

/** The fact came after all. @returns nothing where it is not held */
export function explain(history: readonly BalanceTransactionEvent[]): BalanceTransactionEvent[] {
  const known = heldNow(history);
  return known ? [{ type: 'MovementExplained', data: known }] : [];
}
