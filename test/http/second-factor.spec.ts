import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MailboxMailer } from '../../adapters/mail/mailbox.controller.js';
import { codeAt } from '../../application/accounts/factors/one-time-codes.js';
import { Mailer } from '../../application/mail/mailer.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantRoles } from '../support/staff.js';
import { VirtualPasskey } from '../support/virtual-passkey.js';

const ORIGIN = 'http://localhost:0';
const STEP_MS = 30_000;
const password = 'a fine pass phrase';

let store: TestDatabase;
let test: TestApp;
let strict: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  const config = { rateLimitScale: 1_000 };
  test = await startTestApp({ database: store.database, config });
  strict = await startTestApp({
    database: store.database,
    clock: test.clock,
    config: { rateLimitScale: 1, trustProxyHops: 1, staffNeedsSecondFactor: true },
  });
});

afterAll(async () => {
  await strict?.close();
  await test?.close();
  await store?.close();
});

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** A person's phone. It shows codes that were not used before. */
class Phone {
  constructor(private readonly secret: Buffer) {}

  code(offset = 0): string {
    return codeAt(this.secret, Math.floor(test.clock.now().getTime() / STEP_MS) + offset);
  }

  nextCode(): string {
    test.clock.advance(STEP_MS);
    return this.code();
  }
}

async function withApp(client: HttpClient): Promise<Phone> {
  const ordered = await client.post('/api/me/authenticator-app');
  expect(ordered.body.uri).toContain(`secret=${ordered.body.secret}&issuer=Offcut`);
  const phone = new Phone(fromBase32(ordered.body.secret));
  expect((await client.post('/api/me/authenticator-app/confirm', { code: phone.code() })).status).toBe(204);
  return phone;
}

async function withPasskey(client: HttpClient): Promise<VirtualPasskey> {
  const order = (await client.post('/api/me/passkeys/options')).body;
  const passkey = new VirtualPasskey(ORIGIN, order.user.id);
  const added = await client.post('/api/me/passkeys', { passkey: passkey.made(order) });
  expect([added.status, added.body]).toMatchObject([201, { id: passkey.id, name: 'Unknown device' }]);
  return passkey;
}

const recoveryCodesOf = async (client: HttpClient): Promise<string[]> =>
  (await client.post('/api/me/recovery-codes')).body.codes;

/** Returns a client after the password step. */
async function halfIn({ email }: HttpClient, at = test): Promise<HttpClient> {
  const client = at.browser();
  const answer = await client.post('/api/auth/sign-in', { email, password });
  expect(answer).toMatchObject({ status: 200, body: { user: null, session: null } });
  return client;
}

const give = (client: HttpClient, body: object) => client.post('/api/auth/second-factor', body);
const question = async (client: HttpClient, path = 'second-factor') =>
  (await client.post(`/api/auth/${path}/options`)).body;
const isSignedIn = async (client: HttpClient) => (await client.get('/api/auth/session')).body.user !== null;
const mailsTo = async ({ email }: HttpClient): Promise<string[]> => {
  const mails = await test.app.get<MailboxMailer>(Mailer).list(100);
  return mails.filter(({ to }) => to === email).map(({ subject }) => subject);
};

describe('[SIGN-06] after the right password', () => {
  it('a code of the app begins the session, and counts once', async () => {
    const ada = await test.signedUp();
    const phone = await withApp(ada);
    const client = await halfIn(ada);
    expect(await isSignedIn(client)).toBe(false);
    expect((await give(client, { code: phone.code() })).body.code).toBe('WrongSecondFactor');
    const code = phone.nextCode();
    const signedIn = await give(client, { code });
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: ada.userId } } });
    expect(await isSignedIn(client)).toBe(true);
    expect((await give(await halfIn(ada), { code })).status).toBe(403);
  });

  it('codes of half a minute before and after count, others do not', async () => {
    const ada = await test.signedUp();
    const phone = await withApp(ada);
    test.clock.advance(10 * STEP_MS);
    for (const offset of [-2, 2])
      expect((await give(await halfIn(ada), { code: phone.code(offset) })).status).toBe(403);
    for (const offset of [-1, 1])
      expect((await give(await halfIn(ada), { code: phone.code(offset) })).status).toBe(200);
    // A later code was used already.
    expect((await give(await halfIn(ada), { code: phone.code(0) })).status).toBe(403);
  });

  it('a passkey does, which signs this very question and no other', async () => {
    const ada = await test.signedUp();
    const passkey = await withPasskey(ada);
    const [client, other] = [await halfIn(ada), await halfIn(ada)];
    const asked = await question(client);
    expect(asked).toMatchObject({
      methods: ['passkey'],
      passkey: { allowCredentials: [{ id: passkey.id }] },
    });
    const answer = passkey.signed(asked.passkey);
    // The attempt used it up, and it is not valid for another client.
    expect((await give(other, { passkey: answer })).status).toBe(403);
    expect((await give(client, { passkey: answer })).status).toBe(403);
    const right = passkey.signed((await question(client)).passkey);
    expect((await give(client, { passkey: right })).status).toBe(200);
    expect((await give(client, { passkey: right })).body.code).toBe('SecondFactorExpired');
  });

  it.each<[string, (passkey: VirtualPasskey, ask: { challenge: string; rpId: string }) => object]>([
    ['of another site', (_, ask) => new VirtualPasskey('https://offcut.evil').signed(ask)],
    ['for another name', (passkey, ask) => passkey.signed({ ...ask, rpId: 'offcut.evil' })],
    ['to a question of its own', (passkey, ask) => passkey.signed({ ...ask, challenge: 'A'.repeat(43) })],
    [
      'without looking who is there',
      (passkey, ask) => {
        passkey.verifies = false;
        return passkey.signed(ask);
      },
    ],
  ])('a passkey %s is refused', async (_, answerOf) => {
    const ada = await test.signedUp();
    const passkey = await withPasskey(ada);
    const client = await halfIn(ada);
    const { passkey: asked } = await question(client);
    expect((await give(client, { passkey: answerOf(passkey, asked) })).status).toBe(403);
    expect(await isSignedIn(client)).toBe(false);
  });

  it("a passkey of somebody else, and one's own in somebody else's sign-in, are refused", async () => {
    const [ada, mallory] = [await test.signedUp(), await test.signedUp()];
    await withPasskey(ada);
    const theirs = await withPasskey(mallory);
    const client = await halfIn(ada);
    const { passkey: asked } = await question(client);
    expect((await give(client, { passkey: theirs.signed(asked) })).status).toBe(403);
  });

  it('it waits five minutes', async () => {
    const ada = await test.signedUp();
    const phone = await withApp(ada);
    const client = await halfIn(ada);
    test.clock.advance(accountPolicy.challengeLifetimeMs);
    expect((await give(client, { code: phone.nextCode() })).body.code).toBe('SecondFactorExpired');
    expect((await test.browser().post('/api/auth/second-factor/options')).body.code).toBe(
      'SecondFactorExpired',
    );
  });

  it('five wrong codes end it, and its owner is told', async () => {
    const ada = await test.signedUp();
    const phone = await withApp(ada);
    const client = await halfIn(ada);
    const answers = await Promise.all(Array.from({ length: 8 }, () => give(client, { code: '000000' })));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect((await give(client, { code: phone.nextCode() })).status).toBe(410);
    expect(await mailsTo(ada)).toContain('Your password may be known to another person');
  });

  it('[SIGN-520] strangers who guess codes wait, and hold up neither a known browser nor the one that resets the password', async () => {
    const ada = await strict.signedUp();
    const phone = await withApp(ada);
    const codes = await recoveryCodesOf(ada);
    const from = (n: number) => ({ headers: { 'x-forwarded-for': `203.0.${n}.7` } });
    const give = (client: HttpClient, code: string | undefined, n: number) =>
      client.post('/api/auth/second-factor', { code }, from(n));
    const guess = async (n: number) => {
      const client = await halfIn(ada, strict);
      const answers = [];
      for (let tries = 0; tries < 5; tries += 1) answers.push((await give(client, '000000', n)).status);
      return answers;
    };
    expect((await Promise.all([guess(1), guess(1)])).flat()).toEqual(Array(10).fill(403));
    const code = phone.nextCode();
    const stranger = await halfIn(ada, strict);
    expect((await give(stranger, code, 1)).status).toBe(429);
    // Each network has its own attempts, until all networks together reach the common limit.
    expect((await Promise.all([guess(2), guess(3)])).flat()).toEqual(Array(10).fill(403));
    const waits = await give(stranger, code, 4);
    expect(waits).toMatchObject({ status: 429, body: { code: 'TooManyRequests' } });
    expect(waits.body.detail).toMatch(/Wait \d+ minutes/);
    expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await give(stranger, codes[0], 4)).status).toBe(429);

    const signIn = async (client: HttpClient, word = password) =>
      client.post('/api/auth/sign-in', { email: ada.email, password: word });
    await signIn(ada);
    expect((await give(ada, code, 4)).status).toBe(200);
    await signIn(ada);
    expect((await give(ada, codes[0], 4)).status).toBe(200);
    expect((await ada.post('/api/auth/confirm', { code: phone.nextCode() })).status).toBe(204);

    const owner = strict.browser();
    await owner.post('/api/auth/password/forgot', { email: ada.email });
    const [mail] = await strict.app.get<MailboxMailer>(Mailer).list(1);
    const token = /reset=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    const next = 'the next pass phrase';
    expect((await owner.post('/api/auth/password/reset', { token, password: next })).status).toBe(204);
    await signIn(owner, next);
    expect((await give(owner, codes[1], 5)).status).toBe(200);
  });

  it('[SIGN-522] a known browser after 20 wrong codes sends one code every five minutes, and the right one ends the wait', async () => {
    const ada = await strict.signedUp();
    const phone = await withApp(ada);
    let addresses = 0;
    const give = async (code: string) => {
      // The address is new each time, because a network has limits of its own.
      const from = { headers: { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` } };
      await ada.post('/api/auth/sign-in', { email: ada.email, password }, from);
      return ada.post('/api/auth/second-factor', { code }, from);
    };
    const statuses = async (count: number) => {
      const answers: number[] = [];
      for (let tries = 0; tries < count; tries += 1) answers.push((await give('000000')).status);
      return answers;
    };
    const passed = (minutes: number) =>
      store.database.pool.query(`update rate_limit set resets_at = resets_at - $1 * interval '1 minute'`, [
        minutes,
      ]);
    expect(await statuses(20)).toEqual(Array(20).fill(403));
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => give('000000')));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([403, 429, 429, 429]);
    const waits = await give(phone.nextCode());
    expect(waits).toMatchObject({ status: 429, body: { code: 'TooManyRequests' } });
    const { rows } = await store.database.pool.query(
      `select resets_at as until, resets_at <= now() + interval '5 minutes' as soon from rate_limit
        where key like $1`,
      [`second-factor:${ada.userId}:%:pace`],
    );
    expect(rows).toEqual([{ until: expect.any(Date), soon: true }]);
    const seconds = Math.ceil((rows[0].until.getTime() - test.clock.now().getTime()) / 1_000);
    expect(waits.headers.get('retry-after')).toBe(String(seconds));
    // Refused codes do not prolong the wait.
    await passed(5);
    expect(await statuses(2)).toEqual([403, 429]);
    await passed(60);
    expect(await statuses(2)).toEqual([403, 429]);
    await passed(5);
    expect((await give(phone.nextCode())).status).toBe(200);
    expect(await statuses(2)).toEqual([403, 403]);
  });

  it('a new password switches nothing off, and neither does signing up again', async () => {
    const ada = await test.signedUp();
    await withApp(ada);
    await test.browser().post('/api/auth/password/forgot', { email: ada.email });
    const [mail] = await test.app.get<MailboxMailer>(Mailer).list(1);
    const token = /reset=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    expect((await test.browser().post('/api/auth/password/reset', { token, password })).status).toBe(204);
    await halfIn(ada);
  });
});

describe('[SIGN-07] recovery codes', () => {
  it('are ten, count once each, also when asked twenty times at once, and their use is told', async () => {
    const ada = await test.signedUp();
    expect((await ada.post('/api/me/recovery-codes')).body.code).toBe('NoSecondFactor');
    await withApp(ada);
    const codes = await recoveryCodesOf(ada);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^(?:[a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    const clients = await Promise.all(Array.from({ length: 20 }, () => halfIn(ada)));
    const answers = await Promise.all(clients.map((client) => give(client, { code: codes[0] })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const typed = ` ${codes[1]?.toUpperCase().replaceAll('-', ' ')} `;
    expect((await give(await halfIn(ada), { code: typed })).status).toBe(200);
    expect((await ada.get('/api/me/factors')).body.recoveryCodes).toMatchObject({ left: 8 });
    expect(await mailsTo(ada)).toContain('A recovery code was used');
    await recoveryCodesOf(ada);
    expect((await give(await halfIn(ada), { code: codes[2] })).status).toBe(403);
  });

  it('are kept as hashes, and the secret of the app is sealed', async () => {
    const ada = await test.signedUp();
    const { secret } = (await ada.post('/api/me/authenticator-app')).body;
    const { rows } = await store.database.pool.query(
      'select sealed_secret from authenticator_app where user_id = $1',
      [ada.userId],
    );
    expect(rows[0].sealed_secret.includes(fromBase32(secret))).toBe(false);
  });
});

describe('[SIGN-08] a passkey alone', () => {
  it('signs in who owns it, as both factors', async () => {
    const ada = await test.signedUp();
    const passkey = await withPasskey(ada);
    const client = test.browser();
    const asked = await question(client, 'passkey');
    expect(asked.allowCredentials).toEqual([]);
    const answer = passkey.signed(asked);
    expect((await client.post('/api/auth/passkey', { passkey: answer })).body.user.id).toBe(ada.userId);
    expect((await test.browser().post('/api/auth/passkey', { passkey: answer })).status).toBe(403);
    const stranger = new VirtualPasskey(ORIGIN);
    const again = stranger.signed(await question(client, 'passkey'));
    expect((await test.browser().post('/api/auth/passkey', { passkey: again })).status).toBe(403);
  });

  it('whose counter goes back is refused, and its owner is told', async () => {
    const ada = await test.signedUp();
    const passkey = await withPasskey(ada);
    const client = test.browser();
    const enter = async () =>
      (await client.post('/api/auth/passkey', { passkey: passkey.signed(await question(client, 'passkey')) }))
        .status;
    expect(await enter()).toBe(200);
    passkey.counter -= 1;
    expect(await enter()).toBe(403);
    expect(await mailsTo(ada)).toContain('A passkey was refused');
    passkey.counter += 5;
    expect(await enter()).toBe(200);
  });
});

describe('[SIGN-09] setting up and taking away', () => {
  it('needs a fresh sign-in, and is told by mail', async () => {
    const ada = await test.signedUp();
    await withApp(ada);
    const passkey = await withPasskey(ada);
    test.clock.advance(accountPolicy.freshSignInMs + 1);
    for (const [method, path] of [
      ['POST', '/api/me/passkeys/options'],
      ['POST', '/api/me/authenticator-app'],
      ['POST', '/api/me/recovery-codes'],
      ['DELETE', '/api/me/authenticator-app'],
      ['DELETE', `/api/me/passkeys/${passkey.id}`],
    ] as const) {
      const { body } = await ada.call(method, path);
      expect(body).toMatchObject({ code: 'FreshSignInRequired', methods: ['password', 'passkey', 'app'] });
    }
    expect((await mailsTo(ada)).filter((subject) => subject === 'Your sign-in methods changed')).toHaveLength(
      2,
    );
  });

  it('a passkey or a code confirms as the password does', async () => {
    const ada = await test.signedUp();
    const [phone, passkey] = [await withApp(ada), await withPasskey(ada)];
    const isFresh = async () => (await ada.post('/api/me/recovery-codes')).status === 201;
    test.clock.advance(accountPolicy.freshSignInMs + 1);
    expect((await ada.post('/api/auth/confirm', { code: '000000' })).status).toBe(403);
    expect(await isFresh()).toBe(false);
    expect((await ada.post('/api/auth/confirm', { code: phone.nextCode() })).status).toBe(204);
    expect(await isFresh()).toBe(true);
    test.clock.advance(accountPolicy.freshSignInMs + 1);
    const { passkey: asked } = await question(ada, 'confirm');
    expect((await ada.post('/api/auth/confirm', { passkey: passkey.signed(asked) })).status).toBe(204);
    expect(await isFresh()).toBe(true);
  });

  it('lists, renames and removes; with the last factor the recovery codes go, and the password is enough', async () => {
    const ada = await test.signedUp();
    const passkey = await withPasskey(ada);
    await withApp(ada);
    await recoveryCodesOf(ada);
    const path = `/api/me/passkeys/${passkey.id}`;
    expect((await (await test.signedUp()).patch(path, { name: 'Mine' })).status).toBe(404);
    expect((await ada.patch(path, { name: 'Laptop' })).status).toBe(204);
    expect((await ada.get('/api/me/factors')).body).toMatchObject({
      passkeysOffered: true,
      passkeys: [{ name: 'Laptop', synced: false }],
      app: {},
      recoveryCodes: { left: 10 },
      required: false,
    });
    expect((await ada.delete('/api/me/authenticator-app')).status).toBe(204);
    expect((await ada.delete(path)).status).toBe(204);
    expect((await ada.get('/api/me/factors')).body).toMatchObject({
      passkeys: [],
      app: null,
      recoveryCodes: null,
    });
    expect(
      (await test.browser().post('/api/auth/sign-in', { email: ada.email, password })).body.user.id,
    ).toBe(ada.userId);
  });

  it('a new app replaces the old one only once a code of it was given', async () => {
    const ada = await test.signedUp();
    const old = await withApp(ada);
    const { secret } = (await ada.post('/api/me/authenticator-app')).body;
    expect((await give(await halfIn(ada), { code: old.nextCode() })).status).toBe(200);
    const fresh = new Phone(fromBase32(secret));
    expect((await ada.post('/api/me/authenticator-app/confirm', { code: old.nextCode() })).status).toBe(403);
    expect((await ada.post('/api/me/authenticator-app/confirm', { code: fresh.nextCode() })).status).toBe(
      204,
    );
    expect((await give(await halfIn(ada), { code: old.nextCode() })).status).toBe(403);
    expect((await give(await halfIn(ada), { code: fresh.code() })).status).toBe(200);
  });

  it('[SIGN-09, SET-11] taking an account back removes every factor, also those from before it was moved', async () => {
    const ada = await test.signedUp();
    const phone = await withApp(ada);
    const passkey = await withPasskey(ada);
    const codes = await recoveryCodesOf(ada);
    await ada.post('/api/tokens', { name: 'Studio PC', scopes: ['library:read'] });
    await store.database.pool.query(
      `insert into external_identity (issuer, subject, user_id, linked_at) values ('https://id.test', $1, $1, now())`,
      [ada.userId],
    );
    test.clock.advance(1_000);
    await ada.patch('/api/me', { email: `mallory-${ada.email}` });
    const mailbox = test.app.get<MailboxMailer>(Mailer);
    const tokenIn = (text: string | undefined, name: string) =>
      new RegExp(`${name}=([\\w-]+)`).exec(text ?? '')?.[1];
    const verify = tokenIn((await mailbox.list(1))[0]?.text, 'verify');
    await ada.post('/api/auth/verify-email', { token: verify });
    const undo = tokenIn((await mailbox.list(1))[0]?.text, 'undo');
    expect((await test.browser().post('/api/auth/undo-email', { token: undo })).status).toBe(204);
    const { rows } = await store.database.pool.query('select 1 from external_identity where user_id = $1', [
      ada.userId,
    ]);
    expect(rows).toEqual([]);
    const thief = test.browser();
    const answer = passkey.signed(await question(thief, 'passkey'));
    expect((await thief.post('/api/auth/passkey', { passkey: answer })).status).toBe(403);
    const told = (await mailbox.list(10)).filter(({ to }) => to === ada.email);
    expect(told.map(({ text }) => text).join()).toContain(
      'removed every passkey and access token, the authenticator app',
    );
    const token = tokenIn(told.find(({ text }) => text.includes('reset='))?.text, 'reset');
    expect((await test.browser().post('/api/auth/password/reset', { token, password })).status).toBe(204);
    const owner = test.browser();
    const signedIn = await owner.post('/api/auth/sign-in', { email: ada.email, password });
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: ada.userId } } });
    expect((await owner.get('/api/me/factors')).body).toMatchObject({
      passkeys: [],
      app: null,
      recoveryCodes: null,
    });
    expect((await owner.get('/api/tokens')).body.items).toEqual([]);
    for (const code of [phone.nextCode(), codes[0]])
      expect((await owner.post('/api/auth/confirm', { code })).status).toBe(403);
  });
});

describe('[SIGN-10] where staff need a second factor', () => {
  it('a role counts only in a session that has one, and its last one stays', async () => {
    const admin = await strict.signedUp();
    await grantRoles(store.database, admin.userId, 'admin');
    expect((await admin.get('/api/auth/session')).body.user).toMatchObject({
      roles: [],
      withheldRoles: ['admin'],
    });
    const path = `/api/admin/people/${admin.userId}/sessions`;
    expect((await admin.get(path)).body).toMatchObject({ code: 'SecondFactorRequired', methods: [] });
    const phone = await withApp(admin);
    // Setting up a second factor also proves it.
    expect((await admin.get(path)).status).toBe(200);
    expect((await admin.get('/api/auth/session')).body.user).toMatchObject({ roles: ['admin'] });
    expect((await admin.delete('/api/me/authenticator-app')).body.code).toBe('LastSecondFactor');

    const stolen = await halfIn(admin, strict);
    expect((await stolen.get(path)).status).toBe(401);
    expect((await give(stolen, { code: phone.nextCode() })).body.user.roles).toEqual(['admin']);
    expect((await stolen.get(path)).status).toBe(200);
    const { body: somebody } = await (await strict.signedUp()).get(path);
    expect(somebody.code).toBe('NotAllowed');
  });

  it('a session from before shows it by confirming, and a password alone is not enough', async () => {
    const admin = await test.signedUp();
    await grantRoles(store.database, admin.userId, 'finance');
    const before = await strict.browser();
    await before.post('/api/auth/sign-in', { email: admin.email, password });
    const phone = await withApp(admin);
    const roles = async () => (await before.get('/api/auth/session')).body.user.roles;
    expect(await roles()).toEqual([]);
    await before.post('/api/auth/confirm', { password });
    expect(await roles()).toEqual([]);
    expect((await before.post('/api/auth/confirm', { code: phone.nextCode() })).status).toBe(204);
    expect(await roles()).toEqual(['finance']);
  });

  it('elsewhere it is offered: roles count by the password', async () => {
    const admin = await test.signedUp();
    await grantRoles(store.database, admin.userId, 'admin');
    expect((await admin.get('/api/auth/session')).body.user.roles).toEqual(['admin']);
  });
});
