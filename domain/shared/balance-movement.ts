/** What a movement is, whatever its direction. `other`: none that we make or know. */
export type MovementKind =
  | 'charge'
  | 'refund'
  | 'refund failed'
  | 'dispute'
  | 'dispute won'
  | 'transfer'
  | 'transfer reversed'
  | 'bank payout'
  | 'bank payout failed'
  | 'fee'
  | 'other';

/** One movement of our balance at the payment provider. */
export interface BalanceTransaction {
  transactionId: string;
  kind: MovementKind;
  about?: string;
  grossMicroUsd: number;
  feeMicroUsd: number;
  at: string;
}

/** stripe:balance → stripe-fees. What moved besides the fee is posted by the fact it is about. */
export type BalanceTransactionEvent = { type: 'BalanceTransactionRecorded'; data: BalanceTransaction };
