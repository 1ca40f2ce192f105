import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantRoles } from '../support/staff.js';

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

const password = 'a fine pass phrase';
const cookieOf = (client: HttpClient) => client.cookies.get('offcut_session') as string;

/** Returns a client with this token, as a thief or a script would have. */
function holding(token: string): HttpClient {
  const client = test.browser();
  client.cookies.set('offcut_session', token);
  return client;
}

describe('sessions', () => {
  it('[AUTH-18] sign-up, sign-in, refresh and session answer their shapes', async () => {
    const browser = test.browser();
    const signedUp = await browser.post('/api/auth/sign-up', {
      email: 'ada@example.com',
      password,
      displayName: ' Ada ',
    });
    const user = {
      id: signedUp.body.user.id,
      email: 'ada@example.com',
      displayName: 'Ada',
      avatarUrl: null,
      isCreator: false,
      roles: [],
    };
    const lifetime = accountPolicy.sessionLifetimeMs / 1_000;
    const session = {
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: Math.floor(test.clock.now().getTime() / 1_000) + lifetime,
      expires_in: lifetime,
    };
    expect(signedUp).toMatchObject({ status: 201, body: { user, session } });
    const signedIn = await test.browser().post('/api/auth/sign-in', { email: 'ADA@example.com', password });
    expect(signedIn).toMatchObject({ status: 200, body: { user, session } });
    expect((await browser.post('/api/auth/refresh')).body).toEqual({ user, session });
    expect((await browser.get('/api/auth/session')).body).toEqual({ user, expiresAt: session.expires_at });
    expect((await test.browser().get('/api/auth/session')).body).toEqual({ user: null });
  });

  it('[AUTH-10] the cookie cannot be read by scripts, and the token works as a bearer', async () => {
    const browser = test.browser();
    const email = 'cookie@example.com';
    const answer = await browser.post('/api/auth/sign-up', { email, password });
    const [line] = answer.headers.getSetCookie();
    expect(line).toMatch(/^offcut_session=[\w-]+; Expires=.+; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = answer.body.session.access_token;
    expect(cookieOf(browser)).toBe(token);
    const script = new HttpClient(test.url, token);
    expect((await script.get('/api/auth/session')).body.user.email).toBe(email);
    expect((await script.get('/api/me/export')).status).toBe(200);
  });

  it('[AUTH-10] over https the cookie never travels in the clear', async () => {
    const secure = await startTestApp({
      database: store.database,
      config: { publicUrl: 'https://offcut.example' },
    });
    const browser = secure.browser();
    const body = { email: 'secure@example.com', password };
    const answer = await browser.post('/api/auth/sign-up', body);
    expect(answer.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=');
    await secure.close();
  });

  it('[AUTH-10] no token is stored as it is', async () => {
    const browser = await test.signedUp();
    const { rows } = await store.database.pool.query('select token_hash from session_token');
    expect(rows.length).toBeGreaterThan(0);
    for (const { token_hash: kept } of rows) {
      expect(kept).toMatch(/^[0-9a-f]{64}$/);
      expect(kept).not.toContain(cookieOf(browser));
    }
  });

  it('[AUTH-10] a renewal replaces the token, and the old one opens nothing', async () => {
    const browser = await test.signedUp();
    const before = cookieOf(browser);
    expect((await browser.post('/api/auth/refresh')).status).toBe(200);
    expect(cookieOf(browser)).not.toBe(before);
    expect((await browser.get('/api/me/export')).status).toBe(200);
    expect((await holding(before).get('/api/me/export')).status).toBe(401);
  });

  it('[AUTH-10] renewing with a token that was replaced ends the whole session', async () => {
    const browser = await test.signedUp();
    const stolen = holding(cookieOf(browser));
    await browser.post('/api/auth/refresh');
    expect((await stolen.post('/api/auth/refresh')).status).toBe(401);
    expect((await browser.get('/api/me/export')).status).toBe(401);
    expect((await browser.post('/api/auth/refresh')).status).toBe(401);
  });

  it('[AUTH-10] of two renewals at once at most one token lives on', async () => {
    const browser = await test.signedUp();
    const token = cookieOf(browser);
    const answers = await Promise.all([1, 2, 3, 4].map(() => holding(token).post('/api/auth/refresh')));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const { rows } = await store.database.pool.query(
      `select count(*) as live from session_token t join session s using (session_id)
        where s.user_id = $1 and t.replaced_at is null`,
      [browser.userId],
    );
    expect(rows).toEqual([{ live: 1 }]);
  });

  it('a session that was there before sign-in is not taken over (fixation)', async () => {
    const mallory = await test.signedUp();
    const planted = cookieOf(mallory);
    const victim = holding(planted);
    await test.signedUp('victim@example.com');
    const answer = await victim.post('/api/auth/sign-in', { email: 'victim@example.com', password });
    expect(answer.body.session.access_token).not.toBe(planted);
    expect((await mallory.get('/api/auth/session')).body.user.id).toBe(mallory.userId);
    const chosen = holding('a-token-of-my-own-choice');
    await chosen.post('/api/auth/sign-in', { email: 'victim@example.com', password });
    expect(cookieOf(chosen)).not.toBe('a-token-of-my-own-choice');
    expect((await holding('a-token-of-my-own-choice').get('/api/me/export')).status).toBe(401);
  });

  it('[AUTH-13] sign-out ends the session on the server', async () => {
    const browser = await test.signedUp();
    const token = cookieOf(browser);
    const answer = await browser.post('/api/auth/sign-out');
    expect(answer.status).toBe(204);
    expect(browser.cookies.has('offcut_session')).toBe(false);
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    expect((await holding(token).get('/api/me/export')).status).toBe(401);
    expect((await new HttpClient(test.url, token).get('/api/me/export')).status).toBe(401);
    expect((await holding(token).post('/api/auth/refresh')).status).toBe(401);
    expect((await browser.post('/api/auth/sign-out')).status).toBe(204);
  });

  it('a token expires', async () => {
    const browser = await test.signedUp();
    test.clock.advance(accountPolicy.sessionLifetimeMs - 1);
    expect((await browser.get('/api/auth/session')).body.user).not.toBeNull();
    test.clock.advance(1);
    expect((await browser.get('/api/me/export')).status).toBe(401);
    expect((await browser.post('/api/auth/refresh')).status).toBe(401);
    expect((await browser.get('/api/auth/session')).body).toEqual({ user: null });
  });

  it('a sweep forgets what ended long ago and nothing that lives', async () => {
    const [gone, stays] = [await test.signedUp(), await test.signedUp()];
    await gone.post('/api/auth/sign-out');
    test.clock.advance(accountPolicy.sessionLifetimeMs - 1_000);
    await stays.post('/api/auth/refresh');
    const sessionsOf = async (userId: string) =>
      (await store.database.pool.query('select 1 from session where user_id = $1', [userId])).rowCount;
    await test.app.get(Sessions).sweep();
    expect(await sessionsOf(gone.userId)).toBe(1);
    test.clock.advance(2_000);
    await test.app.get(Sessions).sweep();
    expect([await sessionsOf(gone.userId), await sessionsOf(stays.userId)]).toEqual([0, 1]);
    expect((await stays.get('/api/auth/session')).body.user).not.toBeNull();
  });

  it('creator status and roles act on the next request', async () => {
    const browser = await test.signedUp();
    const { pool } = store.database;
    await pool.query(
      `insert into creator_standing (user_id, status, updated_at) values ($1, 'approved', now())`,
      [browser.userId],
    );
    await grantRoles(store.database, browser.userId, 'finance');
    const { body } = await browser.get('/api/auth/session');
    expect(body.user).toMatchObject({ isCreator: true, roles: ['finance'] });
    await pool.query(`update creator_standing set status = 'suspended' where user_id = $1`, [browser.userId]);
    expect((await browser.get('/api/auth/session')).body.user.isCreator).toBe(false);
  });
});
