/** Constants for screens. Schemas stay in `contract.ts`, because importing them would bundle zod. */
export { PAYOUT_POLICY } from '../../domain/payouts/policy.js';
export { CLAIM_MONTHS } from '../../domain/payouts/payout-claim.js';

/** The number of hexadecimal digits in a claim's code. */
export const CLAIM_CODE_LENGTH = 40;

export const DASHBOARD_DAYS = 30;

export const TAX_KINDS = ['person', 'company'] as const;
export const TAX_IDS_MOST = 3;
