/** Values for screens. They are not in the contract, because screens would then bundle zod. */
export { PASSWORD_MIN_LENGTH } from '../../domain/accounts/password.js';
export { accountPolicy } from '../../domain/accounts/policy.js';

export const DISPLAY_NAME_MAX_LENGTH = 80;
/** Whether an account has the random name of users who chose none. */
export const isDefaultName = (name: string): boolean => /^Listener \d{4}$/.test(name);
/** Shown to creators beside the name field. */
export const NEW_NAME_HINT =
  'Shown on your public page. After a change, the Verified badge waits until staff check the new name.';
export const PASSKEY_NAME_MAX_LENGTH = 64;
export const FACTOR_METHODS = ['passkey', 'app', 'recovery-code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/**
 * Paths that are no pages of this site: files and routes of the server, and `//`, which leads to another
 * site. A sign-in must not redirect to them.
 */
const NO_PAGE = /^\/(?:[/\\]|(?:api|media|dev)(?:[/?#]|$))/i;

/** Returns the page to open after sign-in: `asked` if that is a page of this site, else the start page. */
export function pathOfThisSite(asked: string | null | undefined, origin: string): string {
  if (!asked?.startsWith('/') || !URL.canParse(asked, origin)) return '/';
  const url = new URL(asked, origin);
  // Checks the parsed path: parsing may turn dots and backslashes into `//`, which leads to another site.
  const path = url.pathname + url.search + url.hash;
  return url.origin === new URL(origin).origin && !NO_PAGE.test(path) ? path : '/';
}

export const PEOPLE_SEARCH_MIN_LENGTH = 2;
export const NAMES_AT_ONCE = 50;
export const TOKEN_NAME_MAX_LENGTH = PASSKEY_NAME_MAX_LENGTH;
