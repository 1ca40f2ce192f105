import * as z from 'zod';
import { Id } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { AccessTokenItem, NewAccessToken } from './contract.js';

const own = { tag: 'Accounts', access: 'user' } as const;

export const listTokens = endpoint('GET /api/tokens', {
  ...own,
  summary: "Lists the caller's access tokens, newest first",
  answers: { 200: z.object({ items: z.array(AccessTokenItem) }) },
});

export const issueToken = endpoint('POST /api/tokens', {
  ...own,
  freshSignIn: true,
  rateLimit: 'confirm',
  summary: 'Creates an access token, which is shown only once',
  body: NewAccessToken,
  answers: { 201: z.object({ id: Id, token: z.string() }) },
  problems: ['TooManyTokens', 'TokenExpiryPast'],
});

export const revokeToken = endpoint('DELETE /api/tokens/:id', {
  ...own,
  summary: 'Revokes an access token at once',
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
});
