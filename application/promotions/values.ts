/** Values for the screens of promotion codes. */
export {
  CODE_LENGTH,
  CODE_PATTERN,
  MOST_REDEMPTIONS,
  spelledCode,
} from '../../domain/promotions/promotion-code.js';

export const CODE_WORDS = 'Letters and digits, with single dashes between them';

/** Characters that a visitor may enter. An unknown code is no invalid request, so this is more than a code has. */
export const ENTERED_CODE_MAX_LENGTH = 100;
