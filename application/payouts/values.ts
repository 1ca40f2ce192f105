/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { PAYOUT_POLICY } from '../../domain/payouts/policy.js';
export { CLAIM_MONTHS } from '../../domain/payouts/payout-claim.js';

/** Hexadecimal digits. */
export const CLAIM_CODE_LENGTH = 40;

export const DASHBOARD_DAYS = 30;
