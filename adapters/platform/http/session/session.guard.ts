import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Sessions } from '../../../../application/accounts/sessions/sessions.js';
import { AccessTokens, type TokenOwner } from '../../../../application/accounts/tokens/access-tokens.js';
import type { SessionOwner } from '../../../../application/accounts/sessions/session-store.js';
import {
  readsSession,
  type Access,
  type SessionAccess,
  type TokenScope,
} from '../../../../application/shared/endpoint.js';
import { workIsFor } from '../../../../application/shared/lanes.js';
import { endpointOf } from '../endpoint-of.js';
import { ProblemException, readBearer, sessionCookieOf, type HttpRequest, type Actor } from '../request.js';

const asked = new WeakMap<HttpRequest, Promise<SessionOwner | undefined>>();

export const sessionTokenOf = (request: HttpRequest): string | undefined =>
  readBearer(request) ?? sessionCookieOf(request);

/** Returns the owner of the request's session; undefined without a valid session. Looks it up once per request. */
export function ownerOf(sessions: Sessions, request: HttpRequest): Promise<SessionOwner | undefined> {
  const known = asked.get(request);
  if (known) return known;
  const token = sessionTokenOf(request);
  const owner = token ? sessions.find(token) : Promise.resolve(undefined);
  asked.set(request, owner);
  return owner;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Admits the callers that the endpoint declares. A route without an endpoint always answers 500. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly sessions: Sessions,
    private readonly tokens: AccessTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const endpoint = endpointOf(context);
    if (!endpoint)
      throw new Error(
        `${context.getClass().name}.${context.getHandler().name} does not declare who may call it`,
      );
    const { access, scope, freshSignIn, idempotent } = endpoint;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (readsSession(access)) {
      const token = readBearer(request);
      const owner = AccessTokens.isAccessToken(token)
        ? await this.tokenOwner(token, access, scope)
        : await ownerOf(this.sessions, request);
      if (owner) {
        request.actor = actorOf(owner);
        workIsFor(owner.user.id);
      }
      admit(access, owner);
      if (owner && freshSignIn) requireFreshSignIn(this.sessions, owner);
    }
    if (idempotent) requireIdempotencyKey(request);
    return true;
  }

  /**
   * Returns undefined, which means a visitor, if the token lacks the scope of a public route.
   * @throws ProblemException if the token lacks the scope of a route that is not public
   */
  private async tokenOwner(
    token: string,
    access: Access,
    scope: TokenScope | undefined,
  ): Promise<Caller | undefined> {
    const owner = await this.tokens.find(token);
    if (owner && scope && owner.scopes.includes(scope)) return callerOf(owner);
    if (owner && access !== 'public') throw new ProblemException('TokenNotAllowed', { scope: scope ?? null });
    return undefined;
  }
}

type Caller = Pick<
  SessionOwner,
  'sessionId' | 'user' | 'creatorStatus' | 'authenticatedAt' | 'hasPassword' | 'factors'
>;

/** Returns the caller who uses an access token. A token never counts as a fresh sign-in. */
const callerOf = ({ tokenId, user, creatorStatus }: TokenOwner): Caller => ({
  sessionId: tokenId,
  user,
  creatorStatus,
  authenticatedAt: new Date(0),
  hasPassword: false,
  factors: [],
});

function actorOf({ sessionId, user, authenticatedAt, hasPassword, factors }: Caller): Actor {
  const { id: userId, displayName, email, isCreator, roles, withheldRoles = [] } = user;
  const session = { sessionId, authenticatedAt, hasPassword, factors };
  return { userId, displayName, email, isCreator, roles, withheldRoles, ...session };
}

/** @throws ProblemException FreshSignInRequired, with the ways in which this user can sign in again */
export function requireFreshSignIn(
  sessions: Sessions,
  session: Pick<SessionOwner, 'authenticatedAt' | 'hasPassword' | 'factors'>,
): void {
  if (!sessions.isFresh(session))
    throw new ProblemException('FreshSignInRequired', {
      methods: [session.hasPassword ? 'password' : 'google', ...session.factors],
    });
}

function admit(access: SessionAccess, owner: Caller | undefined): void {
  if (access === 'public') return;
  if (!owner) throw new ProblemException('NotSignedIn', {}, { 'WWW-Authenticate': 'Bearer realm="offcut"' });
  if (access === 'user') return;
  if (access === 'creator' || access === 'payee') {
    if (owner.creatorStatus === 'suspended') {
      if (access === 'payee') return;
      throw new ProblemException('CreatorSuspended');
    }
    if (!owner.user.isCreator) throw new ProblemException('CreatorAccessRequired');
    return;
  }
  if (owner.user.roles.includes(access)) return;
  if (owner.user.withheldRoles?.includes(access))
    throw new ProblemException('SecondFactorRequired', { methods: owner.factors });
  throw new ProblemException('NotAllowed');
}

function requireIdempotencyKey(request: HttpRequest): void {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !UUID.test(key)) throw new ProblemException('IdempotencyKeyMissing');
}
