import { type Query, useQuery } from '@tanstack/react-query';
import { deviceNow } from '../clock.js';
import type { SessionAnswer, SignedIn, User } from '../../../application/accounts/contract.js';
import { api, query } from '../api/api.js';
import { ApiProblem } from '../api/transport/http.js';
import { openChannel } from '../api/transport/backend.js';
import { isCatalogue, queryClient } from '../api/query-client.js';
import { forgetFolder, forgetPerson } from '../offline/personal-caches.js';
import { useHydrated } from '../ui/hooks/use-hydrated.js';

export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User };
export type SessionEvent =
  | 'initial-session'
  | 'signed-in'
  | 'token-refreshed'
  | 'user-updated'
  | 'password-recovery'
  | 'signed-out';

export const TICK_MS = 30_000;
const TICKS_BEFORE_RENEWAL = 3;
const FIRST_BACKOFF_MS = 200;

/** The query for the signed-in person. Only this file runs it: an unmounting screen would cancel a shared request. */
const sessionQuery = {
  ...query('GET /api/auth/session'),
  queryFn: () => api('GET /api/auth/session'),
  gcTime: Number.POSITIVE_INFINITY,
  enabled: false,
};
queryClient.setQueryDefaults(sessionQuery.queryKey, { gcTime: sessionQuery.gcTime });

const UNKNOWN: SessionState = { status: 'loading', user: null };
const stateOf = ({ user }: SessionAnswer): SessionState =>
  user ? { status: 'signed-in', user } : { status: 'signed-out', user };

const known = () => queryClient.getQueryData(sessionQuery.queryKey);

let renewing = false;
const listeners = new Set<(event: SessionEvent) => void>();
// Notifies other tabs of a sign-in or sign-out, because scripts cannot read the session cookie.
const channel = openChannel('offcut-session');

const isPersonal = (kept: Query) => !isCatalogue(kept) && kept.queryKey[0] !== sessionQuery.queryKey[0];

/** @param before the id of the person who was signed in before the event */
function announce(event: SessionEvent, before: string | undefined): void {
  // One person's data (saved, owned, credits) must not be shown to the next person.
  if (event !== 'initial-session' && before !== known()?.user?.id) {
    // A disabled query that a component observes must stay: once removed, it would never reach the screen again.
    queryClient.removeQueries({ predicate: (kept) => isPersonal(kept) && kept.getObserversCount() === 0 });
    void queryClient.resetQueries({ predicate: isPersonal });
    void queryClient.invalidateQueries({ predicate: isCatalogue });
    void forgetPerson();
    forgetFolder();
  }
  listeners.forEach((listener) => listener(event));
}

/**
 * Stores a new answer about the session, and notifies the other tabs, which then ask the
 * server. Cancels a request in progress, because its answer is older.
 */
function accept(answer: SessionAnswer, event: SessionEvent): void {
  const before = known()?.user?.id;
  void queryClient.cancelQueries(sessionQuery, { silent: true });
  queryClient.setQueryData(sessionQuery.queryKey, answer);
  announce(event, before);
  channel?.postMessage(event);
}

let askAgain: ReturnType<typeof setTimeout> | undefined;

/** Asks again while the session is unknown: once the browser is online, or after 200 ms, doubled up to `TICK_MS`. */
function askLater(event: SessionEvent, delayMs: number): void {
  clearTimeout(askAgain);
  const ask = () => {
    window.removeEventListener('online', ask);
    clearTimeout(askAgain);
    if (!known()) void loadSession(event, Math.min(delayMs * 2, TICK_MS));
  };
  askAgain = setTimeout(ask, delayMs);
  window.addEventListener('online', ask);
}

/** Asks the server who is signed in. Without an answer the session stays unknown, and is requested again. */
export async function loadSession(event: SessionEvent = 'initial-session', delayMs = FIRST_BACKOFF_MS) {
  const before = known()?.user?.id;
  try {
    void queryClient.cancelQueries(sessionQuery, { silent: true });
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    announce(event, before);
  } catch {
    if (!known()) askLater(event, delayMs);
  }
}

export const acceptSignIn = (answer: SignedIn, event: SessionEvent = 'signed-in'): void =>
  accept({ user: answer.user, expiresAt: answer.session.expires_at }, event);

/** Shows changed account data everywhere without a reload. */
export const acceptUser = (user: User): void =>
  accept({ expiresAt: Number.POSITIVE_INFINITY, ...known(), user }, 'user-updated');

const acceptSignOut = () => accept({ user: null }, 'signed-out');

export function announcePasswordRecovery(): void {
  announce('password-recovery', known()?.user?.id);
  channel?.postMessage('password-recovery');
}

export async function signOut(): Promise<void> {
  await api('POST /api/auth/sign-out').catch((error: unknown) => {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  });
  acceptSignOut();
}

/**
 * Renews a session that expires within two minutes. Retries after 200 ms and doubles the delay each time, until the
 * delay reaches `TICK_MS`.
 */
export async function renewIfDue(): Promise<void> {
  const answer = known();
  if (renewing || !answer?.user) return;
  if (Math.floor((answer.expiresAt * 1000 - deviceNow()) / TICK_MS) > TICKS_BEFORE_RENEWAL) return;
  renewing = true;
  try {
    await unlessAnotherTabDoes(renew);
  } finally {
    renewing = false;
  }
}

/** Two tabs must not renew at once: the server treats a token that was already renewed as stolen. */
async function unlessAnotherTabDoes(work: () => Promise<void>): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return work();
  await locks.request('offcut-renewal', { ifAvailable: true }, async (lock) => {
    if (lock) await work();
  });
}

async function renew(): Promise<void> {
  for (let delayMs = FIRST_BACKOFF_MS; delayMs < TICK_MS; delayMs *= 2) {
    try {
      return acceptSignIn(await api('POST /api/auth/refresh'), 'token-refreshed');
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return acceptSignOut();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** Checks the session every 30 s and listens to other tabs, until the returned function is called. */
export function keepSession(): () => void {
  const timer = setInterval(() => void renewIfDue(), TICK_MS);
  const hear = (message: MessageEvent<SessionEvent>) => void loadSession(message.data);
  channel?.addEventListener('message', hear);
  return () => {
    clearInterval(timer);
    channel?.removeEventListener('message', hear);
  };
}

export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSession(): SessionState {
  const answer = known();
  return answer ? stateOf(answer) : UNKNOWN;
}

/** Resolves once the session is known, which may take several requests. */
export const sessionKnown = (): Promise<void> =>
  new Promise((resolve) => {
    if (known()) return resolve();
    const leave = onSessionEvent(() => {
      if (!known()) return;
      leave();
      resolve();
    });
  });

const PRESS_WAITS_MS = 10_000;

/** Whether a visitor is signed in. Waits at most 10 s for the answer; an unknown session counts as signed out. */
export async function isSignedIn(): Promise<boolean> {
  if (!known())
    await Promise.race([
      sessionKnown(),
      new Promise<void>((resolve) => void setTimeout(resolve, PRESS_WAITS_MS)),
    ]);
  return currentSession().status === 'signed-in';
}

/** The session. Unknown until hydration, because pages rendered by the server are the same for every visitor. */
export function useSession(): SessionState {
  const hydrated = useHydrated();
  const { data } = useQuery({ ...sessionQuery, select: stateOf });
  return (hydrated && data) || UNKNOWN;
}
