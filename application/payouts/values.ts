/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { PAYOUT_POLICY } from '../../domain/payouts/policy.js';
export { CLAIM_MONTHS } from '../../domain/payouts/payout-claim.js';

export const DASHBOARD_DAYS = 30;
