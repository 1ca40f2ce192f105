import { Command } from '@nestjs/cqrs';
import type { PayoutCommand, PayoutRejection, SettlementCommand } from '../../domain/payouts/payouts.js';
import type { Cause } from '../shared/event-store.js';
import type { Payout } from './contract.js';
import type { ConnectedAccount } from './payout-gateway.js';

export type WithdrawalOutcome =
  { accepted: true; payout: Payout } | { accepted: false; rejection: PayoutRejection };

export interface WithdrawalRequest {
  creatorId: string;
  /** The same again is the same withdrawal. */
  key: string;
  /** Absent: all that is available. */
  amountUsdCents?: number | undefined;
  /** Absent: the creator. */
  actor?: string;
  /** Where a claim is paid instead of the creator; null: no account is connected. */
  claimedBy?: ConnectedAccount | null;
}

/** Reserves an amount; the transfer follows the event. Throws EarningsNotCounted when the earnings lag behind the log. */
export class RequestWithdrawal extends Command<WithdrawalOutcome> {
  constructor(readonly request: WithdrawalRequest) {
    super();
  }
}

/** Makes what a deleted account is owed payable to who shows the code, which is kept as a hash alone. */
export class MakePayoutClaim extends Command<{ code: string; payableUntil: string }> {
  constructor(readonly creatorId: string) {
    super();
  }
}

export type RedeemOutcome =
  | { accepted: true; payout: Payout }
  | {
      accepted: false;
      rejection: PayoutRejection | { code: 'ClaimExpired'; payableUntil: string };
    };

/** Pays what is available now to another account; what is still in its hold, with the same code later. */
export class RedeemPayoutClaim extends Command<RedeemOutcome> {
  constructor(
    /** `userId`: who showed the code, with a payout account of their own. */
    readonly order: { code: string; userId: string; key: string; actor: string },
  ) {
    super();
  }
}

/** Records what the provider tells of a withdrawal. Fails when it cannot be, so that somebody looks. */
export class RecordSettlement extends Command<void> {
  constructor(
    readonly creatorId: string,
    readonly settlement: SettlementCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}

/** Gives up what a creator owes; nothing where nothing is owed any more. */
export class WriteOffDebt extends Command<void> {
  constructor(readonly debt: Omit<Extract<PayoutCommand, { type: 'WriteOffDebt' }>, 'type'>) {
    super();
  }
}
