import { Id } from '../shared/contract.js';
import { endpoint } from '../shared/endpoint.js';
import {
  BarAnswer,
  BarBody,
  Complaint,
  ComplaintAnswerBody,
  ComplaintCounts,
  ComplaintFiledAnswer,
  ComplaintPage,
  ComplaintsQuery,
  ComplaintStatusAnswer,
  ConfirmedAnswer,
  CounterAnswerBody,
  CounterNoticeBody,
  CounterStatusAnswer,
  LetterPreviews,
  MaybeTokenBody,
  NewComplaintBody,
  OwnComplaint,
  OwnComplaints,
  SubjectCard,
  SubjectQuery,
  TokenBody,
  TokenQuery,
  Transparency,
} from './contract.js';

const open = { tag: 'Complaints', access: 'public' } as const;
const one = { params: { id: Id } } as const;

export const readComplaintSubject = endpoint('GET /api/complaints/subject', {
  ...open,
  summary: 'What a complaint would be about: a sound, a pack or a profile that is or was on offer',
  query: SubjectQuery,
  answers: { 200: SubjectCard },
  problems: ['NotFound'],
});

export const fileComplaint = endpoint('POST /api/complaints', {
  ...open,
  summary:
    'Says what is wrong with a sound, a pack or a profile; without a session it counts once its mail is confirmed',
  body: NewComplaintBody,
  answers: { 201: ComplaintFiledAnswer },
  problems: ['NotFound', 'ComplaintsBarred'],
  rateLimit: 'complaint',
});

export const confirmComplaint = endpoint('POST /api/complaints/:id/confirm', {
  ...open,
  ...one,
  summary: 'Confirms a complaint by its mailed link, once',
  body: TokenBody,
  answers: { 200: ConfirmedAnswer },
  problems: ['TokenInvalid'],
});

export const readComplaint = endpoint('GET /api/complaints/:id', {
  ...open,
  ...one,
  summary: 'Reads a complaint, for the complainant and the creator',
  query: TokenQuery,
  answers: { 200: OwnComplaint },
  problems: ['NotFound'],
});

export const withdrawComplaint = endpoint('POST /api/complaints/:id/withdraw', {
  ...open,
  ...one,
  summary: "Withdraws the caller's complaint before it is answered",
  body: MaybeTokenBody,
  answers: { 200: ComplaintStatusAnswer },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const listOwnComplaints = endpoint('GET /api/complaints', {
  tag: 'Complaints',
  access: 'user',
  summary: 'The caller’s complaints, and those about the caller’s work, newest first',
  answers: { 200: OwnComplaints },
});

export const fileCounterNotice = endpoint('POST /api/complaints/:id/counter-notice', {
  tag: 'Complaints',
  access: 'user',
  ...one,
  summary: 'Files a counter-notice',
  body: CounterNoticeBody,
  answers: { 201: ComplaintStatusAnswer },
  problems: ['NotFound', 'CounterNoticeClosed'],
});

export const readTransparency = endpoint('GET /api/transparency', {
  ...open,
  summary: 'Counts complaints and outcomes by year and kind',
  answers: { 200: Transparency },
});

const admin = { tag: 'Administration', access: 'admin' } as const;

export const listComplaints = endpoint('GET /api/admin/complaints', {
  ...admin,
  summary: 'Lists waiting complaints and counter-notices by deadline, or closed ones',
  query: ComplaintsQuery,
  answers: { 200: ComplaintPage },
});

export const countComplaints = endpoint('GET /api/admin/complaints/counts', {
  ...admin,
  summary: 'Counts waiting and overdue complaints and counter-notices',
  answers: { 200: ComplaintCounts },
});

export const readComplaintAsAdmin = endpoint('GET /api/admin/complaints/:id', {
  ...admin,
  ...one,
  summary: 'Reads a complaint with the facts for its answer',
  answers: { 200: Complaint },
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
  answers: { 200: ComplaintStatusAnswer },
});

export const answerComplaint = endpoint('POST /api/admin/complaints/:id/answer', {
  ...deciding,
  summary: 'Answers a complaint, with a measure and a reason',
  body: ComplaintAnswerBody,
  answers: { 200: ComplaintStatusAnswer },
  freshSignIn: true,
});

export const previewAnswer = endpoint('POST /api/admin/complaints/:id/preview', {
  ...admin,
  ...one,
  summary: 'The mails that an answer would send',
  body: ComplaintAnswerBody,
  answers: { 200: LetterPreviews },
  problems: ['NotFound'],
});

export const answerCounterNotice = endpoint('POST /api/admin/complaints/:id/answer-counter-notice', {
  ...deciding,
  summary: 'Answers a counter-notice: restores the subject or confirms the measure',
  body: CounterAnswerBody,
  answers: { 200: CounterStatusAnswer },
  freshSignIn: true,
});

export const barComplainant = endpoint('POST /api/admin/complaints/:id/bar', {
  ...admin,
  ...one,
  freshSignIn: true,
  summary: 'Bars a complainant, or admits them again',
  body: BarBody,
  answers: { 200: BarAnswer },
  problems: ['NotFound', 'OwnInterest'],
});
