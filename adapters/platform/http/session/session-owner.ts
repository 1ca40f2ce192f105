import type { SessionOwner } from '../../../../application/accounts/sessions/session-store.js';
import type { Sessions } from '../../../../application/accounts/sessions/sessions.js';
import { readBearer, sessionCookieOf, type HttpRequest } from '../request.js';

const asked = new WeakMap<HttpRequest, Promise<SessionOwner | undefined>>();

/** The token of the session that a request is made in; a script's own counts before the browser's. */
export const sessionTokenOf = (request: HttpRequest): string | undefined =>
  readBearer(request) ?? sessionCookieOf(request);

/** Who calls, if the request names a live session. Asked once a request, whoever wants to know. */
export function ownerOf(sessions: Sessions, request: HttpRequest): Promise<SessionOwner | undefined> {
  const known = asked.get(request);
  if (known) return known;
  const token = sessionTokenOf(request);
  const owner = token ? sessions.find(token) : Promise.resolve(undefined);
  asked.set(request, owner);
  return owner;
}
