import * as z from 'zod';
import {
  bodyText,
  exactText,
  Id,
  IsoTime,
  lineText,
  page,
  pageQuery,
  Reason,
  namedObject,
} from '../shared/contract.js';
import {
  COMPLAINT_DECISIONS,
  COMPLAINT_KINDS,
  COMPLAINT_STATUSES,
  COUNTER_DECISIONS,
  EMAIL_MAX_LENGTH,
  MEASURES,
  NAME_MAX_LENGTH,
  STATEMENT_MAX_LENGTH,
  STATEMENT_MIN_LENGTH,
  SUBJECT_KINDS,
  WORK_MAX_LENGTH,
} from './values.js';

const Statement = bodyText(STATEMENT_MAX_LENGTH).min(
  STATEMENT_MIN_LENGTH,
  `Say it in ${STATEMENT_MIN_LENGTH} letters or more`,
);
const Token = exactText().min(1).max(200);

const Subject = z.strictObject({
  kind: z.enum(SUBJECT_KINDS),
  /** The id of the sample, pack or creator. A creator's handle is accepted as well. */
  id: Id,
});
export const SubjectQuery = Subject;

export const SubjectCard = namedObject('ComplaintSubject', {
  kind: z.enum(SUBJECT_KINDS),
  id: Id,
  title: z.string(),
  creatorName: z.string(),
  /** The path of the subject's page. Null if there is no page. */
  path: z.string().nullable(),
});
export type SubjectCard = z.infer<typeof SubjectCard>;

export const NewComplaintBody = z
  .strictObject({
    subject: Subject,
    kind: z.enum(COMPLAINT_KINDS),
    statement: Statement,
    /** The infringed work, and the complainant's right to it. Required if the kind is copyright or trade mark. */
    work: bodyText(WORK_MAX_LENGTH)
      .default('')
      .meta({ examples: ['“Dawn”, which I recorded and published in 2019'] }),
    /** `name` and `email` are required without a session. */
    name: lineText(NAME_MAX_LENGTH).min(1, 'Enter your name').optional(),
    email: z.email('Enter an e-mail address').max(EMAIL_MAX_LENGTH, 'Enter an e-mail address').optional(),
    inGoodFaith: z.literal(true, 'Needed'),
    /** The complainant declares that the complaint is true and complete. */
    isTrue: z.literal(true, 'Needed'),
  })
  .superRefine(({ kind, work }, context) => {
    if ((kind === 'copyright' || kind === 'trademark') && work === '')
      context.addIssue({ code: 'custom', path: ['work'], message: 'Say which work, and whose it is' });
  });
export const TokenBody = z.strictObject({ token: Token });
export const MaybeTokenBody = z.strictObject({ token: Token.optional() });
export const TokenQuery = z.object({ token: Token.optional() });
export const ComplaintStatusAnswer = z.object({ id: Id, status: z.enum(COMPLAINT_STATUSES) });

const Answered = {
  decision: z.enum(COMPLAINT_DECISIONS).nullable(),
  measure: z.enum(MEASURES),
  decidedAt: IsoTime.nullable(),
  reason: z.string().nullable(),
};
const Counter = z.object({
  /** `possible`: the creator has not filed a counter-notice. The creator can file one before the time in `until`. */
  status: z.enum(['possible', 'open', ...COUNTER_DECISIONS]),
  until: IsoTime,
  /** The text of the creator's counter-notice. Null if the reader is the complainant. */
  said: z.string().nullable(),
  reason: z.string().nullable(),
});

export const OwnComplaint = namedObject('OwnComplaint', {
  id: Id,
  side: z.enum(['filed', 'about']),
  kind: z.enum(COMPLAINT_KINDS),
  subject: SubjectCard,
  status: z.enum(COMPLAINT_STATUSES),
  filedAt: IsoTime,
  answerBy: IsoTime.nullable(),
  /** The complainant's text. Null if erased, or if the reader is the creator and the complaint is confidential. */
  said: z.string().nullable(),
  /** The creator sees the name only if the kind is copyright or trade mark and the complaint is not confidential. */
  complainantName: z.string().nullable(),
  isHeld: z.boolean(),
  ...Answered,
  counter: Counter.nullable(),
});
export type OwnComplaint = z.infer<typeof OwnComplaint>;
export const OwnComplaints = z.object({ items: z.array(OwnComplaint) });
export type OwnComplaints = z.infer<typeof OwnComplaints>;
export const CounterNoticeBody = z.strictObject({ text: Statement, inGoodFaith: z.literal(true, 'Needed') });

export const ComplaintItem = namedObject('ComplaintItem', {
  id: Id,
  kind: z.enum(COMPLAINT_KINDS),
  subject: SubjectCard,
  status: z.enum(COMPLAINT_STATUSES),
  filedAt: IsoTime,
  /** The deadline for an answer by staff. Null if nothing waits for staff. */
  dueAt: IsoTime.nullable(),
  isOverdue: z.boolean(),
  isCounterNotice: z.boolean(),
  isHeld: z.boolean(),
});
export type ComplaintItem = z.infer<typeof ComplaintItem>;
export const ComplaintPage = page(ComplaintItem);
export type ComplaintPage = z.infer<typeof ComplaintPage>;
export const ComplaintsQuery = z.object({
  ...pageQuery,
  state: z.enum(['waiting', 'closed']).default('waiting'),
});
export const ComplaintCounts = z.object({ waiting: z.int(), overdue: z.int() });
export type ComplaintCounts = z.infer<typeof ComplaintCounts>;

export const Complaint = ComplaintItem.extend({
  said: z.string().nullable(),
  complainant: z.object({
    /** The user id, or the id derived from an address. Null if the address was deleted. */
    id: z.string().nullable(),
    userId: z.string().nullable(),
    name: z.string(),
    /** The address of the account, or the address that the complainant confirmed. */
    email: z.string().nullable(),
    filed: z.int(),
    rejected: z.int(),
    isBarred: z.boolean(),
  }),
  creator: z.object({
    id: Id,
    name: z.string(),
    handle: z.string().nullable(),
    /** The creator's strikes in the last twelve months. */
    strikes: z.int(),
    complaints: z.int(),
    upheld: z.int(),
  }),
  /** Previews of the sound, or of every sound in the pack. */
  previews: z.array(z.object({ title: z.string(), url: z.string() })),
  artworkUrl: z.string().nullable(),
  genre: z.string(),
  licences: z.int(),
  ...Answered,
  decidedBy: z.string().nullable(),
  isStrike: z.boolean(),
  measures: z.array(z.enum(MEASURES)),
  counter: Counter.nullable(),
}).meta({ id: 'Complaint' });
export type Complaint = z.infer<typeof Complaint>;

export const ComplaintAnswerBody = z.strictObject({
  decision: z.enum(COMPLAINT_DECISIONS),
  measure: z.enum(MEASURES).default('none'),
  isStrike: z.boolean().default(false),
  reason: Reason,
});
export type ComplaintAnswer = z.infer<typeof ComplaintAnswerBody>;
export const BarBody = z.strictObject({ isBarred: z.boolean(), reason: Reason });

const LetterText = z.object({ subject: z.string(), lines: z.array(z.string()) });
export const LetterPreviews = z.object({ complainant: LetterText, creator: LetterText });

export const TransparencyYear = z.object({
  year: z.int(),
  rows: z.array(
    z.object({
      kind: z.enum(COMPLAINT_KINDS),
      filed: z.int(),
      upheld: z.int(),
      partly: z.int(),
      rejected: z.int(),
      withdrawn: z.int(),
      waiting: z.int(),
    }),
  ),
  takenDown: z.int(),
  counterNotices: z.int(),
  restored: z.int(),
  /** The median of the days from a complaint to its answer. Null if no complaint was answered. */
  medianDays: z.number().nullable(),
});
export const Transparency = z.object({ years: z.array(TransparencyYear) });
export type Transparency = z.infer<typeof Transparency>;
