/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */

export const CLAIM_CODE = /^\s*[0-9a-fA-F]{40}\s*$/;
