import * as z from 'zod';
import { Id } from '../../shared/contract.js';
import { endpointsOf } from '../../shared/endpoint.js';
import { AccessTokenItem, NewAccessToken } from './contract.js';

const own = endpointsOf({ tag: 'Accounts', access: 'user' });

export const listTokens = own('GET /api/tokens', {
  summary: "Lists the caller's access tokens, newest first",
  answers: { 200: z.object({ items: z.array(AccessTokenItem) }) },
});

export const issueToken = own('POST /api/tokens', {
  freshSignIn: true,
  rateLimit: 'confirm',
  summary: 'Creates an access token, which is shown only once',
  body: NewAccessToken,
  answers: { 201: z.object({ id: Id, token: z.string() }) },
  problems: ['TooManyTokens', 'TokenExpiryPast'],
});

export const revokeToken = own('DELETE /api/tokens/:id', {
  summary: 'Revokes an access token at once',
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
});
