import { accept, unreachable, type Decision, type Decider } from '../shared/decision.js';

export const CLAIM_MONTHS = 36;

export type PayoutClaimEvent =
  /** The holder of the code may claim the creator's balance. The event does not say who holds the code. */
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

type PayoutClaimCommand =
  /** Creates a claim to the creator's balance. A second claim replaces the code of the first. */
  | { type: 'MakeClaim'; creatorId: string; codeHash: string; now: string }
  /** Records a withdrawal that pays the claim, once per withdrawal. */
  | {
      type: 'RedeemClaim';
      creatorId: string;
      withdrawalId: string;
      redeemedBy: string;
      accountId: string;
      paidBy: string;
      now: string;
    };

/** The ids of the withdrawals that paid the claim. */
type PayoutClaim = ReadonlySet<string>;

function decide(command: PayoutClaimCommand, withdrawals: PayoutClaim): Decision<PayoutClaimEvent, never> {
  switch (command.type) {
    case 'MakeClaim': {
      const { type: _, now: at, ...claim } = command;
      const data = { ...claim, payableUntil: payableUntil(at), at };
      return accept({ type: 'PayoutClaimMade', data });
    }
    case 'RedeemClaim': {
      const { type: _, now: at, ...redeemed } = command;
      if (withdrawals.has(redeemed.withdrawalId)) return accept();
      return accept({ type: 'PayoutClaimRedeemed', data: { ...redeemed, at } });
    }
    default:
      return unreachable(command);
  }
}

export function payableUntil(from: string): string {
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + CLAIM_MONTHS);
  return until.toISOString();
}

/** Stream `payout-claim-{creatorId}`: what we owe to a person who deleted the account. */
export const payoutClaimDecider: Decider<PayoutClaimCommand, PayoutClaim, PayoutClaimEvent, never> = {
  streamOf: (creatorId) => `payout-claim-${creatorId}`,
  initialState: new Set(),
  decide,
  evolve: (withdrawals, { type, data }) =>
    type === 'PayoutClaimRedeemed' ? new Set([...withdrawals, data.withdrawalId]) : withdrawals,
};
