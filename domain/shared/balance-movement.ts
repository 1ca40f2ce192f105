/** The kind of a movement of our balance at the provider. `other`: a kind that this program does not know. */
export type MovementKind =
  | 'charge'
  | 'refund'
  | 'refund failed'
  | 'dispute'
  | 'dispute won'
  | 'dispute adjusted'
  | 'payment failed'
  | 'transfer'
  | 'transfer reversed'
  | 'bank payout'
  | 'bank payout failed'
  | 'fee'
  /** The provider withholds a part of the balance, or gives it back. */
  | 'reserve'
  | 'other';

export interface BalanceTransaction {
  transactionId: string;
  kind: MovementKind;
  about?: string;
  /** The provider's id of the charge, transfer or top-up. Absent in older events. */
  source?: string;
  /** The provider's name for the kind, if the kind is `other` or `reserve`. */
  providerType?: string;
  grossMicroUsd: number;
  feeMicroUsd: number;
  /** Present if the movement is in another currency. The amounts above are then 0. */
  foreign?: { currency: string; grossMinorUnits: number; feeMinorUnits: number };
  at: string;
}

/** Returns whether events of a dispute post the fee of this movement, instead of `BalanceTransactionRecorded`. */
export const isDispute = ({ kind }: { kind: MovementKind }): boolean =>
  kind === 'dispute' || kind === 'dispute adjusted';

/** Returns the fee that `BalanceTransactionRecorded` posts: the whole amount of a `fee`, and 0 if `isDispute`. */
export function feeOfRecord(movement: BalanceTransaction): number {
  if (isDispute(movement)) return 0;
  const { kind, grossMicroUsd, feeMicroUsd } = movement;
  return kind === 'fee' ? feeMicroUsd - grossMicroUsd : feeMicroUsd;
}

/** The account for money that the provider withholds. */
export const RESERVE = 'stripe:reserve';
/**
 * Returns the key of the suspense item for all reserves in a currency. Reserves share one item, because the provider
 * may release other amounts than it withheld.
 */
export const reserveItem = (currency = 'usd'): string =>
  currency === 'usd' ? 'reserve' : `reserve-${currency}`;

/** The account for unexplained movements from before the first month of the books. */
export const OPENING = 'opening-balances';

/** The part of a movement that none of our events explains. */
export interface HeldMovement {
  transactionId: string;
  /** The account that holds the movement. If absent, suspense. */
  account?: typeof RESERVE | typeof OPENING;
  /** The subject of the money, such as an invoice. Movements of one subject may cancel out. */
  item: string;
  amountMicroUsd: number;
  /**
   * Not 0 in two cases:
   * - a dispute, whose fee `BalanceTransactionRecorded` does not post, because events of the dispute usually do
   * - an opening balance, which reverses the fee that the record of the movement posted
   */
  feeMicroUsd: number;
  /** The account of the fee. If absent, dispute-fees. */
  feeAccount?: 'stripe-fees';
  /** Present if the movement is in another currency, fee included. The amounts above are then 0. */
  foreign?: { currency: string; amountMicro: number };
  reason: string;
  at: string;
}

export type BalanceTransactionEvent =
  /** Posts the fee: stripe:balance → stripe-fees (dispute-fees if a dispute was won). Another event posts the rest. */
  | { type: 'BalanceTransactionRecorded'; data: BalanceTransaction }
  /** Posts a movement that none of our events explains: suspense, or the named account → stripe:balance. */
  | { type: 'MovementHeldInSuspense'; data: HeldMovement }
  /**
   * Reverses `MovementHeldInSuspense`: the event that explains the movement was recorded after it, or the movement
   * is booked to another account.
   */
  | { type: 'MovementExplained'; data: HeldMovement };
