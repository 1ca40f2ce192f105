import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type SessionEvent,
  TICK_MS,
  acceptSignIn,
  acceptUser,
  announcePasswordRecovery,
  currentSession,
  loadSession,
  onSessionEvent,
  renewIfDue,
  signOut,
} from '../../web/src/session/session.js';
import { NOOR, sessionUntil } from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;
let events: SessionEvent[];
let deaf: () => void;

const endsInTicks = (ticks: number) => Math.floor((Date.now() + ticks * TICK_MS + 1_000) / 1000);
const signInFor = (ticks: number) => acceptSignIn({ user: NOOR, session: sessionUntil(endsInTicks(ticks)) });
const renewals = () => server.seen('POST /api/auth/refresh').length;

/** Returns the session module of a page that has just been opened. */
const freshPage = async () => {
  jest.resetModules();
  return import('../../web/src/session/session.js');
};

beforeEach(() => {
  server = new StubServer({
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/auth/refresh': () => ({ json: { user: NOOR, session: sessionUntil(endsInTicks(100)) } }),
  });
  events = [];
  deaf = onSessionEvent((event) => events.push(event));
});
afterEach(async () => {
  jest.useRealTimers();
  deaf();
  await signOut();
});

describe('what is pressed before it is known who is signed in', () => {
  it('[SAVE-10] waits until the server has said', async () => {
    const page = await freshPage();
    server.on('GET /api/auth/session', { json: { user: NOOR, expiresAt: endsInTicks(9) } });
    const asked = page.isSignedIn();
    await page.loadSession();
    expect(await asked).toBe(true);
  });

  it('[SAVE-10] waits no longer than ten seconds', async () => {
    jest.useFakeTimers();
    const page = await freshPage();
    const asked = page.isSignedIn();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await asked).toBe(false);
  });
});

describe('the session', () => {
  it('[AUTH-12] tells of every change without a reload', async () => {
    server.on('GET /api/auth/session', { json: { user: NOOR, expiresAt: endsInTicks(9) } });
    await loadSession();
    acceptUser({ ...NOOR, displayName: 'Noor H.' });
    announcePasswordRecovery();
    signInFor(2);
    await renewIfDue();
    await signOut();
    expect(events).toEqual([
      'initial-session',
      'user-updated',
      'password-recovery',
      'signed-in',
      'token-refreshed',
      'signed-out',
    ]);
    expect(currentSession()).toEqual({ status: 'signed-out', user: null });
  });

  it('[AUTH-12] does not let an answer that was asked for earlier undo a sign-in', async () => {
    let answer = (_: { json: object }): void => undefined;
    server.on('GET /api/auth/session', () => new Promise((resolve) => (answer = resolve)));
    const asked = loadSession('user-updated');
    signInFor(9);
    answer({ json: { user: null } });
    await asked;
    await new Promise((resolve) => setTimeout(resolve));
    expect(currentSession()).toEqual({ status: 'signed-in', user: NOOR });
    expect(events).toEqual(['signed-in']);
  });

  it('[AUTH-11] renews when 3 ticks remain, and not with 4', async () => {
    signInFor(4);
    await renewIfDue();
    expect(renewals()).toBe(0);
    signInFor(3);
    await renewIfDue();
    expect(renewals()).toBe(1);
    await renewIfDue();
    expect(renewals()).toBe(1);
  });

  it('[AUTH-11] retries a failed renewal after 200 ms, doubling', async () => {
    jest.useFakeTimers();
    let failures = 2;
    server.on('POST /api/auth/refresh', () =>
      failures-- > 0 ? { status: 500 } : { json: { user: NOOR, session: sessionUntil(endsInTicks(100)) } },
    );
    signInFor(1);
    const renewing = renewIfDue();
    await jest.advanceTimersByTimeAsync(199);
    expect(renewals()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(renewals()).toBe(2);
    await jest.advanceTimersByTimeAsync(399);
    expect(renewals()).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    await renewing;
    expect(renewals()).toBe(3);
    expect(currentSession().status).toBe('signed-in');
  });

  it('[AUTH-11] signs out when the server no longer knows the session', async () => {
    server.on('POST /api/auth/refresh', refused('NotSignedIn'));
    signInFor(1);
    await renewIfDue();
    expect(currentSession().status).toBe('signed-out');
  });

  it('[WEB-12] leaves open who is signed in while the server cannot say, asks on, and shows who it is', async () => {
    jest.useFakeTimers();
    const page = await freshPage();
    server.on('GET /api/auth/session', { status: 503 });
    const loading = page.loadSession();
    await jest.advanceTimersByTimeAsync(2_000);
    await loading;
    expect(page.currentSession().status).toBe('loading');
    const asked = server.seen('GET /api/auth/session').length;
    await jest.advanceTimersByTimeAsync(5 * TICK_MS);
    const later = server.seen('GET /api/auth/session').length;
    expect(later).toBeGreaterThan(asked);
    expect(later).toBeLessThan(asked + 50);
    server.on('GET /api/auth/session', { json: { user: NOOR, expiresAt: endsInTicks(100) } });
    await jest.advanceTimersByTimeAsync(TICK_MS + 1_000);
    expect(page.currentSession()).toEqual({ status: 'signed-in', user: NOOR });
  });

  it('[WEB-12] asks at once when the connection is back', async () => {
    jest.useFakeTimers();
    const page = await freshPage();
    server.on('GET /api/auth/session', () => Promise.reject(new TypeError('offline')));
    void page.loadSession();
    await jest.advanceTimersByTimeAsync(4 * TICK_MS);
    server.on('GET /api/auth/session', { json: { user: NOOR, expiresAt: endsInTicks(100) } });
    window.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(page.currentSession().status).toBe('signed-in');
  });
});
