import { COUNTER_DECISIONS } from './values.js';
import * as z from 'zod';
import { Id, Reason } from '../shared/contract.js';
import { endpoint } from '../shared/endpoint.js';
import * as contract from './contract.js';

const open = { tag: 'Complaints', access: 'public' } as const;
const one = { params: { id: Id } } as const;

export const readComplaintSubject = endpoint('GET /api/complaints/subject', {
  ...open,
  summary: 'What a complaint would be about: a sound, a pack or a profile that is or was on offer',
  query: contract.SubjectQuery,
  answers: { 200: contract.SubjectCard },
  problems: ['NotFound'],
});

export const fileComplaint = endpoint('POST /api/complaints', {
  ...open,
  summary:
    'Says what is wrong with a sound, a pack or a profile; without a session it counts once its mail is confirmed',
  body: contract.NewComplaintBody,
  answers: { 201: z.object({ id: Id, status: z.enum(['unconfirmed', 'open']) }) },
  problems: ['NotFound', 'ComplaintsBarred'],
  rateLimit: 'complaint',
});

export const confirmComplaint = endpoint('POST /api/complaints/:id/confirm', {
  ...open,
  ...one,
  summary: 'Confirms a complaint by its mailed link, once',
  body: contract.TokenBody,
  answers: { 200: z.object({ id: Id, token: z.string() }) },
  problems: ['TokenInvalid'],
});

export const readComplaint = endpoint('GET /api/complaints/:id', {
  ...open,
  ...one,
  summary: 'Reads a complaint, for the complainant and the creator',
  query: contract.TokenQuery,
  answers: { 200: contract.OwnComplaint },
  problems: ['NotFound'],
});

export const withdrawComplaint = endpoint('POST /api/complaints/:id/withdraw', {
  ...open,
  ...one,
  summary: "Withdraws the caller's complaint before it is answered",
  body: contract.MaybeTokenBody,
  answers: { 200: contract.ComplaintStatusAnswer },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const listOwnComplaints = endpoint('GET /api/complaints', {
  tag: 'Complaints',
  access: 'user',
  summary: 'The caller’s complaints, and those about the caller’s work, newest first',
  answers: { 200: contract.OwnComplaints },
});

export const fileCounterNotice = endpoint('POST /api/complaints/:id/counter-notice', {
  tag: 'Complaints',
  access: 'user',
  ...one,
  summary: 'Files a counter-notice',
  body: contract.CounterNoticeBody,
  answers: { 201: contract.ComplaintStatusAnswer },
  problems: ['NotFound', 'CounterNoticeClosed'],
});

export const readTransparency = endpoint('GET /api/transparency', {
  ...open,
  summary: 'Counts complaints and outcomes by year and kind',
  answers: { 200: contract.Transparency },
});

const admin = { tag: 'Administration', access: 'admin' } as const;

export const listComplaints = endpoint('GET /api/admin/complaints', {
  ...admin,
  summary: 'Lists waiting complaints and counter-notices by deadline, or closed ones',
  query: contract.ComplaintsQuery,
  answers: { 200: contract.ComplaintPage },
});

export const countComplaints = endpoint('GET /api/admin/complaints/counts', {
  ...admin,
  summary: 'Counts waiting and overdue complaints and counter-notices',
  answers: { 200: contract.ComplaintCounts },
});

export const readComplaintAsAdmin = endpoint('GET /api/admin/complaints/:id', {
  ...admin,
  ...one,
  summary: 'Reads a complaint with the facts for its answer',
  answers: { 200: contract.Complaint },
  problems: ['NotFound'],
});

const deciding = {
  ...admin,
  ...one,
  problems: ['NotFound', 'OwnInterest', 'AlreadyDecided', 'MeasureUnfit'],
  idempotent: true,
} as const;

export const holdComplainedAbout = endpoint('POST /api/admin/complaints/:id/hold', {
  ...deciding,
  freshSignIn: true,
  summary: 'Takes the sound off sale until the complaint is answered',
  answers: { 200: contract.ComplaintStatusAnswer },
});

export const answerComplaint = endpoint('POST /api/admin/complaints/:id/answer', {
  ...deciding,
  summary: 'Answers a complaint, with a measure and a reason',
  body: contract.ComplaintAnswerBody,
  answers: { 200: contract.ComplaintStatusAnswer },
  freshSignIn: true,
});

export const previewAnswer = endpoint('POST /api/admin/complaints/:id/preview', {
  ...admin,
  ...one,
  summary: 'The mails that an answer would send',
  body: contract.ComplaintAnswerBody,
  answers: { 200: contract.LetterPreviews },
  problems: ['NotFound'],
});

export const answerCounterNotice = endpoint('POST /api/admin/complaints/:id/answer-counter-notice', {
  ...deciding,
  summary: 'Answers a counter-notice: restores the subject or confirms the measure',
  body: z.strictObject({ decision: z.enum(COUNTER_DECISIONS), reason: Reason }),
  answers: { 200: z.object({ id: Id, decision: z.enum(COUNTER_DECISIONS) }) },
  freshSignIn: true,
});

export const barComplainant = endpoint('POST /api/admin/complaints/:id/bar', {
  ...admin,
  ...one,
  freshSignIn: true,
  summary: 'Bars a complainant, or admits them again',
  body: contract.BarBody,
  answers: { 200: z.object({ id: Id, isBarred: z.boolean() }) },
  problems: ['NotFound', 'OwnInterest'],
});
