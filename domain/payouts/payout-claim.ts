import { accept, unreachable, type Decision, type Decider } from '../shared/decision.js';

/** Stream `payout-claim-{creatorId}`: what we owe to a person who deleted the account. */
const streamOf = (creatorId: string): string => `payout-claim-${creatorId}`;

export const CLAIM_MONTHS = 36;

export type PayoutClaimEvent =
  /** The holder of the code may claim the creator's balance. The event names no person. */
  | {
      type: 'PayoutClaimMade';
      data: { creatorId: string; codeHash: string; payableUntil: string; at: string };
    }
  /** A separate withdrawal pays the money into the account of the person who showed the code. */
  | {
      type: 'PayoutClaimRedeemed';
      data: {
        creatorId: string;
        withdrawalId: string;
        redeemedBy: string;
        accountId: string;
        /** The staff member who checked the code; absent in older events. */
        paidBy?: string;
        at: string;
      };
    };

export type PayoutClaimCommand =
  /** A second claim replaces the code of the first. */
  | { type: 'MakeClaim'; creatorId: string; codeHash: string; now: string }
  /** Records each withdrawal once. */
  | {
      type: 'RedeemClaim';
      creatorId: string;
      withdrawalId: string;
      redeemedBy: string;
      accountId: string;
      paidBy: string;
      now: string;
    };

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
