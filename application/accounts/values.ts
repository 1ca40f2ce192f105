/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { PASSWORD_MIN_LENGTH } from '../../domain/accounts/password.js';

export const DISPLAY_NAME_MAX_LENGTH = 80;
export const AVATAR_LIMIT_BYTES = 5 * 1024 * 1024;
