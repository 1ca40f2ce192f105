import { pathOfThisSite } from '../../../application/accounts/values.js';

/** A path of this site, or else the start page: a foreign address must never be followed. */
export const safeReturn = (asked: string | null | undefined): string =>
  pathOfThisSite(asked, window.location.origin);
