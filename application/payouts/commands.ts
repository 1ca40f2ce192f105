import { Command } from '@nestjs/cqrs';
import type { PayoutCommand, PayoutRejection, SettlementCommand } from '../../domain/payouts/payouts.js';
import type { ApprovalResult } from '../approvals/approvals.js';
import type { Cause } from '../shared/event-store.js';
import type { Payout } from './contract.js';
import type { ConnectedAccount } from '../payments/payout-gateway.js';

/** The actor of write-offs and of requests for them. */
export const WRITE_OFF = 'system:write-off';

export type WithdrawalOutcome =
  | { accepted: true; payout: Payout }
  | { accepted: false; rejection: PayoutRejection };

export interface WithdrawalRequest {
  creatorId: string;
  /** Identifies the withdrawal. A repeated key is the same withdrawal. */
  key: string;
  /** Absent for everything available. */
  amountUsdCents?: number | undefined;
  /** Absent if the creator is the actor. */
  actor?: string;
  /** The payout account of a claim, instead of the creator's. Null if none is connected. */
  claimedBy?: ConnectedAccount | null;
}

/** Reserves an amount. The transfer follows the event. Throws EarningsNotCounted if the earnings lag behind the log. */
export class RequestWithdrawal extends Command<WithdrawalOutcome> {
  constructor(readonly request: WithdrawalRequest) {
    super();
  }
}

/** Asks a second person to release a sale under review, once per request id. */
export class RequestRelease extends Command<
  ApprovalResult | { accepted: false; rejection: { code: 'NotFound' } }
> {
  constructor(readonly asked: { approvalId: string; purchaseId: string; reason: string; by: string }) {
    super();
  }
}

/** Makes the balance of a deleted account payable to the holder of a code. Only a hash of the code is stored. */
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

/** Pays the available balance to another account. The same code pays held shares later. */
export class RedeemPayoutClaim extends Command<RedeemOutcome> {
  constructor(
    /** `userId` is the holder of the code, who has their own payout account. */
    readonly order: { code: string; userId: string; key: string; actor: string },
  ) {
    super();
  }
}

/** Records the provider's report of a withdrawal. */
export class RecordSettlement extends Command<void> {
  constructor(
    readonly creatorId: string,
    readonly settlement: SettlementCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}

/** Writes off a creator's debt, or the part that a second person approved. Does nothing if there is no debt. */
export class WriteOffDebt extends Command<void> {
  constructor(readonly debt: Omit<Extract<PayoutCommand, { type: 'WriteOffDebt' }>, 'type'>) {
    super();
  }
}
