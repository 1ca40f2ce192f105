import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CatalogueModule } from '../../adapters/catalogue/catalogue.module.js';
import { LibraryModule } from '../../adapters/library/library.module.js';
import type { MailboxMailer } from '../../adapters/mail/mailbox.controller.js';
import { Mailer } from '../../application/mail/mailer.js';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { HttpClient } from '../support/http-client.js';
import { comesTo } from '../support/money-back.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    imports: [CatalogueModule, LibraryModule],
    config: { rateLimitScale: 1_000 },
  });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

const READS = { name: 'Studio PC', scopes: ['library:read'] };
const saved = (token: string) => new HttpClient(test.url, token).get('/api/library/saved');
const tokensOf = async (client: HttpClient) => (await client.get('/api/tokens')).body.items;

it('[AUTH-701] is made after a fresh sign-in, shown once, stored as a hash, and told by mail', async () => {
  const listener = await test.signedUp();
  const { status, body } = await listener.post('/api/tokens', READS);
  expect([status, body]).toEqual([
    201,
    { id: expect.any(String), token: expect.stringMatching(/^offcut_[\w-]{43}$/) },
  ]);
  expect(await tokensOf(listener)).toEqual([
    { ...READS, id: body.id, createdAt: expect.any(String), expiresAt: null, lastUsedAt: null },
  ]);
  const { rows } = await store.database.pool.query(
    'select token_hash from access_token where token_id = $1',
    [body.id],
  );
  expect(rows).toEqual([{ token_hash: hash('sha256', body.token) }]);
  const mails = await (test.app.get(Mailer, { strict: false }) as MailboxMailer).list(10);
  expect(mails.find(({ to }) => to === listener.email)?.text).toContain('“Studio PC”');
  test.clock.advance(accountPolicy.freshSignInMs + 1);
  expect(await listener.post('/api/tokens', READS)).toMatchObject({
    status: 403,
    body: { code: 'FreshSignInRequired' },
  });
});

it('[AUTH-701] works as a bearer token until its date, and shows its last use', async () => {
  const listener = await test.signedUp();
  const expiresAt = new Date(test.clock.now().getTime() + 3_600_000).toISOString();
  const { body } = await listener.post('/api/tokens', { ...READS, expiresAt });
  expect(await saved(body.token)).toMatchObject({ status: 200, body: { items: [] } });
  await comesTo(async () => (await tokensOf(listener))[0].lastUsedAt, test.clock.now().toISOString());
  expect(await tokensOf(listener)).toMatchObject([{ expiresAt }]);
  test.clock.advance(3_600_000);
  expect(await saved(body.token)).toMatchObject({ status: 401, body: { code: 'NotSignedIn' } });
});

it('[AUTH-701] ends at once when it is revoked, and with a password reset; a change of password keeps it', async () => {
  const listener = await test.signedUp();
  const issue = async () => (await listener.post('/api/tokens', READS)).body;
  const [first, second] = [await issue(), await issue()];
  const stranger = await test.signedUp();
  expect((await stranger.delete(`/api/tokens/${first.id}`)).status).toBe(404);
  expect((await listener.delete(`/api/tokens/${first.id}`)).status).toBe(204);
  expect((await saved(first.token)).status).toBe(401);
  expect((await listener.delete('/api/me/sessions')).status).toBe(204);
  expect((await saved(second.token)).status).toBe(200);
  await test.app.get(Sessions, { strict: false }).endAll(listener.userId);
  expect((await saved(second.token)).status).toBe(401);
});

it('[AUTH-701] refuses a date that passed, an unknown scope, no scope, and one too many', async () => {
  const listener = await test.signedUp();
  const past = { ...READS, expiresAt: test.clock.now().toISOString() };
  expect(await listener.post('/api/tokens', past)).toMatchObject({
    status: 422,
    body: { code: 'TokenExpiryPast' },
  });
  for (const scopes of [[], ['credits:spend'], undefined])
    expect((await listener.post('/api/tokens', { name: 'x', scopes })).status).toBe(400);
  const answers = await Promise.all(
    Array.from({ length: accountPolicy.tokensPerAccount + 3 }, () => listener.post('/api/tokens', READS)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(accountPolicy.tokensPerAccount);
  expect(answers.find(({ status }) => status !== 201)).toMatchObject({
    status: 409,
    body: { code: 'TooManyTokens' },
  });
});
