import type { ComplaintKind } from '../../domain/complaints/complaint.js';

/** Values for screens. They are separate from the contract, so that screens do not bundle zod. */
export {
  COMPLAINT_DECISIONS,
  COMPLAINT_KINDS,
  COMPLAINT_STATUSES,
  COUNTER_DECISIONS,
  measuresFor,
  MEASURES,
  SUBJECT_KINDS,
} from '../../domain/complaints/complaint.js';
export { CONFIRM_DAYS } from '../../domain/complaints/deadlines.js';

export const STATEMENT_MIN_LENGTH = 30;
export const STATEMENT_MAX_LENGTH = 5_000;
export const WORK_MAX_LENGTH = 1_000;
export const NAME_MAX_LENGTH = 100;
export const EMAIL_MAX_LENGTH = 254;

/** Completes "A complaint about …". */
export const KIND_WORDS: Record<ComplaintKind, string> = {
  copyright: 'copyright',
  trademark: 'a trade mark',
  privacy: 'privacy',
  illegal: 'the law',
  defective: 'a defect',
  misleading: 'misleading words',
  origin: 'a false origin',
  other: 'something else',
};
