import type { Decider } from '../shared/decider.js';
import { accept, unreachable, type Decision } from '../shared/decision.js';

/** Stream `payout-claim-{creatorId}`: what we owe to a person who deleted the account. */
const streamOf = (creatorId: string): string => `payout-claim-${creatorId}`;

/** A claim can be paid for this long. */
export const CLAIM_MONTHS = 36;

export type PayoutClaimEvent =
  /** The code behind the hash entitles its holder to what the creator's account holds. The event names no person. */
  | {
      type: 'PayoutClaimMade';
      data: { creatorId: string; codeHash: string; payableUntil: string; at: string };
    }
  /** A withdrawal of its own pays the money into the account of the person who showed the code. */
  | {
      type: 'PayoutClaimRedeemed';
      data: {
        creatorId: string;
        withdrawalId: string;
        redeemedBy: string;
        accountId: string;
        /** Who was shown the code; older events do not name them. */
        paidBy?: string;
        at: string;
      };
    };

export type PayoutClaimCommand =
  /** If it is made again, the newest code counts. */
  | { type: 'MakeClaim'; creatorId: string; codeHash: string; now: string }
  /** Each withdrawal once. */
  | {
      type: 'RedeemClaim';
      creatorId: string;
      withdrawalId: string;
      redeemedBy: string;
      accountId: string;
      paidBy: string;
      now: string;
    };

/** The withdrawals by which it was redeemed. */
export type PayoutClaim = ReadonlySet<string>;

const initialState: PayoutClaim = new Set();

function decide(command: PayoutClaimCommand, withdrawals: PayoutClaim): Decision<PayoutClaimEvent, never> {
  const { creatorId, now: at } = command;
  switch (command.type) {
    case 'MakeClaim': {
      const { codeHash } = command;
      return accept({
        type: 'PayoutClaimMade',
        data: { creatorId, codeHash, payableUntil: payableUntil(at), at },
      });
    }
    case 'RedeemClaim': {
      const { withdrawalId, redeemedBy, accountId, paidBy } = command;
      if (withdrawals.has(withdrawalId)) return accept();
      return accept({
        type: 'PayoutClaimRedeemed',
        data: { creatorId, withdrawalId, redeemedBy, accountId, paidBy, at },
      });
    }
    default:
      return unreachable(command);
  }
}

const evolve = (withdrawals: PayoutClaim, { type, data }: PayoutClaimEvent): PayoutClaim =>
  type === 'PayoutClaimRedeemed' ? new Set([...withdrawals, data.withdrawalId]) : withdrawals;

/** @param from ISO 8601 */
export function payableUntil(from: string): string {
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + CLAIM_MONTHS);
  return until.toISOString();
}

export const payoutClaimDecider: Decider<PayoutClaimCommand, PayoutClaim, PayoutClaimEvent, never> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
