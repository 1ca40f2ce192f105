/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */

export const CRASH_MESSAGE_MAX_LENGTH = 1_000;
export const CRASH_PATH_MAX_LENGTH = 500;
export const CRASH_STACK_MAX_LENGTH = 4_000;
