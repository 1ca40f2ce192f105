/** Values for screens. They are separate from the contract, so that screens do not bundle zod. */
import { APPROVAL_KINDS } from '../../domain/approvals/approval.js';

export { ALONE_WINDOW_HOURS } from '../../domain/shared/limits.js';
export { HIGHEST_LIMITS } from '../../domain/approvals/limits-set.js';
export { REFUND_WINDOW_DAYS } from '../../domain/credits/invoice-lot.js';

export const ADJUSTMENT_MAX_CREDITS = 1_000_000;
export const ADJUSTMENT_MAX_USD_CENTS = 10_000_000;
export const RECIPIENT_MAX_LENGTH = 320;
export const MAIL_LOG_DAYS = 90;

export const STAFF_ACTIONS = [
  'asked',
  'approved',
  'declined',
  'withdrew',
  'lapsed',
  'failed',
  'alone',
] as const;
export const ACT_KINDS = [
  ...APPROVAL_KINDS,
  'end-sessions',
  'reset-factors',
  'break-glass',
  'close-month',
  'creator-taxes',
  'retry-report',
  'takedown',
  'copy',
  'creator',
  'claim',
  'complaint',
] as const;
