import { DISPLAY_NAME_MAX_LENGTH } from '../../../../application/profiles/contract.js';

// The server judges; here only what is plainly no address is kept from being sent.
const LOOKS_LIKE_EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
const EMAIL_MESSAGE = 'Enter an e-mail address';

/** The rule for an e-mail address. */
export const EMAIL_RULE = {
  required: EMAIL_MESSAGE,
  maxLength: { value: 254, message: EMAIL_MESSAGE },
  pattern: { value: LOOKS_LIKE_EMAIL, message: EMAIL_MESSAGE },
};

/** The rule for a display name: more than blanks, at most 80 characters. */
export const nameRule = (message: string) => ({
  maxLength: { value: DISPLAY_NAME_MAX_LENGTH, message },
  validate: (name: string) => name.trim() !== '' || message,
});
