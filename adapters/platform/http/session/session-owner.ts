import type { SessionOwner } from '../../../../application/accounts/sessions/session-store.js';
import type { Sessions } from '../../../../application/accounts/sessions/sessions.js';
import { readBearer, sessionCookieOf, type HttpRequest } from '../request.js';

const asked = new WeakMap<HttpRequest, Promise<SessionOwner | undefined>>();

/** Returns the session token of a request. A bearer token takes precedence over the cookie. */
export const sessionTokenOf = (request: HttpRequest): string | undefined =>
  readBearer(request) ?? sessionCookieOf(request);

/** Returns the owner of the session if the request has a live one. Looks it up once per request. */
export function ownerOf(sessions: Sessions, request: HttpRequest): Promise<SessionOwner | undefined> {
  const known = asked.get(request);
  if (known) return known;
  const token = sessionTokenOf(request);
  const owner = token ? sessions.find(token) : Promise.resolve(undefined);
  asked.set(request, owner);
  return owner;
}
