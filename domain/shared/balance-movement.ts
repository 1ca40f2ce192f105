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
  /** What it belongs to at the provider: the charge, the transfer, the top-up; older events do not say. */
  source?: string;
  /** The provider's own word where the kind is `other`. */
  providerType?: string;
  grossMicroUsd: number;
  feeMicroUsd: number;
  /** Present where it moved a balance in another currency: the books do not keep that, and the amounts above are 0. */
  foreign?: { currency: string; grossMinorUnits: number; feeMinorUnits: number };
  at: string;
}

/** What a movement brought or took that no fact of ours is about. */
export interface HeldMovement {
  transactionId: string;
  /** What the money belongs to: movements of one item may cancel out. */
  item: string;
  /** Below zero when it left. */
  amountMicroUsd: number;
  /** Only of a dispute, whose fee its own fact would post. */
  feeMicroUsd: number;
  reason: string;
  at: string;
}

export type BalanceTransactionEvent =
  /** stripe:balance → stripe-fees. What moved besides the fee is posted by the fact it is about. */
  | { type: 'BalanceTransactionRecorded'; data: BalanceTransaction }
  /** suspense → stripe:balance: nothing of ours moved it. */
  | { type: 'MovementHeldInSuspense'; data: HeldMovement }
  /** The mirror: the fact behind it came late. */
  | { type: 'MovementExplained'; data: HeldMovement };
