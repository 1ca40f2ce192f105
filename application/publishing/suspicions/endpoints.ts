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
  summary: 'Two sounds that are alike, with what whoever decides should know',
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
  summary: 'Takes a copy down for good; who bought it gets the credits back',
  body: CopyTakedownBody,
  freshSignIn: true,
});

export const swapCopy = endpoint('POST /api/admin/copies/:id/swap', {
  ...deciding,
  freshSignIn: true,
  summary: 'Says that the original is the later one: it is suspected instead, and this one is not',
  body: ReasonBody,
  answers: { 200: SwapAnswer },
});

const own = { tag: 'Creators', access: 'user' } as const;

export const listOwnCopies = endpoint('GET /api/creator/copies', {
  ...own,
  summary: 'The caller’s sounds that may be copies, or were perhaps copied, newest first',
  answers: { 200: OwnCopies },
});

export const claimRecording = endpoint('POST /api/creator/copies', {
  ...own,
  summary: 'Says why a recording that another creator published first is the caller’s to sell, too',
  body: ClaimBody,
  answers: { 201: CopySaid },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const showLicence = endpoint('POST /api/creator/copies/:id/licence', {
  ...own,
  summary: 'Says why a sound that may be a copy is the caller’s to sell',
  params: { id: Id },
  body: StatementBody,
  answers: { 200: CopySaid },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const answerSuspicion = endpoint('POST /api/creator/copies/:id/answer', {
  ...own,
  summary: 'Says what the creator of the earlier sound knows',
  params: { id: Id },
  body: AnswerBody,
  answers: { 200: CopySaid },
  problems: ['NotFound', 'AlreadyDecided'],
});
