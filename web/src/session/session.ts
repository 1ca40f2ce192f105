import type { Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { SignedIn, User } from '../../../application/accounts/contract.js';
import { api } from '../api/api.js';
import { ApiProblem } from '../api/http.js';
import { openChannel } from '../api/channel.js';
import { isCatalogue, queryClient } from '../api/query-client.js';

export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User };
export type SessionEvent =
  'initial-session' | 'signed-in' | 'token-refreshed' | 'user-updated' | 'password-recovery' | 'signed-out';

export const TICK_MS = 30_000;
export const TICKS_BEFORE_RENEWAL = 3;
const FIRST_BACKOFF_MS = 200;

const UNKNOWN: SessionState = { status: 'loading', user: null };
let state = UNKNOWN as SessionState;
/** Unix seconds; null while nobody is signed in. */
let expiresAt: number | null = null;
let renewing = false;
const listeners = new Set<() => void>();
const eventListeners = new Set<(event: SessionEvent) => void>();
// Other tabs learn of a sign-in or sign-out here; the token itself is never readable by script.
const channel = openChannel('offcut-session');

function setState(next: SessionState, event: SessionEvent, { tell = true } = {}): void {
  const before = state.user?.id;
  state = next;
  // One person's data (saved, owned, credits) must not be shown to the next.
  if (event !== 'initial-session' && before !== next.user?.id) {
    const isPersonal = (query: Query) => !isCatalogue(query);
    queryClient.removeQueries({ predicate: isPersonal, type: 'inactive' });
    void queryClient.resetQueries({ predicate: isPersonal });
    void queryClient.invalidateQueries({ predicate: isCatalogue });
  }
  listeners.forEach((listener) => listener());
  eventListeners.forEach((listener) => listener(event));
  if (tell && event !== 'initial-session') channel?.postMessage(event);
}

let askAgain: ReturnType<typeof setTimeout> | undefined;

/** While the server cannot say who is signed in, ask again: after 200 ms, doubling up to a tick. */
function askLater(event: SessionEvent, delayMs: number): void {
  clearTimeout(askAgain);
  const ask = () => {
    window.removeEventListener('online', ask);
    clearTimeout(askAgain);
    if (state.status === 'loading') void loadSession(event, Math.min(delayMs * 2, TICK_MS));
  };
  askAgain = setTimeout(ask, delayMs);
  window.addEventListener('online', ask);
}

/**
 * Asks the server who is signed in. Runs once at the start, and whenever another tab reports a change. Without an
 * answer nobody counts as signed out: the question stays open and is repeated.
 */
export async function loadSession(
  event: SessionEvent = 'initial-session',
  delayMs = FIRST_BACKOFF_MS,
): Promise<void> {
  try {
    const answer = await api('GET /api/auth/session');
    expiresAt = answer.user ? answer.expiresAt : null;
    const next: SessionState = answer.user
      ? { status: 'signed-in', user: answer.user }
      : { status: 'signed-out', user: null };
    setState(next, event, { tell: false });
  } catch {
    if (state.status === 'loading') askLater(event, delayMs);
  }
}

/** Takes over the answer of sign-in, sign-up or reset. */
export function acceptSignIn(answer: SignedIn): void {
  expiresAt = answer.session.expires_at;
  setState({ status: 'signed-in', user: answer.user }, 'signed-in');
}

/** Shows changed account data everywhere without a reload. */
export function acceptUser(user: User): void {
  setState({ status: 'signed-in', user }, 'user-updated');
}

/** Tells header and gates that the visitor followed a password link. */
export function announcePasswordRecovery(): void {
  setState(state, 'password-recovery');
}

/** Ends the session on the server and in every tab. */
export async function signOut(): Promise<void> {
  await api('POST /api/auth/sign-out').catch((error: unknown) => {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  });
  expiresAt = null;
  setState({ status: 'signed-out', user: null }, 'signed-out');
}

/** Whole ticks left before the session ends. @param nowMs milliseconds since the epoch */
export function ticksLeft(nowMs: number): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor((expiresAt * 1000 - nowMs) / TICK_MS);
}

/** Renews the session when three ticks or fewer remain; failures repeat after 200 ms, doubling, until the next tick. */
export async function renewIfDue(nowMs = Date.now()): Promise<void> {
  if (renewing || state.status !== 'signed-in' || ticksLeft(nowMs) > TICKS_BEFORE_RENEWAL) return;
  renewing = true;
  try {
    await unlessAnotherTabDoes(renew);
  } finally {
    renewing = false;
  }
}

/** Two tabs must not renew at once: the server takes a token that was renewed before for a stolen one. */
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
      const answer = await api('POST /api/auth/refresh');
      expiresAt = answer.session.expires_at;
      setState({ status: 'signed-in', user: answer.user }, 'token-refreshed');
      return;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) {
        expiresAt = null;
        setState({ status: 'signed-out', user: null }, 'signed-out');
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** Starts the check every 30 s and listens to other tabs; the returned function ends both. */
export function keepSession(): () => void {
  const timer = setInterval(() => void renewIfDue(), TICK_MS);
  const hear = (message: MessageEvent<SessionEvent>) => void loadSession(message.data);
  channel?.addEventListener('message', hear);
  return () => {
    clearInterval(timer);
    channel?.removeEventListener('message', hear);
  };
}

/** Calls back on every session event until the returned function is called. */
export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

/** The session now, outside React. */
export function currentSession(): SessionState {
  return state;
}

/** Resolves when it is known who is signed in; the server may not have answered the first time. */
export const sessionKnown = (): Promise<void> =>
  new Promise((resolve) => {
    if (state.status !== 'loading') return resolve();
    const leave = onSessionEvent(() => {
      if (state.status === 'loading') return;
      leave();
      resolve();
    });
  });

const PRESS_WAITS_MS = 10_000;

/** Whether a visitor is signed in; an action before that is known waits for it, for a while. */
export async function isSignedIn(): Promise<boolean> {
  if (state.status === 'loading')
    await Promise.race([
      sessionKnown(),
      new Promise<void>((resolve) => void setTimeout(resolve, PRESS_WAITS_MS)),
    ]);
  return state.status === 'signed-in';
}

/** Pages drawn by the server are the same for everybody. */
const unknownSession = (): SessionState => UNKNOWN;

/** The session; renders again whenever it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, currentSession, unknownSession);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
