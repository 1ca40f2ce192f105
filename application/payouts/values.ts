/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { CLAIM_MONTHS } from '../../domain/payouts/payout-claim.js';
