/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { APPROVAL_DAYS } from '../../domain/administration/approval.js';
export { ALONE_WINDOW_HOURS } from '../../domain/shared/limits.js';
export { HIGHEST_LIMITS } from '../../domain/administration/highest-limits.js';
export { REFUND_WINDOW_DAYS } from '../../domain/credits/invoice-lot.js';

export const ADJUSTMENT_MAX_CREDITS = 1_000_000;
export const ADJUSTMENT_MAX_USD_CENTS = 10_000_000;
/** A shorter text would find too many people. */
export const PEOPLE_SEARCH_MIN_LENGTH = 2;
/** An address names so many ids. */
export const NAMES_AT_ONCE = 50;
export const RECIPIENT_MAX_LENGTH = 320;
export const MAIL_LOG_DAYS = 90;

export const APPROVAL_STATUSES = [
  'waiting',
  'approved',
  'declined',
  'withdrawn',
  'lapsed',
  'carried out',
  'not carried out',
] as const;

/** What somebody did about something. */
export const DEEDS = ['asked', 'approved', 'declined', 'withdrew', 'lapsed', 'failed', 'alone'] as const;
export const ACT_KINDS = [
  'adjustment',
  'refund',
  'write-off',
  'adjusting-entry',
  'reopen-month',
  'begin-books',
  'record-restore',
  'release-sale',
  'grant-role',
  'limits',
  'revoke-role',
  'end-sessions',
  'reset-factors',
  'break-glass',
  'close-month',
  'retry-report',
  'takedown',
  'copy',
  'creator',
  'claim',
  'complaint',
] as const;
