/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */

export const TEXT_MAX_LENGTH = 500;
export const ADDRESS_MAX_LENGTH = 2_000;
export const IMPORT_INSTRUMENTS_LIMIT = 30;
export const IMPORT_MAX_BPM = 1_000;
