export { APPROVAL_DAYS } from '../../domain/approvals/approval.js';

export const APPROVAL_STATUSES = [
  'waiting',
  'approved',
  'declined',
  'withdrawn',
  'lapsed',
  'carried out',
  'not carried out',
] as const;
