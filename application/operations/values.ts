/** Values that screens may import. Schemas stay in the contract, because it depends on zod. */

export const CRASH_MESSAGE_MAX_LENGTH = 1_000;
export const CRASH_PATH_MAX_LENGTH = 500;
export const CRASH_STACK_MAX_LENGTH = 4_000;
