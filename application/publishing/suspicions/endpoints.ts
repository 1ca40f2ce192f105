import * as z from 'zod';
import { COPY_DECISIONS, COPY_STATUSES } from '../../../domain/publishing/suspicion.js';
import { Id, Reason, ReasonBody } from '../../shared/contract.js';
import { endpointsOf } from '../../shared/endpoint.js';
import { CopiesQuery, CopyCounts, CopyDecisionBody, CopyPage, OwnCopies, SuspectedCopy } from './contract.js';

const admin = endpointsOf({ tag: 'Administration', access: 'admin' });

export const listCopies = admin('GET /api/admin/copies', {
  summary: 'Lists sounds that may be copies of another creator’s, the closest first, or what was decided',
  query: CopiesQuery,
  answers: { 200: CopyPage },
});

export const countCopies = admin('GET /api/admin/copies/counts', {
  summary: 'Counts the suspected copies that wait, and the decisions of the present month',
  answers: { 200: CopyCounts },
});

export const readCopy = admin('GET /api/admin/copies/:id', {
  summary: 'Returns a suspected copy and its original, with the facts for a decision',
  params: { id: Id },
  answers: { 200: SuspectedCopy },
  problems: ['NotFound'],
});

const deciding = endpointsOf({
  tag: 'Administration',
  access: 'admin',
  params: { id: Id },
  answers: { 200: z.object({ id: Id, status: z.enum(COPY_DECISIONS) }) },
  problems: ['NotFound', 'OwnInterest', 'AlreadyDecided'],
  idempotent: true,
});

export const decideOnCopy = deciding('POST /api/admin/copies/:id/decide', {
  freshSignIn: true,
  summary: 'Allows a sound that was suspected, or refuses it with a reason',
  body: CopyDecisionBody,
});

export const takeDownCopy = deciding('POST /api/admin/copies/:id/take-down', {
  summary: 'Takes a copy down for good. Its buyers get their credits back',
  body: ReasonBody,
  freshSignIn: true,
});

export const swapCopy = deciding('POST /api/admin/copies/:id/swap', {
  freshSignIn: true,
  summary: 'Swaps copy and original, because the supposed original is the later one',
  body: ReasonBody,
  // The id of the new suspicion, which is about the supposed original.
  answers: { 200: z.object({ id: Id, status: z.literal('open') }) },
});

const own = endpointsOf({ tag: 'Creators', access: 'user' });
const statement = { kind: z.enum(['licence', 'own work']), text: Reason };
const StatedAnswer = z.object({ id: Id, status: z.enum(COPY_STATUSES) });
const stating = endpointsOf({
  tag: 'Creators',
  access: 'user',
  params: { id: Id },
  answers: { 200: StatedAnswer },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const listOwnCopies = own('GET /api/creator/copies', {
  summary: "Lists suspicions about the caller's sounds, newest first",
  answers: { 200: OwnCopies },
});

export const claimRecording = own('POST /api/creator/copies', {
  summary: 'Claims a recording that another creator published first, with a statement',
  body: z.strictObject({ ...statement, sampleId: Id }),
  answers: { 201: StatedAnswer },
  problems: ['NotFound', 'AlreadyDecided'],
});

export const showLicence = stating('POST /api/creator/copies/:id/licence', {
  summary: 'States why the caller may sell a suspected copy',
  body: z.strictObject(statement),
});

export const answerSuspicion = stating('POST /api/creator/copies/:id/answer', {
  summary: "Records the answer of the original's creator",
  body: z.strictObject({ text: Reason }),
});
