/** Values for the screens of promotion codes. */
export {
  CODE_LENGTH,
  CODE_PATTERN,
  MOST_REDEMPTIONS,
  spelledCode,
} from '../../domain/promotions/promotion-code.js';

export const CODE_WORDS = 'Letters and digits, with single dashes between them';
