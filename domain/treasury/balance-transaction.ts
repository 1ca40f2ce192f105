import { accept, reject, type Decision } from '../shared/decision.js';
import type {
  BalanceTransaction,
  BalanceTransactionEvent,
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
  /** Below zero when it leaves. */
  grossUsdCents: number;
  /** What the provider keeps of it, besides; below zero when a fee is given back. */
  feeUsdCents: number;
  /** By the provider's clock, ISO 8601. */
  at: string;
}

/** Told before with other amounts. Somebody must look. */
export type BalanceTransactionRejection = { code: 'BalanceTransactionContradicts'; detail: string };

/** Told twice, it is recorded once. */
export function decideBalanceTransaction(
  { type: _, grossUsdCents, feeUsdCents, ...movement }: RecordBalanceTransaction,
  known: BalanceTransaction | undefined,
): Decision<BalanceTransactionEvent, BalanceTransactionRejection> {
  const data = {
    ...movement,
    grossMicroUsd: microUsdFromCents(grossUsdCents),
    feeMicroUsd: microUsdFromCents(feeUsdCents),
  };
  if (!known) return accept<BalanceTransactionEvent>({ type: 'BalanceTransactionRecorded', data });
  if (known.grossMicroUsd !== data.grossMicroUsd || known.feeMicroUsd !== data.feeMicroUsd)
    return reject({
      code: 'BalanceTransactionContradicts',
      detail: `${data.transactionId} changed its amounts`,
    });
  return accept();
}
