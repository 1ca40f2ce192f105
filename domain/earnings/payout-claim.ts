/** Stream `payout-claim-{creatorId}`: what somebody is owed whose account was deleted. */
export const claimStream = (creatorId: string): string => `payout-claim-${creatorId}`;

/** So long a claim is payable. */
export const CLAIM_MONTHS = 36;

export type PayoutClaimEvent =
  /** Whoever shows the code behind the hash is paid what the creator's account holds. Names nobody. */
  | {
      type: 'PayoutClaimMade';
      data: { creatorId: string; codeHash: string; payableUntil: string; at: string };
    }
  /** The money goes by a withdrawal of its own, into the account of who showed the code. */
  | {
      type: 'PayoutClaimRedeemed';
      data: { creatorId: string; withdrawalId: string; redeemedBy: string; accountId: string; at: string };
    };

/** @param from ISO 8601 */
export function payableUntil(from: string): string {
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + CLAIM_MONTHS);
  return until.toISOString();
}
