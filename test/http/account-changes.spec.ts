import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;
/** With the rate limits of production. */
let limited: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database, config: { rateLimitScale: 1_000 } });
  limited = await startTestApp({ database: store.database });
});

afterAll(async () => {
  await test?.close();
  await limited?.close();
  await store?.close();
});

const password = 'a fine pass phrase';
const FRESH_MS = accountPolicy.freshSignInMs;

interface MailSeen {
  to: string;
  subject: string;
  text: string;
  links: string[];
}

async function mailsTo(email: string): Promise<MailSeen[]> {
  const { body } = await test.browser().get('/dev/mailbox?format=json');
  return body.filter((mail: MailSeen) => mail.to === email);
}

/** Returns the token of the newest mail to the address with a link of this kind. */
async function mailedToken(email: string, kind: 'verify' | 'reset' | 'undo'): Promise<string> {
  for (const { links } of await mailsTo(email))
    for (const link of links) {
      const token = new URL(link).searchParams.get(kind);
      if (token) return token;
    }
  throw new Error(`no ${kind} link was mailed to ${email}`);
}

const emailOf = async (browser: HttpClient) =>
  (await browser.get('/api/auth/session')).body.user?.email as string | undefined;
const verify = (token: string) => test.browser().post('/api/auth/verify-email', { token });
const signIn = (email: string, word = password) =>
  test.browser().post('/api/auth/sign-in', { email, password: word });

/** Changes the account's address, as its owner does. */
async function move(browser: HttpClient, email: string): Promise<void> {
  expect((await browser.patch('/api/me', { email })).status).toBe(200);
  expect((await verify(await mailedToken(email, 'verify'))).status).toBe(204);
}

it('[SIGN-32, SIGN-521, ADM-38] a fresh sign-in is asked for by these, and by a change of address', () => {
  const keys = ENDPOINTS.flatMap(({ key, freshSignIn }) => (freshSignIn ? [key] : []));
  expect(keys.sort()).toEqual([
    'DELETE /api/admin/people/:userId/sessions',
    'DELETE /api/me',
    'DELETE /api/me/authenticator-app',
    'DELETE /api/me/passkeys/:id',
    'GET /api/admin/audit.csv',
    'GET /api/finance/export',
    'GET /api/finance/exports/:id/file',
    'GET /api/finance/periods/:month/journal',
    'GET /api/finance/periods/:month/package',
    'GET /api/finance/reports/creator-taxes/:year.csv',
    'GET /api/finance/reports/statement.pdf',
    'GET /api/finance/vat/:quarter/firms.csv',
    'GET /api/me/export',
    'GET /api/me/exports/:id/file',
    'POST /api/admin/adjustments',
    'POST /api/admin/approvals/:id/approve',
    'POST /api/admin/approvals/:id/decline',
    'POST /api/admin/approvals/:id/withdraw',
    'POST /api/admin/complaints/:id/answer',
    'POST /api/admin/complaints/:id/answer-counter-notice',
    'POST /api/admin/complaints/:id/bar',
    'POST /api/admin/complaints/:id/hold',
    'POST /api/admin/copies/:id/decide',
    'POST /api/admin/copies/:id/swap',
    'POST /api/admin/copies/:id/take-down',
    'POST /api/admin/creators/:userId/end-verification',
    'POST /api/admin/creators/:userId/reinstate',
    'POST /api/admin/creators/:userId/suspend',
    'POST /api/admin/creators/:userId/verify',
    'POST /api/admin/defects',
    'POST /api/admin/jobs/:id/cancel',
    'POST /api/admin/jobs/:id/discard',
    'POST /api/admin/jobs/:id/retry',
    'POST /api/admin/limits',
    'POST /api/admin/refunds',
    'POST /api/admin/staff/:userId/roles/:role',
    'POST /api/admin/staff/:userId/roles/:role/revoke',
    'POST /api/admin/takedowns',
    'POST /api/creator/packs/:id/splits',
    'POST /api/creator/withdrawals',
    'POST /api/finance/adjusting-entries',
    'POST /api/finance/approvals/:id/approve',
    'POST /api/finance/approvals/:id/decline',
    'POST /api/finance/approvals/:id/withdraw',
    'POST /api/finance/claims/payouts',
    'POST /api/finance/exports',
    'POST /api/finance/missing-facts/purchases',
    'POST /api/finance/periods/:month/close',
    'POST /api/finance/periods/:month/reopen',
    'POST /api/finance/periods/:month/sign',
    'POST /api/finance/sales-under-review/:purchaseId/release',
    'POST /api/me/authenticator-app',
    'POST /api/me/authenticator-app/confirm',
    'POST /api/me/exports',
    'POST /api/me/passkeys',
    'POST /api/me/passkeys/options',
    'POST /api/me/recovery-codes',
    'POST /api/stripe/connect/create-account',
    'POST /api/tokens',
    'PUT /api/creator/payout-schedule',
    'PUT /api/creator/tax-details',
  ]);
});

describe('what a session alone may not do', () => {
  it('[AUTH-19] a new address and erasing the account need a sign-in of the last ten minutes, or the password', async () => {
    const browser = await test.signedUp('stale@example.com');
    test.clock.advance(FRESH_MS + 1);
    const refusals = [
      await browser.patch('/api/me', { email: 'thief@example.com' }),
      await browser.delete('/api/me'),
    ];
    for (const refused of refusals)
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'FreshSignInRequired', methods: ['password'] },
      });
    expect(await mailsTo('thief@example.com')).toEqual([]);
    expect((await browser.patch('/api/me', { displayName: 'Still Me' })).status).toBe(200);
    const wrong = await browser.post('/api/auth/confirm', { password: 'not the pass phrase' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WrongPassword' } });
    expect((await browser.delete('/api/me')).status).toBe(403);
    expect((await browser.post('/api/auth/confirm', { password })).status).toBe(204);
    expect((await browser.patch('/api/me', { email: 'mine@example.com' })).status).toBe(200);
    test.clock.advance(FRESH_MS - 1);
    expect((await browser.delete('/api/me')).status).toBe(204);
  });

  it('[AUTH-19] confirming holds for its own session, and renewing the session does not make it fresh', async () => {
    const browser = await test.signedUp('two@example.com');
    const other = test.browser();
    await other.post('/api/auth/sign-in', { email: 'two@example.com', password });
    test.clock.advance(FRESH_MS + 1);
    expect((await browser.post('/api/auth/confirm', { password })).status).toBe(204);
    await other.post('/api/auth/refresh');
    expect((await other.delete('/api/me')).body.code).toBe('FreshSignInRequired');
    expect((await test.browser().post('/api/auth/confirm', { password })).status).toBe(401);
  });

  it('[AUTH-19] [OPS-07] guessing at the password is limited as signing in is', async () => {
    const browser = await limited.signedUp('guessed@example.com');
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await browser.post('/api/auth/confirm', { password: `guess ${tries}` })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
  });
});

describe('another address', () => {
  it('[SET-10] counts once it is confirmed, and the former one is told', async () => {
    const browser = await test.signedUp('before@example.com');
    const asked = await browser.patch('/api/me', { displayName: 'Grace', email: 'after@example.com' });
    expect(asked).toMatchObject({
      status: 200,
      body: {
        user: { displayName: 'Grace', email: 'before@example.com' },
        emailToConfirm: 'after@example.com',
      },
    });
    expect((await mailsTo('before@example.com'))[0]?.subject).toBe('Confirm your e-mail address');
    expect((await verify(await mailedToken('after@example.com', 'verify'))).status).toBe(204);
    expect(await emailOf(browser)).toBe('after@example.com');
    expect((await mailsTo('before@example.com'))[0]?.subject).toBe('Your e-mail address was changed');
  });

  it('[SET-10] is answered alike whether or not somebody has it', async () => {
    const owner = await test.signedUp('owned@example.com');
    const browser = await test.signedUp('asking@example.com');
    const free = await browser.patch('/api/me', { email: 'free@example.com' });
    const taken = await browser.patch('/api/me', { email: 'Owned@example.com' });
    expect(taken.status).toBe(free.status);
    expect({ ...taken.body, emailToConfirm: '' }).toEqual({ ...free.body, emailToConfirm: '' });
    expect(await emailOf(owner)).toBe('owned@example.com');
    const [told] = await mailsTo('Owned@example.com');
    expect(told?.subject).toBe('You already have an account');
    expect(told?.links.some((link) => link.includes('verify='))).toBe(false);
  });

  it('[SET-10] of two who ask for one address the first to confirm has it', async () => {
    const [one, two] = [await test.signedUp(), await test.signedUp()];
    await one.patch('/api/me', { email: 'wanted@example.com' });
    const first = await mailedToken('wanted@example.com', 'verify');
    await two.patch('/api/me', { email: 'wanted@example.com' });
    const second = await mailedToken('wanted@example.com', 'verify');
    expect((await verify(second)).status).toBe(204);
    expect(await verify(first)).toMatchObject({ status: 409, body: { code: 'EmailTaken' } });
    expect(await emailOf(two)).toBe('wanted@example.com');
  });

  it('[SET-11] the former address takes the account back for seven days, and whoever moved it is out', async () => {
    const email = 'robbed@example.com';
    const thief = await test.signedUp(email);
    await move(thief, 'robber@example.com');
    await thief.put('/api/auth/password', { currentPassword: password, newPassword: 'the robber’s own' });
    test.clock.advance(6 * 86_400_000);
    const token = await mailedToken(email, 'undo');
    // Another person cannot take the old address in the meantime.
    const squatter = await test.browser().post('/api/auth/sign-up', { email, password });
    expect(squatter.body.user).toBeNull();
    expect((await test.browser().post('/api/auth/undo-email', { token })).status).toBe(204);
    expect((await thief.get('/api/me/export')).status).toBe(401);
    expect((await signIn('robber@example.com', 'the robber’s own')).status).toBe(401);
    expect((await signIn(email, 'the robber’s own')).status).toBe(401);
    const reset = { token: await mailedToken(email, 'reset'), password: 'mine once more' };
    expect((await test.browser().post('/api/auth/password/reset', reset)).status).toBe(204);
    expect((await signIn(email, 'mine once more')).body.user.email).toBe(email);
    const again = await test.browser().post('/api/auth/undo-email', { token });
    expect(again).toMatchObject({ status: 410, body: { code: 'TokenInvalid' } });
  });

  it('[SET-11] seven days later it is the former address no more', async () => {
    const browser = await test.signedUp('left@example.com');
    await move(browser, 'arrived@example.com');
    const token = await mailedToken('left@example.com', 'undo');
    test.clock.advance(7 * 86_400_000 + 1);
    expect((await test.browser().post('/api/auth/undo-email', { token })).status).toBe(410);
    const next = await test.browser().post('/api/auth/sign-up', { email: 'left@example.com', password });
    expect(next.body.user).not.toBeNull();
  });
});

describe('mailed links', () => {
  const reset = (token: string) =>
    test.browser().post('/api/auth/password/reset', { token, password: 'the next pass phrase' });

  it('[AUTH-20] die when the password changes', async () => {
    const browser = await test.signedUp('links@example.com');
    await test.browser().post('/api/auth/password/forgot', { email: 'links@example.com' });
    const token = await mailedToken('links@example.com', 'reset');
    await browser.patch('/api/me', { email: 'links-new@example.com' });
    const pending = await mailedToken('links-new@example.com', 'verify');
    await browser.put('/api/auth/password', {
      currentPassword: password,
      newPassword: 'another pass phrase',
    });
    expect((await reset(token)).status).toBe(410);
    expect((await verify(pending)).status).toBe(410);
  });

  it('[AUTH-20] die when the address changes', async () => {
    const browser = await test.signedUp('moved@example.com');
    await test.browser().post('/api/auth/password/forgot', { email: 'moved@example.com' });
    const token = await mailedToken('moved@example.com', 'reset');
    await move(browser, 'moved-on@example.com');
    expect((await reset(token)).status).toBe(410);
  });

  it('[AUTH-21] nobody is buried in them, however many ask', async () => {
    const email = 'bombed@example.com';
    await limited.signedUp(email);
    for (let tries = 0; tries < 9; tries++)
      expect((await limited.browser().post('/api/auth/password/forgot', { email })).status).toBe(202);
    const resets = (await mailsTo(email)).filter(({ subject }) => subject === 'Set a new password');
    expect(resets).toHaveLength(5);
  });

  it('[AUTH-21] nobody sends them to address after address', async () => {
    const browser = await limited.signedUp();
    const answers = [];
    for (let tries = 0; tries < 6; tries++)
      answers.push(await browser.patch('/api/me', { email: `invented-${tries}@example.com` }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.at(-1)?.body.code).toBe('TooManyRequests');
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await mailsTo('invented-5@example.com')).toEqual([]);
  });
});

describe('names', () => {
  it('[AUTH-22] whoever says none is a listener with four digits, and the address stays private', async () => {
    const answer = await test
      .browser()
      .post('/api/auth/sign-up', { email: 'very.private@example.com', password });
    expect(answer.body.user.displayName).toMatch(/^Listener [1-9]\d{3}$/);
    expect((await mailsTo('very.private@example.com'))[0]?.text).toMatch(/^Hello Listener \d{4},\n/);
  });

  it('[AUTH-22] whoever chooses a name later is found by it, and still by the made-up one', async () => {
    const browser = test.browser();
    const { body } = await browser.post('/api/auth/sign-up', { email: 'nameless@example.com', password });
    const profiles = test.app.get(Profiles, { strict: false });
    const { handle } = await profiles.ensure(body.user.id);
    expect(handle).toBe(body.user.displayName.replace(' ', '_'));
    await browser.patch('/api/me', { displayName: 'Nina Named' });
    expect(await profiles.ensure(body.user.id)).toEqual({ handle: 'Nina_Named' });
    expect((await profiles.findOwner(handle))?.userId).toBe(body.user.id);
    await browser.patch('/api/me', { displayName: 'Nina Again' });
    expect(await profiles.ensure(body.user.id)).toEqual({ handle: 'Nina_Named' });
  });

  it('[AUTH-23] cannot break lines, and carry no links into mails', async () => {
    const breaking = 'Free money:\r\nhttps://evil.example/x';
    const refused = await test
      .browser()
      .post('/api/auth/sign-up', { email: 'crlf@example.com', password, displayName: breaking });
    expect(refused).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
    const names: Array<[string, string]> = [
      ['Win at https://evil.example/x', 'Win at https evil example x'],
      ['evil.example', 'evil example'],
      ['will.i.am', 'will i am'],
      ['Dr. No', 'Dr. No'],
    ];
    for (const [index, [displayName, greeted]] of names.entries()) {
      const email = `named-${index}@example.com`;
      const made = await test.browser().post('/api/auth/sign-up', { email, password, displayName });
      expect(made.body.user.displayName).toBe(displayName);
      expect((await mailsTo(email))[0]?.text.split('\n')[0]).toBe(`Hello ${greeted},`);
    }
  });
});
