/** The kind of a movement in either direction. `other`: neither made nor known by us. */
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
  /** The provider keeps a part of the balance back, or gives it back. */
  | 'reserve'
  | 'other';

/** One movement of our balance at the payment provider. */
export interface BalanceTransaction {
  transactionId: string;
  kind: MovementKind;
  about?: string;
  /** Its source at the provider: the charge, the transfer, the top-up; older events do not say. */
  source?: string;
  /** The provider's own word where the kind is `other` or `reserve`. */
  providerType?: string;
  grossMicroUsd: number;
  feeMicroUsd: number;
  /** Present if it moved a balance in another currency; the amounts above are 0 then. */
  foreign?: { currency: string; grossMinorUnits: number; feeMinorUnits: number };
  at: string;
}

/** The fee that the record of a movement posts. A dispute's own facts post theirs. */
export const feeOfRecord = ({ kind, grossMicroUsd, feeMicroUsd }: BalanceTransaction): number =>
  kind === 'dispute' || kind === 'dispute adjusted'
    ? 0
    : kind === 'fee'
      ? feeMicroUsd - grossMicroUsd
      : feeMicroUsd;

/** The account of what the provider keeps back of our balance. */
export const RESERVE = 'stripe:reserve';
/** Reserves are one item a currency: the provider need not say which amount it gives back. */
export const reserveItem = (currency = 'usd'): string =>
  currency === 'usd' ? 'reserve' : `reserve-${currency}`;

/** The account of the movements before the first month of the books that no fact of ours explains. */
export const OPENING = 'opening-balances';

/** The part of a movement that no fact of ours explains. */
export interface HeldMovement {
  transactionId: string;
  /** Where it is held; absent: in suspense. */
  account?: typeof RESERVE | typeof OPENING;
  /** The subject of the money: movements with the same subject may cancel out. */
  item: string;
  /** Below zero when it left. */
  amountMicroUsd: number;
  /**
   * Only of a dispute, whose own facts would post the fee, and of an opening balance, which takes the fee back that
   * the record of the movement posted: it is below zero then.
   */
  feeMicroUsd: number;
  /** Where the fee is; absent: in dispute-fees. */
  feeAccount?: 'stripe-fees';
  /** Present if it moved a balance in another currency, fee and all; the amounts above are 0 then. */
  foreign?: { currency: string; amountMicro: number };
  reason: string;
  at: string;
}

export type BalanceTransactionEvent =
  /** stripe:balance → stripe-fees. The fact behind the movement posts the rest. */
  | { type: 'BalanceTransactionRecorded'; data: BalanceTransaction }
  /** suspense, or the account that it names, → stripe:balance: no fact of ours explains it. */
  | { type: 'MovementHeldInSuspense'; data: HeldMovement }
  /** The mirror: the fact behind it came late, or it moves between suspense and the opening balance. */
  | { type: 'MovementExplained'; data: HeldMovement };
