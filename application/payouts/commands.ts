import { Command } from '@nestjs/cqrs';
import type { PayoutCommand, PayoutRejection, SettlementCommand } from '../../domain/payouts/payouts.js';
import type { ApprovalResult } from '../approvals/approvals.js';
import type { Cause } from '../shared/event-store.js';
import type { Payout } from './contract.js';
import type { ConnectedAccount } from '../payments/payout-gateway.js';

/** Who asks for write-offs, and makes them. */
export const WRITE_OFF = 'system:write-off';

export type WithdrawalOutcome =
  | { accepted: true; payout: Payout }
  | { accepted: false; rejection: PayoutRejection };

export interface WithdrawalRequest {
  creatorId: string;
  /** The same again is the same withdrawal. */
  key: string;
  /** Absent: all that is available. */
  amountUsdCents?: number | undefined;
  /** Absent: the creator. */
  actor?: string;
  /** The payout account for a claim, instead of the creator's; null: none is connected. */
  claimedBy?: ConnectedAccount | null;
}

/** Reserves an amount; the transfer follows the event. Throws EarningsNotCounted when the earnings lag behind the log. */
export class RequestWithdrawal extends Command<WithdrawalOutcome> {
  constructor(readonly request: WithdrawalRequest) {
    super();
  }
}

/** Asks a second person to release a sale under review, once by the request's id. */
export class RequestRelease extends Command<
  ApprovalResult | { accepted: false; rejection: { code: 'NotFound' } }
> {
  constructor(readonly asked: { approvalId: string; purchaseId: string; reason: string; by: string }) {
    super();
  }
}

/** Makes the balance of a deleted account payable to the holder of a code, which is stored as a hash alone. */
export class MakePayoutClaim extends Command<{ code: string; payableUntil: string }> {
  constructor(readonly creatorId: string) {
    super();
  }
}

export type RedeemOutcome =
  | { accepted: true; payout: Payout }
  | {
      accepted: false;
      rejection: PayoutRejection | { code: 'ClaimExpired'; payableUntil: string } | { code: 'OwnInterest' };
    };

/** Pays what is available now to another account; what is still in its hold, with the same code later. */
export class RedeemPayoutClaim extends Command<RedeemOutcome> {
  constructor(
    /** `userId`: the holder of the code, with a payout account of their own. */
    readonly order: { code: string; userId: string; key: string; actor: string },
  ) {
    super();
  }
}

/** Records what the provider reports of a withdrawal. */
export class RecordSettlement extends Command<void> {
  constructor(
    readonly creatorId: string,
    readonly settlement: SettlementCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}

/** Writes off a creator's debt, or the part that a second person agreed to; does nothing if there is none. */
export class WriteOffDebt extends Command<void> {
  constructor(readonly debt: Omit<Extract<PayoutCommand, { type: 'WriteOffDebt' }>, 'type'>) {
    super();
  }
}
