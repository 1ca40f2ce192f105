import { ReasonBody, Id } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { SessionList } from './session-contract.js';

const own = { tag: 'Accounts', access: 'user' } as const;
const admin = { tag: 'Administration', access: 'admin', params: { userId: Id } } as const;

export const listSessions = endpoint('GET /api/me/sessions', {
  ...own,
  summary: 'Where the caller is signed in, the last used first',
  answers: { 200: SessionList },
});

export const endSession = endpoint('DELETE /api/me/sessions/:id', {
  ...own,
  summary: 'Signs the caller out in one place',
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const endOtherSessions = endpoint('DELETE /api/me/sessions', {
  ...own,
  summary: 'Signs the caller out everywhere else',
  answers: { 204: null },
});

export const listSessionsOf = endpoint('GET /api/admin/people/:userId/sessions', {
  ...admin,
  summary: 'Where somebody is signed in',
  answers: { 200: SessionList },
});

export const endSessionsOf = endpoint('DELETE /api/admin/people/:userId/sessions', {
  ...admin,
  freshSignIn: true,
  summary: 'Signs somebody out everywhere, with the reason that is kept',
  body: ReasonBody,
  answers: { 204: null },
  problems: ['NotFound'],
});
