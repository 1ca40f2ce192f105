import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PasswordHasher } from '../../application/accounts/passwords.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;
/** As with a configured mail server: users must confirm their addresses first. */
let strict: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  const config = { rateLimitScale: 1_000 };
  test = await startTestApp({ database: store.database, config });
  strict = await startTestApp({ database: store.database, config: { ...config, smtpUrl: 'smtp://unused' } });
});

afterAll(async () => {
  await test?.close();
  await strict?.close();
  await store?.close();
});

const password = 'a fine pass phrase';

async function mailsTo(email: string): Promise<Array<{ subject: string; text: string; links: string[] }>> {
  const { body } = await test.browser().get('/dev/mailbox?format=json');
  return body.filter((mail: { to: string }) => mail.to === email);
}

/** Returns the token of the newest mail to the address with a link of this kind. */
async function mailedToken(email: string, kind: 'verify' | 'reset'): Promise<string> {
  for (const { links } of await mailsTo(email))
    for (const link of links) {
      const token = new URL(link).searchParams.get(kind);
      if (token) return token;
    }
  throw new Error(`no ${kind} link was mailed to ${email}`);
}

const signIn = (client: HttpClient, email: string, word = password) =>
  client.post('/api/auth/sign-in', { email, password: word });

describe('signing up', () => {
  it('[AUTH-16] refuses weak passwords with their reasons and makes no account', async () => {
    for (const word of ['short', 'password123']) {
      const answer = await test
        .browser()
        .post('/api/auth/sign-up', { email: 'weak@example.com', password: word });
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'WeakPassword', reasons: [expect.any(String)] },
      });
    }
    expect((await signIn(test.browser(), 'weak@example.com', 'password123')).status).toBe(401);
  });

  it('[AUTH-15] an address in use is answered like one that must be confirmed, and changes nothing', async () => {
    await test.signedUp('taken@example.com');
    const again = await test.browser().post('/api/auth/sign-up', {
      email: 'Taken@Example.com',
      password: 'another pass phrase',
      displayName: 'Mallory',
    });
    expect(again).toMatchObject({ status: 201, body: { user: null, session: null } });
    expect(again.headers.getSetCookie()).toEqual([]);
    expect((await signIn(test.browser(), 'taken@example.com', 'another pass phrase')).status).toBe(401);
    expect((await signIn(test.browser(), 'taken@example.com')).body.user.displayName).toBe('taken');
  });

  it('[AUTH-15] where confirmation is required, known and unknown addresses answer alike', async () => {
    const browser = strict.browser();
    const fresh = await browser.post('/api/auth/sign-up', { email: 'new@example.com', password });
    const taken = await browser.post('/api/auth/sign-up', { email: 'new@example.com', password });
    expect(taken.status).toBe(fresh.status);
    expect(taken.body).toEqual(fresh.body);
    const subjects = (await mailsTo('new@example.com')).map(({ subject }) => subject);
    // The two mails are sent in any order.
    expect(subjects.toSorted()).toEqual(['Confirm your e-mail address', 'You already have an account']);
  });

  it('a simultaneous second sign-up makes no second account', async () => {
    const body = { email: 'twice@example.com', password };
    const answers = await Promise.all([1, 2, 3, 4].map(() => test.browser().post('/api/auth/sign-up', body)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(answers.filter(({ body }) => body.user !== null)).toHaveLength(1);
  });

  it('[AUTH-14] confirmation is required only where a mail server is configured', async () => {
    const email = 'confirm@example.com';
    await strict.browser().post('/api/auth/sign-up', { email, password });
    const early = await signIn(strict.browser(), email);
    expect(early).toMatchObject({
      status: 403,
      body: { code: 'EmailNotConfirmed', detail: 'Please confirm your email before signing in.' },
    });
    const token = await mailedToken(email, 'verify');
    expect((await strict.browser().post('/api/auth/verify-email', { token })).status).toBe(204);
    expect((await signIn(strict.browser(), email)).status).toBe(200);
    const again = await strict.browser().post('/api/auth/verify-email', { token });
    expect(again).toMatchObject({ status: 410, body: { code: 'TokenInvalid' } });
  });
});

describe('signing in', () => {
  it('a wrong password and an unknown address are answered alike', async () => {
    await test.signedUp('known@example.com');
    const wrong = await signIn(test.browser(), 'known@example.com', 'not the pass phrase');
    const unknown = await signIn(test.browser(), 'unknown@example.com');
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
  });

  it('an unknown address takes as long as a wrong password', async () => {
    await test.signedUp('timed@example.com');
    const hasher = test.app.get(PasswordHasher, { strict: false });
    const verify = jest.spyOn(hasher, 'verify');
    try {
      for (const email of ['timed@example.com', 'untimed@example.com'])
        await signIn(test.browser(), email, 'not the pass phrase');
      expect(verify.mock.calls).toEqual([
        ['not the pass phrase', expect.stringMatching(/^\$argon2id\$/)],
        ['not the pass phrase', null],
      ]);
    } finally {
      verify.mockRestore();
    }
    // The time of a check follows from the parameters and the lengths that the hash names.
    const stored = await hasher.hash('another');
    const jobs = jest.spyOn(Worker.prototype, 'postMessage');
    try {
      for (const hash of [stored, null]) expect(await hasher.verify('wrong', hash)).toBe(false);
      const [known, unknown] = jobs.mock.calls.map(([job]) => {
        const [, kind, version, parameters, salt = '', digest = ''] = job.stored.split('$');
        return { kind, version, parameters, salt: salt.length, digest: digest.length };
      });
      expect(unknown).toEqual(known);
      expect(known).toMatchObject({ kind: 'argon2id', parameters: 'm=19456,t=2,p=1' });
    } finally {
      jobs.mockRestore();
    }
  });

  it('passwords are kept as argon2id', async () => {
    const browser = await test.signedUp();
    const { rows } = await store.database.pool.query(
      'select password_hash from user_account where user_id = $1',
      [browser.userId],
    );
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$/);
  });
});

describe('forgotten and changed passwords', () => {
  it('[AUTH-14] asking for a mail answers 202 whether or not there is an account', async () => {
    await test.signedUp('forgetful@example.com');
    const known = await test.browser().post('/api/auth/password/forgot', { email: 'forgetful@example.com' });
    const unknown = await test.browser().post('/api/auth/password/forgot', { email: 'nobody@example.com' });
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(unknown.body).toEqual(known.body);
    expect(await mailsTo('nobody@example.com')).toEqual([]);
  });

  it('[AUTH-14] the mailed token sets a password once and ends every session', async () => {
    const email = 'reset@example.com';
    const browser = await test.signedUp(email);
    await test.browser().post('/api/auth/password/forgot', { email });
    const token = await mailedToken(email, 'reset');
    for (const tooWeak of ['12345678', email]) {
      const weak = await test.browser().post('/api/auth/password/reset', { token, password: tooWeak });
      expect(weak).toMatchObject({ status: 422, body: { code: 'WeakPassword' } });
    }
    const reset = await test
      .browser()
      .post('/api/auth/password/reset', { token, password: 'the next pass phrase' });
    expect(reset.status).toBe(204);
    expect((await browser.get('/api/me/export')).status).toBe(401);
    expect((await signIn(test.browser(), email)).status).toBe(401);
    expect((await signIn(test.browser(), email, 'the next pass phrase')).status).toBe(200);
    const again = await test
      .browser()
      .post('/api/auth/password/reset', { token, password: 'a third pass phrase' });
    expect(again).toMatchObject({ status: 410, body: { code: 'TokenInvalid' } });
  });

  it('a token is good for its own purpose, for a while, and only the newest', async () => {
    const email = 'purpose@example.com';
    await test.signedUp(email);
    const verify = await mailedToken(email, 'verify');
    const crossed = await test.browser().post('/api/auth/password/reset', { token: verify, password });
    expect(crossed.status).toBe(410);
    await test.browser().post('/api/auth/password/forgot', { email });
    const first = await mailedToken(email, 'reset');
    await test.browser().post('/api/auth/password/forgot', { email });
    const reset = (token: string) =>
      test.browser().post('/api/auth/password/reset', { token, password: 'the next pass phrase' });
    expect((await reset(first)).status).toBe(410);
    const second = await mailedToken(email, 'reset');
    test.clock.advance(60 * 60_000 + 1);
    expect((await reset(second)).status).toBe(410);
  });

  it('[SET-08] changing the password needs the current one and ends the other sessions', async () => {
    const email = 'change@example.com';
    const browser = await test.signedUp(email);
    const elsewhere = test.browser();
    await signIn(elsewhere, email);
    const change = (currentPassword: string, newPassword: string) =>
      browser.put('/api/auth/password', { currentPassword, newPassword });
    expect(await change('not the pass phrase', 'the next pass phrase')).toMatchObject({
      status: 403,
      body: { code: 'WrongPassword' },
    });
    expect((await change(password, 'qwertyuiop')).body.code).toBe('WeakPassword');
    expect((await elsewhere.get('/api/me/export')).status).toBe(200);
    expect((await change(password, 'the next pass phrase')).status).toBe(204);
    expect((await elsewhere.get('/api/me/export')).status).toBe(401);
    expect((await browser.get('/api/me/export')).status).toBe(200);
    expect((await signIn(test.browser(), email)).status).toBe(401);
  });
});

describe('the own account', () => {
  it('changes its name', async () => {
    const browser = await test.signedUp('before@example.com');
    const changed = await browser.patch('/api/me', { displayName: 'Grace' });
    expect(changed).toMatchObject({ status: 200, body: { user: { displayName: 'Grace' } } });
    expect((await browser.patch('/api/me', { displayName: '   ' })).status).toBe(400);
    expect((await browser.patch('/api/me', { roles: ['admin'] })).status).toBe(400);
  });

  it('where confirmation is required a new address counts once it is confirmed', async () => {
    const browser = await test.signedUp('slow@example.com');
    const client = strict.browser();
    for (const [name, value] of browser.cookies) client.cookies.set(name, value);
    const asked = await client.patch('/api/me', { email: 'slow-new@example.com' });
    expect(asked.body).toMatchObject({
      user: { email: 'slow@example.com' },
      emailToConfirm: 'slow-new@example.com',
    });
    const token = await mailedToken('slow-new@example.com', 'verify');
    await client.post('/api/auth/verify-email', { token });
    expect((await client.get('/api/auth/session')).body.user.email).toBe('slow-new@example.com');
  });

  it('[SET-09] exports everything about me and nothing secret', async () => {
    const browser = await test.signedUp('export@example.com');
    const { status, body } = await browser.get('/api/me/export');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      account: { id: browser.userId, email: 'export@example.com' },
      saved: [],
      history: [],
      credits: [],
      downloads: [],
    });
    expect(JSON.stringify(body)).not.toMatch(/argon2|token|[0-9a-f]{64}/);
  });

  it('[SET-09] erasing leaves an id that says nothing about a person', async () => {
    const email = 'forget-me@example.com';
    const browser = await test.signedUp(email);
    expect((await browser.delete('/api/me')).status).toBe(204);
    expect((await browser.get('/api/auth/session')).body).toEqual({ user: null });
    expect((await signIn(test.browser(), email)).status).toBe(401);
    const { rows } = await store.database.pool.query('select * from user_account where user_id = $1', [
      browser.userId,
    ]);
    expect(rows[0]).toMatchObject({ email: null, password_hash: null, display_name: 'Deleted user' });
    for (const table of ['session', 'mail_token', 'saved_item', 'listening_entry']) {
      const left = await store.database.pool.query(`select 1 from ${table} where user_id = $1`, [
        browser.userId,
      ]);
      expect([table, left.rowCount]).toEqual([table, 0]);
    }
    expect(await mailsTo(email)).toEqual([]);
    expect((await test.browser().post('/api/auth/sign-up', { email, password })).body.user).not.toBeNull();
  });
});
