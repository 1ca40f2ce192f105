import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GoogleIdentity } from '../../adapters/vendors/google/google-identity.js';
import { IdentityProviderUnavailable, IdentityStore } from '../../application/accounts/external-sign-in.js';
import { FirstCredits } from '../../application/accounts/first-credits.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { GoogleStandIn, locationOf, startSilence, type Person } from '../support/google.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { VirtualPasskey } from '../support/virtual-passkey.js';

const google = new GoogleStandIn();
let base: string;
let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  base = await google.start();
  test = await startTestApp({
    database: store.database,
    config: {
      rateLimitScale: 100,
      google: {
        clientId: 'client',
        clientSecret: 'secret',
        authUrl: `${base}/authorize`,
        tokenUrl: `${base}/token`,
        userinfoUrl: `${base}/userinfo`,
        timeoutMs: 10_000,
      },
    },
  });
});

beforeEach(() => google.reset());

afterAll(async () => {
  await test?.close();
  await store?.close();
  await google.stop();
});

/** Returns a new person. */
const somebody = (facts: Partial<Person> = {}): Person => ({
  sub: randomUUID(),
  email: `${randomUUID()}@gmail.example`,
  email_verified: true,
  ...facts,
});

const signedIn = async (browser: HttpClient) => (await browser.get('/api/auth/session')).body.user;
const REFUSED = '/auth?error=google&returnTo=%2Fsounds%3Fq%3D1';

describe('signing in with Google', () => {
  it('[AUTH-08] leads to Google and back to where it began', async () => {
    const browser = test.browser();
    const left = new URL(locationOf(await browser.get('/api/auth/google/start?returnTo=/pack/a/b')));
    expect(Object.fromEntries(left.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: `${test.config.publicUrl}/api/auth/google/callback`,
      code_challenge_method: 'S256',
    });
    const back = await google.through(browser, somebody({ email: 'ada@gmail.example', name: 'Ada' }));
    expect([back.status, locationOf(back)]).toEqual([303, '/sounds?q=1']);
    expect((await browser.get('/api/auth/session')).body.user).toMatchObject({
      email: 'ada@gmail.example',
      displayName: 'Ada',
    });
  });

  it('[ACC-571] gives a new account a default name where Google says a reserved one', async () => {
    const browser = test.browser();
    await google.through(browser, somebody({ name: 'Offcut Support' }));
    expect((await browser.get('/api/auth/session')).body.user.displayName).toMatch(/^Listener \d{4}$/);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    '\t//evil.example',
  ])('[AUTH-08] returns home instead of to %j', async (returnTo) => {
    expect(locationOf(await google.through(test.browser(), somebody(), { returnTo }))).toBe('/');
  });

  it('[AUTH-08] says so where Google is not configured', async () => {
    const without = await startTestApp({ database: store.database });
    expect((await without.browser().get('/api/auth/google/start')).status).toBe(404);
    await without.close();
  });

  it('[AUTH-09] knows a person by subject, whatever their address is by now', async () => {
    const person = { sub: 'g-2', email: 'grace@gmail.example', email_verified: true };
    const [first, second] = [test.browser(), test.browser()];
    await google.through(first, person);
    await google.through(second, { ...person, email: 'hopper@gmail.example' });
    const ids = await Promise.all([first, second].map((browser) => browser.get('/api/auth/session')));
    expect(ids[0]?.body.user.id).toBe(ids[1]?.body.user.id);
  });

  it('[SIGN-12] leads to the second factor, where the account has one', async () => {
    const person = somebody();
    const [first, second] = [test.browser(), test.browser()];
    await google.through(first, person);
    const order = (await first.post('/api/me/passkeys/options')).body;
    const passkey = new VirtualPasskey(test.config.publicUrl, order.user.id);
    expect((await first.post('/api/me/passkeys', { passkey: passkey.made(order) })).status).toBe(201);

    const back = await google.through(second, person);
    expect(locationOf(back)).toBe('/auth?step=second&returnTo=%2Fsounds%3Fq%3D1');
    expect(await signedIn(second)).toBeNull();
    const asked = (await second.post('/api/auth/second-factor/options')).body;
    await second.post('/api/auth/second-factor', { passkey: passkey.signed(asked.passkey) });
    expect(await signedIn(second)).toMatchObject({ email: person.email });
  });

  it('[AUTH-09] another subject with the same address does not get the account', async () => {
    await google.through(test.browser(), { sub: 'g-3', email: 'reused@gmail.example', email_verified: true });
    const other = test.browser();
    const back = await google.through(other, {
      sub: 'g-4',
      email: 'reused@gmail.example',
      email_verified: true,
    });
    expect(locationOf(back)).toBe(REFUSED);
    expect((await other.get('/api/auth/session')).body.user).toBeNull();
  });

  it('[AUTH-09] an address with a password is linked only after that password', async () => {
    const email = 'linked@example.com';
    const owner = await test.signedUp(email);
    const person = { sub: 'g-5', email, email_verified: true };
    const browser = test.browser();
    const back = await google.through(browser, person);
    expect(locationOf(back)).toBe('/auth?link=google&returnTo=%2Fsounds%3Fq%3D1');
    expect((await browser.get('/api/auth/session')).body.user).toBeNull();
    const wrong = await browser.post('/api/auth/sign-in', { email, password: 'not the pass phrase' });
    expect(wrong.status).toBe(401);
    expect(locationOf(await google.through(test.browser(), person))).toMatch(/^\/auth\?link=google/);
    await browser.post('/api/auth/sign-in', { email, password: 'a fine pass phrase' });
    const again = test.browser();
    expect(locationOf(await google.through(again, person))).toBe('/sounds?q=1');
    expect((await again.get('/api/auth/session')).body.user.id).toBe(owner.userId);
  });

  it('[AUTH-09] a waiting identity links to its own account only, and not for long', async () => {
    const person = { sub: 'g-6', email: 'waiting@example.com', email_verified: true };
    await test.signedUp(person.email);
    await test.signedUp('bystander@example.com');
    const browser = test.browser();
    await google.through(browser, person);
    await browser.post('/api/auth/sign-in', {
      email: 'bystander@example.com',
      password: 'a fine pass phrase',
    });
    expect(locationOf(await google.through(test.browser(), person))).toMatch(/^\/auth\?link/);
    const late = test.browser();
    await google.through(late, person);
    test.clock.advance(10 * 60_000 + 1);
    await late.post('/api/auth/sign-in', { email: person.email, password: 'a fine pass phrase' });
    expect(locationOf(await google.through(test.browser(), person))).toMatch(/^\/auth\?link/);
  });

  it('[AUTH-09] opens the account of a person whose address is proved, whatever the way Google says so', async () => {
    const browser = test.browser();
    await google.through(browser, somebody({ email_verified: 'true' }));
    expect(await signedIn(browser)).not.toBeNull();
  });

  it('signs in where a stand-in sends no identity token', async () => {
    google.withoutIdToken = true;
    const browser = test.browser();
    expect(locationOf(await google.through(browser, somebody()))).toBe('/sounds?q=1');
    expect(await signedIn(browser)).not.toBeNull();
  });
});

describe('a first sign-in with Google that fails half-way', () => {
  const given: string[] = [];
  const give = jest.fn(async ({ userId, isFirst }: { userId: string; isFirst: boolean }) => {
    if (isFirst) given.push(userId);
    return 3;
  });
  let app: TestApp;
  beforeAll(async () => {
    const { database } = store;
    const { google: settings } = test.config;
    const providers = [{ provide: FirstCredits, useValue: { give } }];
    app = await startTestApp({ database, config: { rateLimitScale: 100, google: settings }, providers });
  });
  afterAll(() => app?.close());

  it.each(['its first credits', 'its link to Google'])(
    '[CRED-782] is finished by the next one, if the server dies before %s',
    async (step) => {
      if (step === 'its first credits') give.mockRejectedValueOnce(new Error('died'));
      else
        jest
          .spyOn(app.app.get(IdentityStore, { strict: false }), 'link')
          .mockRejectedValueOnce(new Error('died'));
      const person = somebody();
      const browser = app.browser();
      expect((await google.through(browser, person)).status).toBe(500);
      expect(await signedIn(browser)).toBeNull();
      expect(given).toEqual([]);
      await google.through(browser, person);
      const { id } = await signedIn(browser);
      await google.through(app.browser(), person);
      expect(given.splice(0)).toEqual([id]);
    },
  );
});

describe('[SIGN-30] a session that Google opened', () => {
  const seconds = (minutesAgo: number) => Math.floor(test.clock.now().getTime() / 1_000) - minutesAgo * 60;
  const isFresh = async (browser: HttpClient) => {
    const { status, body } = await browser.get('/api/me/export');
    if (status !== 200) expect(body.code).toBe('FreshSignInRequired');
    return status === 200;
  };
  const returns = async (person: Person, claims: Record<string, unknown>) => {
    const browser = test.browser();
    await google.through(browser, person, { claims });
    return isFresh(browser);
  };
  const claimsAsked = async () =>
    new URL(locationOf(await test.browser().get('/api/auth/google/start'))).searchParams.get('claims');

  it('asks when its owner signed in there, and counts from then', async () => {
    expect(JSON.parse((await claimsAsked()) ?? '')).toEqual({ id_token: { auth_time: { essential: true } } });
    const person = somebody();
    // A recent sign-in at Google confirms the person.
    expect(await returns(person, { auth_time: seconds(600) })).toBe(true);
    expect(await returns(person, { auth_time: seconds(9) })).toBe(true);
    expect(await returns(person, { auth_time: seconds(11) })).toBe(false);
    // A time in the future does not extend the confirmation.
    const browser = test.browser();
    await google.through(browser, person, { claims: { auth_time: seconds(-600) } });
    test.clock.advance(11 * 60_000);
    expect(await isFresh(browser)).toBe(false);
  });

  it('is not fresh where Google does not say, unless there is no other way', async () => {
    const person = somebody();
    expect(await returns(person, {})).toBe(true);
    for (const auth_time of ['now', -1, 1e300, null]) expect(await returns(person, { auth_time })).toBe(true);
    const account = await store.database.pool.query<{ user_id: string }>(
      `update user_account set password_hash = 'x' where email = $1 returning user_id`,
      [person.email],
    );
    expect(account.rows).toHaveLength(1);
    expect(await returns(person, {})).toBe(false);
    expect(await returns(person, { auth_time: seconds(1) })).toBe(true);
  });
});

describe('what Google’s answer may not be', () => {
  const start = async (browser: HttpClient) =>
    locationOf(await browser.get('/api/auth/google/start?returnTo=/sounds?q=1'));
  const callback = (browser: HttpClient, query: Record<string, string>) =>
    browser.get(`/api/auth/google/callback?${new URLSearchParams(query)}`);

  it.each([false, 'false', undefined])('about an address with email_verified %j', async (email_verified) => {
    const browser = test.browser();
    const person = somebody({ email_verified });
    expect(locationOf(await google.through(browser, person))).toBe(REFUSED);
    expect(await signedIn(browser)).toBeNull();
  });

  it.each([
    ['nonce', 'of-another-sign-in'],
    ['nonce', undefined],
    ['aud', 'another-client'],
    ['iss', 'https://accounts.evil.example'],
    ['sub', 'somebody-else'],
    ['exp', 1_000],
  ])('for somebody else: an identity token with %s %j', async (claim, value) => {
    const browser = test.browser();
    const person = somebody();
    expect(locationOf(await google.through(browser, person, { claims: { [claim]: value } }))).toBe(REFUSED);
    expect(await signedIn(browser)).toBeNull();
  });

  it('for another browser: a foreign or missing state', async () => {
    const browser = test.browser();
    const mine = await google.consent(await start(browser), somebody());
    const theirs = await google.consent(await start(test.browser()), somebody());
    expect(locationOf(await callback(browser, Object.fromEntries(theirs.searchParams)))).toBe(REFUSED);
    // The attempt is over, even for its genuine answer.
    expect(locationOf(await callback(browser, Object.fromEntries(mine.searchParams)))).toBe(
      '/auth?error=google',
    );
    const mistaken = test.browser();
    const { searchParams: own } = await google.consent(await start(mistaken), somebody());
    const query = { code: String(own.get('code')), state: 'of-somebody-else' };
    expect(locationOf(await callback(mistaken, query))).toBe(REFUSED);
    const stateless = test.browser();
    const { searchParams } = await google.consent(await start(stateless), somebody());
    expect(locationOf(await callback(stateless, { code: String(searchParams.get('code')) }))).toBe(REFUSED);
    expect(await signedIn(browser)).toBeNull();
  });

  it('redeemed with another browser’s proof: the code is bound to its verifier', async () => {
    const [browser, thief] = [test.browser(), test.browser()];
    const stolen = await google.consent(await start(browser), somebody());
    const own = new URL(await start(thief)).searchParams;
    const query = { code: String(stolen.searchParams.get('code')), state: String(own.get('state')) };
    expect(locationOf(await callback(thief, query))).toBe(REFUSED);
    expect(await signedIn(thief)).toBeNull();
  });

  it('used twice: neither with the cookie gone nor with the cookie kept', async () => {
    const browser = test.browser();
    const back = await google.consent(await start(browser), somebody());
    const attempt = String(browser.cookies.get('offcut_google'));
    const query = Object.fromEntries(back.searchParams);
    expect(locationOf(await callback(browser, query))).toBe('/sounds?q=1');
    expect(locationOf(await callback(browser, query))).toBe('/auth?error=google');
    const replayed = test.browser();
    replayed.cookies.set('offcut_google', attempt);
    expect(locationOf(await callback(replayed, query))).toBe(REFUSED);
    expect(await signedIn(replayed)).toBeNull();
  });

  it('without a sign-in that was begun, or with one that is no JSON', async () => {
    expect(locationOf(await callback(test.browser(), { code: 'x', state: 'y' }))).toBe('/auth?error=google');
    const junk = test.browser();
    junk.cookies.set('offcut_google', '%7Bnot-json');
    expect(locationOf(await callback(junk, { code: 'x', state: 'y' }))).toBe('/auth?error=google');
  });

  it('a refusal: who cancels at Google is back where they can sign in, knowing the way on', async () => {
    const browser = test.browser();
    const state = new URL(await start(browser)).searchParams.get('state') as string;
    expect(locationOf(await callback(browser, { error: 'access_denied', state }))).toBe(REFUSED);
    expect(browser.cookies.has('offcut_google')).toBe(false);
  });

  it.each([{ token: 502 }, { token: 400 }, { userinfo: 503 }])('broken: %j', async (broken) => {
    google.broken = broken;
    const browser = test.browser();
    const back = await google.through(browser, somebody());
    expect([back.status, locationOf(back)]).toEqual([303, REFUSED]);
    expect(await signedIn(browser)).toBeNull();
  });

  it('slow: waiting ends, and so does the connection', async () => {
    const { url, server } = await startSilence();
    const identity = new GoogleIdentity({ clientId: 'c', clientSecret: 's', tokenUrl: `${url}/token` }, 300);
    const { secrets } = await identity.begin('http://localhost/back');
    const asked = identity.identify(
      { code: 'x', state: secrets.state },
      { ...secrets, nonce: 'n' },
      'http://localhost/back',
    );
    await expect(asked).rejects.toThrow(IdentityProviderUnavailable);
    // Closes at once only if no connection is open.
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('leads to Google’s own page with state, nonce and challenge where nothing else is configured', async () => {
    const identity = new GoogleIdentity({ clientId: 'c', clientSecret: 's' }, 1_000);
    const { url, secrets } = await identity.begin('http://localhost/back');
    const asked = new URL(url);
    expect(asked.origin + asked.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      scope: 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      prompt: 'select_account',
      code_challenge_method: 'S256',
    });
  });
});
