/** Values for the screens of promotion codes. */
export {
  CODE_LENGTH,
  CODE_PATTERN,
  MOST_REDEMPTIONS,
  spelledCode,
} from '../../domain/promotions/promotion-code.js';

export const CODE_WORDS = 'Letters and digits, with single dashes between them';

/**
 * The maximum length of an entered code. It exceeds the length of real codes, because a code that is too long should
 * be unknown, not invalid.
 */
export const ENTERED_CODE_MAX_LENGTH = 100;
