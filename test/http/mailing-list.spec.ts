import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MailingListModule } from '../../adapters/mailing-list/mailing-list.module.js';
import { PostgresSecrets } from '../../adapters/platform/database/postgres-secrets.js';
import { Secrets } from '../../application/shared/keys/signing-keys.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;
let visitor: HttpClient;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    imports: [MailingListModule],
    providers: [{ provide: Secrets, useValue: new PostgresSecrets(store.database) }],
    config: { rateLimitScale: 1_000 },
  });
  visitor = test.browser();
});
afterAll(async () => {
  await test?.close();
  await store?.close();
});

const address = () => `${randomUUID()}@Example.com`;
const stored = async (email: string) =>
  (await store.database.pool.query('select email from mailing_list where email_lower = lower($1)', [email]))
    .rowCount;
interface Mail {
  to: string;
  subject: string;
  links: string[];
}
const mailsTo = async (email: string): Promise<Mail[]> =>
  (await visitor.get('/dev/mailbox?format=json')).body.filter((mail: Mail) => mail.to === email);
/** Returns the token of the newest mail, and its purpose. */
async function mailed(email: string): Promise<[string, string]> {
  const mails = await mailsTo(email);
  const newest = mails.find((mail) => mail.links.length > 0) as Mail;
  const link = new URL(newest.links[0] as string);
  expect(link.pathname).toBe('/mailing-list');
  return [...link.searchParams.entries()][0] as [string, string];
}

it('[HOME-06] stores an address only after the mailed link is followed', async () => {
  const email = address();
  const asked = await visitor.post('/api/mailing-list', { email });
  expect([asked.status, asked.body]).toEqual([202, '']);
  expect(await stored(email)).toBe(0);
  const [purpose, token] = await mailed(email);
  expect(purpose).toBe('join');
  for (const attempt of [1, 2]) {
    const { status, body } = await visitor.post('/api/mailing-list/join', { token });
    expect([attempt, status, body]).toEqual([attempt, 200, { email }]);
  }
  expect(await stored(email)).toBe(1);
  // The confirmation request and one welcome mail.
  expect(await mailsTo(email)).toHaveLength(2);
});

it('[HOME-06] lets everybody leave by the link in any later mail, and answers those on the list alike', async () => {
  const email = address();
  await visitor.post('/api/mailing-list', { email });
  await visitor.post('/api/mailing-list/join', { token: (await mailed(email))[1] });
  const again = await visitor.post('/api/mailing-list', { email: email.toUpperCase() });
  expect([again.status, again.body]).toEqual([202, '']);
  const [purpose, token] = await mailed(email.toUpperCase());
  expect(purpose).toBe('leave');
  expect((await visitor.post('/api/mailing-list/join', { token })).status).toBe(410);
  for (const attempt of [1, 2])
    expect([attempt, (await visitor.post('/api/mailing-list/leave', { token })).status]).toEqual([
      attempt,
      200,
    ]);
  expect(await stored(email)).toBe(0);
});

it.each(['', 'nobody', 'a@b', 'a b@example.com', `${'x'.repeat(260)}@example.com`, 7, null])(
  '[HOME-06] refuses %p',
  async (email) => {
    const { status, body } = await visitor.post('/api/mailing-list', { email });
    expect([status, body.errors[0].path]).toEqual([400, 'email']);
  },
);

it('[AUTH-21] mails the same address five times an hour at most, whoever asks', async () => {
  const limited = await startTestApp({
    database: store.database,
    imports: [MailingListModule],
    providers: [{ provide: Secrets, useValue: new PostgresSecrets(store.database) }],
    config: { trustProxyHops: 1 },
  });
  try {
    const email = address();
    for (let number = 1; number <= 7; number += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${number}` };
      const asked = await limited.browser().post('/api/mailing-list', { email }, { headers });
      expect(asked.status).toBe(202);
    }
    expect(await mailsTo(email)).toHaveLength(5);
  } finally {
    await limited.close();
  }
});

it('takes no link that is forged or a week old', async () => {
  const email = address();
  await visitor.post('/api/mailing-list', { email });
  const [, token] = await mailed(email);
  const [content, mac] = token.split('.') as [string, string];
  const other = Buffer.from(JSON.stringify(['join', 'other@example.com', null])).toString('base64url');
  for (const forged of ['x', '.', `${content}.`, `${content}.${mac.slice(1)}`, `${other}.${mac}`])
    expect((await visitor.post('/api/mailing-list/join', { token: forged })).status).toBe(410);
  test.clock.advance(8 * 86_400_000);
  const late = await visitor.post('/api/mailing-list/join', { token });
  expect([late.status, late.body.code]).toEqual([410, 'TokenInvalid']);
  expect(await stored(email)).toBe(0);
});

it('forgets the address of who has the account erased', async () => {
  const member = await test.signedUp();
  await visitor.post('/api/mailing-list', { email: member.email });
  await visitor.post('/api/mailing-list/join', { token: (await mailed(member.email))[1] });
  expect((await member.get('/api/me/export')).body.mailingList.email).toBe(member.email);
  await member.delete('/api/me');
  expect(await stored(member.email)).toBe(0);
});
