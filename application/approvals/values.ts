export { APPROVAL_DAYS, APPROVAL_KINDS } from '../../domain/approvals/approval.js';

export const APPROVAL_STATUSES = [
  'waiting',
  'approved',
  'declined',
  'withdrawn',
  'lapsed',
  'carried out',
  'not carried out',
] as const;
