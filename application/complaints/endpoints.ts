import { COUNTER_DECISIONS } from './values.js';
import * as z from 'zod';
import { Id, Reason } from '../shared/contract.js';
import { endpointsOf } from '../shared/endpoint.js';
import * as contract from './contract.js';

const open = endpointsOf({ tag: 'Complaints', access: 'public' });
const one = { params: { id: Id } } as const;

export const readComplaintSubject = open('GET /api/complaints/subject', {
  summary: 'Returns what a complaint would be about: a sound, a pack or a profile that is or was on offer',
  query: contract.SubjectQuery,
  answers: { 200: contract.SubjectCard },
  problems: ['NotFound'],
});

export const fileComplaint = open('POST /api/complaints', {
  summary:
    'Says what is wrong with a sound, a pack or a profile; without a session it counts once its mail is confirmed',
  body: contract.NewComplaintBody,
  answers: { 201: z.object({ id: Id, status: z.enum(['unconfirmed', 'open']) }) },
  problems: ['NotFound', 'ComplaintsBarred'],
  rateLimit: 'complaint',
});

export const confirmComplaint = open('POST /api/complaints/:id/confirm', {
  ...one,
  summary: 'Confirms a complaint by its mailed link, once',
  body: contract.TokenBody,
  answers: { 200: z.object({ id: Id, token: z.string() }) },
  problems: ['TokenInvalid'],
});

export const readComplaint = open('GET /api/complaints/:id', {
  ...one,
  summary: 'Reads a complaint, for the complainant and the creator',
  query: contract.TokenQuery,
  answers: { 200: contract.OwnComplaint },
  problems: ['NotFound'],
});

export const withdrawComplaint = open('POST /api/complaints/:id/withdraw', {
  ...one,
  summary: "Withdraws the caller's complaint before it is answered",
  body: contract.MaybeTokenBody,
  answers: { 200: contract.ComplaintStatusAnswer },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const listOwnComplaints = open('GET /api/complaints', {
  access: 'user',
  summary: 'Lists the caller’s complaints, and those about the caller’s work, newest first',
  answers: { 200: contract.OwnComplaints },
});

export const fileCounterNotice = open('POST /api/complaints/:id/counter-notice', {
  access: 'user',
  ...one,
  summary: 'Files a counter-notice',
  body: contract.CounterNoticeBody,
  answers: { 201: contract.ComplaintStatusAnswer },
  problems: ['NotFound', 'CounterNoticeClosed'],
});

export const readTransparency = open('GET /api/transparency', {
  summary: 'Counts complaints and outcomes by year and kind',
  answers: { 200: contract.Transparency },
});

const admin = endpointsOf({ tag: 'Administration', access: 'admin' });

export const listComplaints = admin('GET /api/admin/complaints', {
  summary: 'Lists waiting complaints and counter-notices by deadline, or closed ones',
  query: contract.ComplaintsQuery,
  answers: { 200: contract.ComplaintPage },
});

export const countComplaints = admin('GET /api/admin/complaints/counts', {
  summary: 'Counts waiting and overdue complaints and counter-notices',
  answers: { 200: contract.ComplaintCounts },
});

export const readComplaintAsAdmin = admin('GET /api/admin/complaints/:id', {
  ...one,
  summary: 'Reads a complaint with the facts for its answer',
  answers: { 200: contract.Complaint },
  problems: ['NotFound'],
});

const deciding = endpointsOf({
  tag: 'Administration',
  access: 'admin',
  ...one,
  problems: ['NotFound', 'OwnInterest', 'AlreadyDecided', 'MeasureUnfit'],
  idempotent: true,
  freshSignIn: true,
});

export const holdComplainedAbout = deciding('POST /api/admin/complaints/:id/hold', {
  summary: 'Takes the sound off sale until the complaint is answered',
  answers: { 200: contract.ComplaintStatusAnswer },
});

export const answerComplaint = deciding('POST /api/admin/complaints/:id/answer', {
  summary: 'Answers a complaint, with a measure and a reason',
  body: contract.ComplaintAnswerBody,
  answers: { 200: contract.ComplaintStatusAnswer },
});

export const previewAnswer = admin('POST /api/admin/complaints/:id/preview', {
  ...one,
  summary: 'Previews the mails that an answer would send',
  body: contract.ComplaintAnswerBody,
  answers: { 200: contract.LetterPreviews },
  problems: ['NotFound'],
});

export const answerCounterNotice = deciding('POST /api/admin/complaints/:id/answer-counter-notice', {
  summary: 'Answers a counter-notice: restores the subject or confirms the measure',
  body: z.strictObject({ decision: z.enum(COUNTER_DECISIONS), reason: Reason }),
  answers: { 200: z.object({ id: Id, decision: z.enum(COUNTER_DECISIONS) }) },
});

export const barComplainant = admin('POST /api/admin/complaints/:id/bar', {
  ...one,
  freshSignIn: true,
  summary: 'Bars a complainant, or admits them again',
  body: contract.BarBody,
  answers: { 200: z.object({ id: Id, isBarred: z.boolean() }) },
  problems: ['NotFound', 'OwnInterest'],
});
