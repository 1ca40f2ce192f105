/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { PASSWORD_MIN_LENGTH } from '../../domain/accounts/password.js';
export { accountPolicy } from '../../domain/accounts/policy.js';

export const DISPLAY_NAME_MAX_LENGTH = 80;
/** What the forms say to creators beside the name. */
export const NEW_NAME_HINT =
  'Shown on your public page. After a change, the Verified badge waits until staff check the new name.';
export const PASSKEY_NAME_MAX_LENGTH = 64;
/** What somebody can have beside the password. */
export const FACTOR_METHODS = ['passkey', 'app', 'recovery-code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** What answers there is no page to come back to. */
const NO_PAGE = /^\/(?:[/\\]|(?:api|media|dev)(?:[/?#]|$))/i;

/**
 * Where somebody goes on after signing in: a page of this site; anything else leads to the start page.
 * @param origin of this site
 */
export function pathOfThisSite(asked: string | null | undefined, origin: string): string {
  if (!asked?.startsWith('/') || !URL.canParse(asked, origin)) return '/';
  const url = new URL(asked, origin);
  // Judged as it was read: dots and backslashes can make two slashes, which name another site.
  const path = url.pathname + url.search + url.hash;
  return url.origin === new URL(origin).origin && !NO_PAGE.test(path) ? path : '/';
}

/** The least characters to search people by. */
export const PEOPLE_SEARCH_MIN_LENGTH = 2;
/** The most ids in one request for names. */
export const NAMES_AT_ONCE = 50;
