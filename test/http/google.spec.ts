import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

// Passwords are hashed slowly, and a busy machine is slower still.
jest.setTimeout(30_000);

interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
}

/** Speaks Google's two endpoints: codes that prove their verifier, tokens that tell a person. */
class StandInForGoogle {
  readonly codes = new Map<string, { person: Person; challenge: string }>();
  private readonly tokens = new Map<string, Person>();
  broken = false;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (this.broken) return answer(502, { error: 'down' });
    if (request.url === '/userinfo') {
      const person = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
      return person ? answer(200, person) : answer(401, {});
    }
    let text = '';
    for await (const chunk of request) text += chunk;
    const form = new URLSearchParams(text);
    const issued = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!issued || issued.challenge !== proof || form.get('client_secret') !== 'secret')
      return answer(400, { error: 'invalid_grant' });
    const token = randomUUID();
    this.tokens.set(token, issued.person);
    answer(200, { access_token: token });
  }
}

const google = new StandInForGoogle();
let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  const base = await google.start();
  test = await startTestApp({
    database: store.database,
    config: {
      rateLimitScale: 100,
      google: {
        clientId: 'client',
        clientSecret: 'secret',
        authUrl: `${base}/auth`,
        tokenUrl: `${base}/token`,
        userinfoUrl: `${base}/userinfo`,
      },
    },
  });
}, 60_000);

beforeEach(() => {
  google.broken = false;
});

afterAll(async () => {
  await test?.close();
  await store?.close();
  await google.stop();
});

const location = (answer: { headers: Headers }) => answer.headers.get('location') ?? '';

/** Goes to Google, signs in there as this person, and comes back. */
async function through(browser: HttpClient, person: Person, returnTo = '/sounds?q=1') {
  const left = await browser.get(`/api/auth/google/start?${new URLSearchParams({ returnTo })}`);
  expect(left.status).toBe(303);
  const asked = new URL(location(left)).searchParams;
  const code = randomUUID();
  google.codes.set(code, { person, challenge: asked.get('code_challenge') as string });
  return browser.get(
    `/api/auth/google/callback?${new URLSearchParams({ code, state: asked.get('state') as string })}`,
  );
}

const ada: Person = { sub: 'g-1', email: 'ada@gmail.example', email_verified: true, name: 'Ada' };

describe('signing in with Google', () => {
  it('[AUTH-08] leads to Google and back to where it began', async () => {
    const browser = test.browser();
    const left = new URL(location(await browser.get('/api/auth/google/start?returnTo=/pack/a/b')));
    expect(Object.fromEntries(left.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: `${test.config.publicUrl}/api/auth/google/callback`,
      code_challenge_method: 'S256',
    });
    const back = await through(browser, ada);
    expect([back.status, location(back)]).toEqual([303, '/sounds?q=1']);
    expect((await browser.get('/api/auth/session')).body.user).toMatchObject({
      email: 'ada@gmail.example',
      displayName: 'Ada',
    });
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    '\t//evil.example',
  ])('[AUTH-08] returns home instead of to %j', async (returnTo) => {
    const person = { ...ada, sub: randomUUID(), email: `${randomUUID()}@gmail.example` };
    expect(location(await through(test.browser(), person, returnTo))).toBe('/');
  });

  it('[AUTH-08] says so where Google is not configured', async () => {
    const without = await startTestApp({ database: store.database });
    expect((await without.browser().get('/api/auth/google/start')).status).toBe(404);
    await without.close();
  });

  it('[AUTH-09] knows a person by subject, whatever their address is by now', async () => {
    const person = { sub: 'g-2', email: 'grace@gmail.example', email_verified: true };
    const [first, second] = [test.browser(), test.browser()];
    await through(first, person);
    await through(second, { ...person, email: 'hopper@gmail.example' });
    const ids = await Promise.all([first, second].map((browser) => browser.get('/api/auth/session')));
    expect(ids[0]?.body.user.id).toBe(ids[1]?.body.user.id);
  });

  it('[AUTH-09] another subject with the same address does not get the account', async () => {
    await through(test.browser(), { sub: 'g-3', email: 'reused@gmail.example', email_verified: true });
    const other = test.browser();
    const back = await through(other, { sub: 'g-4', email: 'reused@gmail.example', email_verified: true });
    expect(location(back)).toBe('/auth?error=google');
    expect((await other.get('/api/auth/session')).body.user).toBeNull();
  });

  it('[AUTH-09] an address with a password is linked only after that password', async () => {
    const email = 'linked@example.com';
    const owner = await test.signedUp(email);
    const person = { sub: 'g-5', email, email_verified: true };
    const browser = test.browser();
    const back = await through(browser, person);
    expect(location(back)).toBe('/auth?link=google&returnTo=%2Fsounds%3Fq%3D1');
    expect((await browser.get('/api/auth/session')).body.user).toBeNull();
    const wrong = await browser.post('/api/auth/sign-in', { email, password: 'not the pass phrase' });
    expect(wrong.status).toBe(401);
    expect(location(await through(test.browser(), person))).toMatch(/^\/auth\?link=google/);
    await browser.post('/api/auth/sign-in', { email, password: 'a fine pass phrase' });
    const again = test.browser();
    expect(location(await through(again, person))).toBe('/sounds?q=1');
    expect((await again.get('/api/auth/session')).body.user.id).toBe(owner.userId);
  });

  it('[AUTH-09] a waiting identity links to its own account only, and not for long', async () => {
    const person = { sub: 'g-6', email: 'waiting@example.com', email_verified: true };
    await test.signedUp(person.email);
    await test.signedUp('bystander@example.com');
    const browser = test.browser();
    await through(browser, person);
    await browser.post('/api/auth/sign-in', {
      email: 'bystander@example.com',
      password: 'a fine pass phrase',
    });
    expect(location(await through(test.browser(), person))).toMatch(/^\/auth\?link/);
    const late = test.browser();
    await through(late, person);
    test.clock.advance(10 * 60_000 + 1);
    await late.post('/api/auth/sign-in', { email: person.email, password: 'a fine pass phrase' });
    expect(location(await through(test.browser(), person))).toMatch(/^\/auth\?link/);
  });

  it('refuses a foreign state, a missing attempt, a used code and an unproved address', async () => {
    const failed = '/auth?error=google';
    const callback = (browser: HttpClient, query: Record<string, string>) =>
      browser.get(`/api/auth/google/callback?${new URLSearchParams(query)}`);
    const browser = test.browser();
    await browser.get('/api/auth/google/start');
    expect(location(await callback(browser, { code: 'x', state: 'of-somebody-else' }))).toBe(failed);
    expect(location(await callback(test.browser(), { code: 'x', state: 'y' }))).toBe(failed);
    expect(location(await callback(browser, { error: 'access_denied' }))).toBe(failed);
    const again = test.browser();
    const { searchParams } = new URL(location(await again.get('/api/auth/google/start')));
    const state = searchParams.get('state') as string;
    expect(location(await callback(again, { code: 'never issued', state }))).toBe(failed);
    const unproved = { sub: 'g-7', email: 'unproved@gmail.example', email_verified: false };
    expect(location(await through(test.browser(), unproved))).toBe(failed);
    const junk = test.browser();
    junk.cookies.set('offcut_google', '%7Bnot-json');
    expect(location(await callback(junk, { code: 'x', state: 'y' }))).toBe(failed);
  });

  it('refuses politely while Google is down', async () => {
    google.broken = true;
    const back = await through(test.browser(), { ...ada, sub: 'g-8', email: 'down@gmail.example' });
    expect([back.status, location(back)]).toEqual([303, '/auth?error=google']);
  });
});
