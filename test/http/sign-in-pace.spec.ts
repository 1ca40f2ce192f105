import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { MailboxMailer } from '../../adapters/mail/mailbox.controller.js';
import { Mailer } from '../../application/mail/mailer.js';
import { Pause } from '../../application/shared/clock.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { comesTo } from '../support/money-back.js';
import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const password = 'a fine pass phrase';
const OPEN: Array<() => void> = [];

let store: TestDatabase;
let test: TestApp;
let waits: number[];
let letGo = true;
let address = 0;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database, config: { trustProxyHops: 1 } });
  jest.spyOn(test.app.get(Pause, { strict: false }), 'for').mockImplementation(async (ms) => {
    waits.push(ms);
    if (!letGo) await new Promise<void>((resolve) => OPEN.push(resolve));
  });
});

beforeEach(async () => {
  waits = [];
  letGo = true;
  await store.database.pool.query('delete from rate_limit');
});

afterEach(() => {
  for (const go of OPEN.splice(0)) go();
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

/** Each call uses a new address, unless one is given. */
const signIn = (client: HttpClient, email: string, word: string) =>
  client.post(
    '/api/auth/sign-in',
    { email, password: word },
    { headers: { 'x-forwarded-for': `203.0.113.${++address % 250}` } },
  );

async function guess(email: string, times: number): Promise<void> {
  for (let each = 0; each < times; each += 1)
    expect((await signIn(test.browser(), email, `guess ${each}`)).status).toBe(401);
}

const mailed = () => test.app.get<MailboxMailer>(Mailer).list(100);

const mails = async (to: string) =>
  (await mailed())
    .filter((mail) => mail.to === to && mail.subject === 'Wrong passwords for your account')
    .map(({ text }) => text);

describe('[SIGN-40] wrong passwords for one account slow the next ones', () => {
  it('whether or not there is such an account; the right one from elsewhere waits its turn', async () => {
    await test.signedUp('paced@example.com');
    await guess('paced@example.com', 15);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    waits = [];
    await guess('nobody@example.com', 15);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    waits = [];
    expect((await signIn(test.browser(), 'paced@example.com', password)).status).toBe(200);
    expect(waits).toEqual([8_000]);
  });

  it('who waits holds no connection to the database, and beyond eight is sent away', async () => {
    await test.signedUp('busy@example.com');
    await guess('busy@example.com', 10);
    letGo = false;
    const answers = Array.from({ length: 12 }, () => signIn(test.browser(), 'busy@example.com', 'guess'));
    const away = await new Promise<HttpAnswer[]>((resolve) => {
      const refused: HttpAnswer[] = [];
      for (const answer of answers)
        void answer.then((it) => refused.push(it) === 3 && resolve(refused)).catch(() => {});
    });
    for (const { status, body, headers } of away) {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'TooBusy' });
      expect(headers.get('retry-after')).not.toBeNull();
    }
    const { pool } = store.database;
    // Refused attempts are reverted after their answer.
    await comesTo(async () => pool.totalCount - pool.idleCount, 0);
    letGo = true;
    for (const go of OPEN.splice(0)) go();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(9);
  });
});

describe('[SIGN-41] a browser that signed in to the account goes ahead', () => {
  it('until the password changes or all others are signed out; the one that did so stays', async () => {
    const first = await test.signedUp('known@example.com');
    const second = test.browser();
    expect((await signIn(second, 'known@example.com', password)).status).toBe(200);
    await guess('known@example.com', 12);
    waits = [];
    for (const browser of [first, second])
      expect((await signIn(browser, 'known@example.com', password)).status).toBe(200);
    expect(waits).toEqual([]);

    expect((await first.delete('/api/me/sessions')).status).toBe(204);
    expect((await signIn(first, 'known@example.com', password)).status).toBe(200);
    expect(waits).toEqual([]);
    expect((await signIn(second, 'known@example.com', password)).status).toBe(200);
    expect(waits).toEqual([4_000]);

    const change = { currentPassword: password, newPassword: 'another fine phrase' };
    expect((await second.put('/api/auth/password', change)).status).toBe(204);
    waits = [];
    expect((await signIn(second, 'known@example.com', 'another fine phrase')).status).toBe(200);
    expect(waits).toEqual([]);
    expect((await signIn(first, 'known@example.com', 'another fine phrase')).status).toBe(200);
    expect(waits).toHaveLength(1);
  });

  it('so does the browser that set a password by mail; the cookie of another account opens nothing', async () => {
    await test.signedUp('forgot@example.com');
    await guess('forgot@example.com', 12);
    waits = [];
    const other = await test.signedUp('other@example.com');
    expect((await signIn(other, 'forgot@example.com', password)).status).toBe(200);
    expect(waits).toHaveLength(1);
    const browser = test.browser();
    await browser.post('/api/auth/password/forgot', { email: 'forgot@example.com' });
    const link = (await mailed()).find(({ subject }) => subject === 'Set a new password')?.links[0] as string;
    const token = new URL(link).searchParams.get('reset') as string;
    const reset = await browser.post('/api/auth/password/reset', { token, password: 'a new pass phrase' });
    expect(reset.status).toBe(204);
    waits = [];
    expect((await signIn(browser, 'forgot@example.com', 'a new pass phrase')).status).toBe(200);
    expect(waits).toEqual([]);
  });

  it('no longer after ten wrong passwords: its cookie may be stolen', async () => {
    const thief = await test.signedUp('stolen@example.com');
    await guess('stolen@example.com', 10);
    waits = [];
    for (let each = 0; each < 10; each += 1)
      expect((await signIn(thief, 'stolen@example.com', `guess ${each}`)).status).toBe(401);
    expect(waits).toEqual([]);
    expect((await signIn(thief, 'stolen@example.com', 'guess')).status).toBe(401);
    expect(waits).toEqual([8_000]);
  });
});

it('[AUTH-14] the answer about a forgotten password takes the same time with an account and without', async () => {
  await test.signedUp('timed@example.com');
  letGo = false;
  for (const email of ['timed@example.com', 'unknown@example.com']) {
    waits = [];
    let isAnswered = false;
    const answer = test.browser().post('/api/auth/password/forgot', { email });
    void answer.then(() => (isAnswered = true));
    await comesTo(async () => waits, [accountPolicy.forgotAnswerMs]);
    await comesTo(async () => OPEN.length, 1);
    expect(isAnswered).toBe(false);
    OPEN.pop()?.();
    expect((await answer).status).toBe(202);
  }
});

it('[SIGN-42] the owner is told once of twenty wrong passwords a day', async () => {
  await test.signedUp('told@example.com');
  await guess('told@example.com', 19);
  expect(await mails('told@example.com')).toEqual([]);
  expect((await signIn(test.browser(), 'told@example.com', password)).status).toBe(200);
  await guess('told@example.com', 6);
  const told = await mails('told@example.com');
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('20 wrong passwords');
  expect(told[0]).toContain('/settings?tab=security');
});
