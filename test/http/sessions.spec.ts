import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MailboxMailer } from '../../adapters/mail/mailbox.controller.js';
import { Mailer } from '../../application/mail/mailer.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { comesTo } from '../support/money-back.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantRoles } from '../support/staff.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
const password = 'a fine pass phrase';

let store: TestDatabase;
let test: TestApp;
let secure: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    config: { trustProxyHops: 1, countryHeader: 'cf-ipcountry', rateLimitScale: 1_000 },
  });
  secure = await startTestApp({
    database: store.database,
    clock: test.clock,
    config: { publicUrl: 'https://offcut.example', knownHosts: ['127.0.0.1'] },
  });
});

afterAll(async () => {
  await secure?.close();
  await test?.close();
  await store?.close();
});

/** Signs in the same person on another device. */
async function signIn(
  email: string,
  userAgent: string,
  more: Record<string, string> = {},
): Promise<HttpClient> {
  const client = test.browser();
  const headers = { 'user-agent': userAgent, ...more };
  expect((await client.post('/api/auth/sign-in', { email, password }, { headers })).status).toBe(200);
  return client;
}

const isSignedIn = async (client: HttpClient) => (await client.get('/api/auth/session')).body.user !== null;

/** Renews the session every three days for this time. */
async function renewFor(client: HttpClient, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 3 * DAY_MS) {
    test.clock.advance(Math.min(left, 3 * DAY_MS));
    if (left > 3 * DAY_MS) expect((await client.post('/api/auth/refresh')).status).toBe(200);
  }
}

describe('[SIGN-01] a session ends with its life, however often it is renewed', () => {
  it('of a listener after 30 days, which no token and no cookie outlives', async () => {
    const client = await test.signedUp();
    await renewFor(client, 29 * DAY_MS);
    const renewed = await client.post('/api/auth/refresh');
    expect(renewed.body.session.expires_in).toBe((1 * DAY_MS) / 1_000);
    const [cookie] = renewed.headers.getSetCookie();
    const ends = new Date(test.clock.now().getTime() + DAY_MS).toUTCString();
    expect(cookie).toContain(`Expires=${ends}`);
    test.clock.advance(DAY_MS);
    expect(await isSignedIn(client)).toBe(false);
    expect((await client.post('/api/auth/refresh')).status).toBe(401);
  });

  it('of the staff after 12 hours, also where the role came later', async () => {
    const client = await test.signedUp();
    test.clock.advance(12 * HOUR_MS);
    expect(await isSignedIn(client)).toBe(true);
    await grantRoles(store.database, client.userId, 'finance');
    expect(await isSignedIn(client)).toBe(false);
    const again = await signIn(client.email, FIREFOX);
    test.clock.advance(12 * HOUR_MS - 1);
    expect(await isSignedIn(again)).toBe(true);
  });
});

describe('[SIGN-02] where somebody is signed in', () => {
  it('is listed with device, place and time, and ended one by one or all at once', async () => {
    const here = await test.signedUp();
    const from = { 'x-forwarded-for': '203.0.113.77', 'cf-ipcountry': 'DE' };
    const there = await signIn(here.email, SAFARI, from);
    const elsewhere = await signIn(here.email, FIREFOX, { 'x-forwarded-for': '2001:db8:7:8::9' });
    const startedAt = test.clock.now().toISOString();
    test.clock.advance(accountPolicy.lastUsedMs);
    const { items } = (await elsewhere.get('/api/me/sessions')).body;
    expect(items).toHaveLength(3);
    const find = (device: string) => items.find((item: { device: string }) => item.device === device);
    expect(find('Safari on iPhone')).toMatchObject({
      place: 'Germany, 203.0.113.0/24',
      startedAt,
      current: false,
    });
    expect(find('Firefox on Linux')).toMatchObject({ place: '2001:db8:7::/48', current: true });
    expect(find('Unknown device')).toMatchObject({ place: '127.0.0.0/24', current: false });

    const stranger = await test.signedUp();
    const path = `/api/me/sessions/${find('Safari on iPhone').id}`;
    expect((await stranger.delete(path)).status).toBe(404);
    expect(await isSignedIn(there)).toBe(true);
    expect((await elsewhere.delete(path)).status).toBe(204);
    expect((await elsewhere.delete(path)).status).toBe(404);
    expect(await isSignedIn(there)).toBe(false);
    expect((await elsewhere.delete('/api/me/sessions')).status).toBe(204);
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([false, true]);
    expect((await elsewhere.get('/api/me/sessions')).body.items).toHaveLength(1);
  });

  it('knows when it was last used, within five minutes', async () => {
    const client = await test.signedUp();
    const lastUsed = async () => (await client.get('/api/me/sessions')).body.items[0].lastUsedAt;
    test.clock.advance(2 * HOUR_MS);
    const usedAt = test.clock.now().toISOString();
    expect(await isSignedIn(client)).toBe(true);
    // The use is written beside the request.
    await comesTo(lastUsed, usedAt);
    test.clock.advance(accountPolicy.lastUsedMs - 1);
    await expect(lastUsed()).resolves.toBe(usedAt);
  });

  it('goes into the export of personal data, and with the account', async () => {
    const client = await signIn((await test.signedUp()).email, FIREFOX);
    const { sessions } = (await client.get('/api/me/export')).body;
    const kept = { userAgent: FIREFOX, network: '127.0.0.0/24', country: null };
    expect(sessions).toContainEqual(expect.objectContaining(kept));
  });
});

it('[SIGN-03] an administrator signs somebody out everywhere, and the log keeps who did and proves why', async () => {
  const admin = await test.signedUp();
  await grantRoles(store.database, admin.userId, 'admin');
  const client = await test.signedUp();
  const path = `/api/admin/people/${client.userId}/sessions`;
  expect((await client.get(path)).status).toBe(403);
  expect((await admin.get(path)).body.items).toMatchObject([{ current: false }]);
  expect((await admin.delete(path)).status).toBe(400);
  expect((await admin.delete(path, { reason: 'The laptop was stolen' })).status).toBe(204);
  expect(await isSignedIn(client)).toBe(false);
  expect((await admin.get(path)).body.items).toEqual([]);
  expect((await admin.delete('/api/admin/people/nobody/sessions', { reason: 'Why not' })).status).toBe(404);
  const { rows } = await store.database.pool.query(
    `select e.type, e.data->>'by' as by, r.text from event e join remark r on r.remark_id = e.data->>'remarkId'
      where e.stream = $1`,
    [`security-${client.userId}`],
  );
  expect(rows).toEqual([{ type: 'SessionsEndedByStaff', by: admin.userId, text: 'The laptop was stolen' }]);
});

it('[SIGN-04] a sign-in with a browser that was not seen for 90 days is told by mail, once', async () => {
  const client = await test.signedUp();
  const mailbox = test.app.get<MailboxMailer>(Mailer);
  const told = async () =>
    (await mailbox.list(100))
      .filter(({ to, subject }) => to === client.email && subject === 'A sign-in from a new browser')
      .map(({ text }) => text);
  await signIn(client.email, 'node');
  expect(await told()).toEqual([]);
  await signIn(client.email, FIREFOX);
  await signIn(client.email, FIREFOX.replaceAll('145.0', '146.0'));
  expect(await told()).toEqual([expect.stringContaining('Firefox on Linux (127.0.0.0/24)')]);
  test.clock.advance(accountPolicy.knownBrowserMs - 1);
  await signIn(client.email, FIREFOX);
  test.clock.advance(accountPolicy.knownBrowserMs - 1);
  await signIn(client.email, 'node');
  expect(await told()).toHaveLength(2);
});

describe('[SIGN-05] over https the cookie has a name that only this host can set', () => {
  const body = () => ({ email: `${Math.random()}@example.com`, password });
  const plain = 'offcut_session';
  const prefixed = `__Host-${plain}`;
  const headers = { origin: 'https://offcut.example' };

  it('and a session under the old name goes on under the new one from its renewal on', async () => {
    const client = secure.browser();
    const answer = await client.post('/api/auth/sign-up', body(), { headers });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-offcut_session=[\w-]+; Expires=.+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
      expect.stringMatching(
        /^__Host-offcut_browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const token = client.cookies.get(prefixed) as string;
    client.cookies.clear();
    client.cookies.set(plain, token);
    expect(await isSignedIn(client)).toBe(true);
    await client.post('/api/auth/refresh', undefined, { headers });
    expect([...client.cookies.keys()]).toEqual([prefixed]);
    expect(await isSignedIn(client)).toBe(true);
  });

  it('which counts before one that another site of the domain may have set', async () => {
    const [ada, mallory] = [secure.browser(), secure.browser()];
    const own = (await ada.post('/api/auth/sign-up', body(), { headers })).body.user.id;
    await mallory.post('/api/auth/sign-up', body(), { headers });
    const planted = mallory.cookies.get(prefixed) as string;
    for (const names of [
      [plain, prefixed],
      [prefixed, plain],
    ]) {
      const values: Record<string, string> = {
        [plain]: planted,
        [prefixed]: ada.cookies.get(prefixed) ?? '',
      };
      const cookie = names.map((name) => `${name}=${values[name]}`).join('; ');
      const { body: session } = await secure.browser().get('/api/auth/session', { headers: { cookie } });
      expect(session.user.id).toBe(own);
    }
  });
});
