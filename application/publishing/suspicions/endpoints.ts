import { ReasonBody, Id } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import {
  AnswerBody,
  ClaimBody,
  CopiesQuery,
  CopyCounts,
  CopyDecisionAnswer,
  CopyDecisionBody,
  CopyPage,
  CopySaid,
  CopyTakedownBody,
  OwnCopies,
  StatementBody,
  SuspectedCopy,
  SwapAnswer,
} from './contract.js';

const admin = { tag: 'Administration', access: 'admin' } as const;

export const listCopies = endpoint('GET /api/admin/copies', {
  ...admin,
  summary: 'Sounds that may be copies of another creator’s, the closest first, or what was decided',
  query: CopiesQuery,
  answers: { 200: CopyPage },
});

export const countCopies = endpoint('GET /api/admin/copies/counts', {
  ...admin,
  summary: 'How many suspected copies wait, and what was decided in the present month',
  answers: { 200: CopyCounts },
});

export const readCopy = endpoint('GET /api/admin/copies/:id', {
  ...admin,
  summary: 'Returns a suspected copy and its original, with the facts for a decision',
  params: { id: Id },
  answers: { 200: SuspectedCopy },
  problems: ['NotFound'],
});

const deciding = {
  ...admin,
  params: { id: Id },
  answers: { 200: CopyDecisionAnswer },
  problems: ['NotFound', 'OwnInterest', 'AlreadyDecided'],
  idempotent: true,
} as const;

export const decideOnCopy = endpoint('POST /api/admin/copies/:id/decide', {
  ...deciding,
  freshSignIn: true,
  summary: 'Allows a sound that was suspected, or refuses it with a reason',
  body: CopyDecisionBody,
});

export const takeDownCopy = endpoint('POST /api/admin/copies/:id/take-down', {
  ...deciding,
  summary: 'Takes a copy down for good. Its buyers get their credits back',
  body: CopyTakedownBody,
  freshSignIn: true,
});

export const swapCopy = endpoint('POST /api/admin/copies/:id/swap', {
  ...deciding,
  freshSignIn: true,
  summary: 'Swaps copy and original, because the supposed original is the later one',
  body: ReasonBody,
  answers: { 200: SwapAnswer },
});

const own = { tag: 'Creators', access: 'user' } as const;

export const listOwnCopies = endpoint('GET /api/creator/copies', {
  ...own,
  summary: "Lists suspicions about the caller's sounds, newest first",
  answers: { 200: OwnCopies },
});

export const claimRecording = endpoint('POST /api/creator/copies', {
  ...own,
  summary: 'Claims a recording that another creator published first, with a statement',
  body: ClaimBody,
  answers: { 201: CopySaid },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const showLicence = endpoint('POST /api/creator/copies/:id/licence', {
  ...own,
  summary: 'States why the caller may sell a suspected copy',
  params: { id: Id },
  body: StatementBody,
  answers: { 200: CopySaid },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const answerSuspicion = endpoint('POST /api/creator/copies/:id/answer', {
  ...own,
  summary: "Records the answer of the original's creator",
  params: { id: Id },
  body: AnswerBody,
  answers: { 200: CopySaid },
  problems: ['NotFound', 'AlreadyDecided'],
});
