import { ReasonBody, Id } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { SessionList } from './session-contract.js';

const own = { tag: 'Accounts', access: 'user' } as const;
const admin = { tag: 'Administration', access: 'admin', params: { userId: Id } } as const;

export const listSessions = endpoint('GET /api/me/sessions', {
  ...own,
  summary: "Lists the caller's sessions, last used first",
  answers: { 200: SessionList },
});

export const endSession = endpoint('DELETE /api/me/sessions/:id', {
  ...own,
  summary: "Ends one of the caller's sessions",
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const endOtherSessions = endpoint('DELETE /api/me/sessions', {
  ...own,
  summary: "Ends the caller's other sessions",
  answers: { 204: null },
});

export const listSessionsOf = endpoint('GET /api/admin/people/:userId/sessions', {
  ...admin,
  summary: "Lists a user's sessions",
  answers: { 200: SessionList },
});

export const endSessionsOf = endpoint('DELETE /api/admin/people/:userId/sessions', {
  ...admin,
  freshSignIn: true,
  summary: 'Ends every session of a user, and records the reason',
  body: ReasonBody,
  answers: { 204: null },
  problems: ['NotFound'],
});
