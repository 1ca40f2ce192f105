import * as z from 'zod';
import { COPY_DECISIONS, COPY_STATUSES } from '../../../domain/publishing/suspicion.js';
import { Id, Reason, ReasonBody } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { CopiesQuery, CopyCounts, CopyDecisionBody, CopyPage, OwnCopies, SuspectedCopy } from './contract.js';

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
  answers: { 200: z.object({ id: Id, status: z.enum(COPY_DECISIONS) }) },
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
  body: ReasonBody,
  freshSignIn: true,
});

export const swapCopy = endpoint('POST /api/admin/copies/:id/swap', {
  ...deciding,
  freshSignIn: true,
  summary: 'Swaps copy and original, because the supposed original is the later one',
  body: ReasonBody,
  // The new suspicion.
  answers: { 200: z.object({ id: Id, status: z.literal('open') }) },
});

const own = { tag: 'Creators', access: 'user' } as const;
const statement = { kind: z.enum(['licence', 'own work']), text: Reason };
const stating = {
  ...own,
  params: { id: Id },
  answers: { 200: z.object({ id: Id, status: z.enum(COPY_STATUSES) }) },
  problems: ['NotFound', 'AlreadyDecided'],
} as const;

export const listOwnCopies = endpoint('GET /api/creator/copies', {
  ...own,
  summary: "Lists suspicions about the caller's sounds, newest first",
  answers: { 200: OwnCopies },
});

export const claimRecording = endpoint('POST /api/creator/copies', {
  ...own,
  summary: 'Claims a recording that another creator published first, with a statement',
  body: z.strictObject({ ...statement, sampleId: Id }),
  answers: { 201: stating.answers[200] },
  problems: stating.problems,
});

export const showLicence = endpoint('POST /api/creator/copies/:id/licence', {
  ...stating,
  summary: 'States why the caller may sell a suspected copy',
  body: z.strictObject(statement),
});

export const answerSuspicion = endpoint('POST /api/creator/copies/:id/answer', {
  ...stating,
  summary: "Records the answer of the original's creator",
  body: z.strictObject({ text: Reason }),
});
