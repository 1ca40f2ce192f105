import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { BossJobQueue } from '../../adapters/platform/jobs/boss-job-queue.js';
import { AccountMails } from '../../application/accounts/account-mails.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import { Mailer } from '../../application/mail/mailer.js';
import type { OrderedMail } from '../../application/mail/outbox.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { MailServer } from '../support/mail-server.js';
import { SWEEP } from '../../bootstrap/sweeps.js';
import type { StaffRole } from '../../domain/accounts/staff.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { until } from '../support/until.js';

const PASSWORD = 'a long pass phrase';
const TOKEN = 'Zm9v'.repeat(11);
const LINK = `https://offcut.example/auth?token=${TOKEN}`;

const server = new MailServer();
let product: TestProduct;
let admin: HttpClient;

/** Signs up without the mailed link: confirms the address and grants roles by hand. */
async function signedIn(email: string, roles: StaffRole[]): Promise<HttpClient> {
  const client = product.browser();
  await client.post('/api/auth/sign-up', { email, password: PASSWORD });
  const { database } = product.resources;
  const { rows } = await database.pool.query(
    'update user_account set email_verified_at = now() where email = $1 returning user_id',
    [email],
  );
  await grantRoles(database, rows[0].user_id, ...roles);
  expect((await client.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  return client;
}

/** Orders a mail through the outbox, with our text. */
const send = (email: string, subject = 'Hello') =>
  product.resources.outbox.order({
    orderId: randomUUID(),
    letter: 'test',
    email,
    userId: null,
    about: { subject },
  });
const logged = async (query: string) => (await admin.get(`/api/admin/mails?${query}`)).body;

/** Returns the mails to an address once none is in progress. */
async function settled(to: string, subject?: string) {
  for (let waited = 0; waited < 15_000; waited += 100) {
    const { items } = await logged(`to=${to}`);
    const isThere = items.length > 0 && (subject === undefined || items[0].subject === subject);
    if (isThere && items.every(({ status }: { status: string }) => status !== 'sending')) return items;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The mail to ${to} was not settled`);
}

beforeAll(async () => {
  product = await startTestProduct({ SMTP_URL: await server.start() });
  product.resources.outbox.writtenBy(['test'], async ({ email, about }) => ({
    to: email,
    subject: about.subject as string,
    text: `Follow ${LINK} to sign in`,
    links: [LINK],
  }));
  admin = await signedIn('pia@example.com', ['admin']);
});

afterAll(async () => {
  await product?.stop();
  await server.stop();
});

it('holds what the product mailed, without what it said', async () => {
  const [mail, ...others] = await settled('pia@example.com');
  expect(others).toEqual([]);
  expect(mail).toEqual({
    id: expect.any(String),
    to: 'pia@example.com',
    subject: expect.any(String),
    status: 'sent',
    attempts: 1,
    lastError: null,
    askedAt: expect.any(String),
    settledAt: expect.any(String),
  });
  await send('secret@example.com');
  await settled('secret@example.com');
  const { rows } = await product.resources.database.pool.query('select * from mail_log');
  expect(JSON.stringify(rows)).toContain('secret@example.com');
  expect(JSON.stringify(rows)).not.toMatch(/Follow|token=|Zm9v/);
});

it('says what failed for good and why, without the links that a server quotes', async () => {
  expectLog(/^error \[Mail\].*A mail was not delivered: Mail command failed: 550/);
  server.refusals = [`550 spam: ${LINK} and ${TOKEN}`];
  await send('refused@example.com');
  const [mail] = await settled('refused@example.com');
  expect(mail).toMatchObject({ status: 'failed', attempts: 1 });
  expect(mail.lastError).toContain('550 spam: (link) and (token)');
  expect(JSON.stringify(mail)).not.toContain('Zm9v');
});

it('counts the attempts of what was sent later', async () => {
  expectLog(/^warn \[Jobs\] the mail test failed \(attempt 1\): .*451 busy$/);
  server.refusals = ['451 busy'];
  await send('later@example.com');
  const [mail] = await settled('later@example.com');
  expect(mail).toMatchObject({ status: 'sent', attempts: 2 });
  expect(mail.lastError).toContain('451 busy');
});

it('[OPS-350] a mail about an event waits as a job for a server that is away, and goes out once', async () => {
  const cleo = await signedIn('cleo@example.com', []);
  await settled('cleo@example.com');
  expectLog(
    /^error \[Mail\].*A mail was not delivered: .*451 busy/,
    /^warn \[Jobs\] creator-mails about event \d+ failed \(attempt 1\): .*451 busy$/,
  );
  server.refusals = ['451 busy'];
  expect((await cleo.post('/api/creator/application', {})).status).toBeLessThan(300);
  const come = () =>
    server.mails.filter((mail) => /^To: cleo@/m.test(mail) && /publish on Offcut/.test(mail));
  while (come().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const waiting = `select from jobs.job where name = 'event-mails'`;
  while ((await product.resources.database.pool.query(waiting)).rowCount !== 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(come()).toHaveLength(1);
});

it('is paged newest first, and found by recipient in any case', async () => {
  for (const subject of ['One', 'Two', 'Three']) {
    await send('Page_1@example.com', subject);
    await settled('page_1', subject);
  }
  const subjects = (page: { items: { subject: string }[] }) => page.items.map(({ subject }) => subject);
  const first = await logged('to=PAGE_1&limit=2');
  expect(subjects(first)).toEqual(['Three', 'Two']);
  const second = await logged(`to=PAGE_1&limit=2&cursor=${first.nextCursor}`);
  expect(subjects(second)).toEqual(['One']);
  expect(second.nextCursor).toBeNull();
  // The wildcards of SQL patterns are ordinary letters.
  expect(subjects(await logged('to=page%251'))).toEqual([]);
});

it('[OPS-156] administrators see jobs that failed for good, and have them done again or not', async () => {
  const { pool } = product.resources.database;
  const { rows } = await pool.query<{ id: string }>(
    `insert into jobs.job (name, data, state, retry_count, output, completed_on)
     values ('mail', $1, 'failed', 2, '{"message": "no mail server"}', now()) returning id`,
    [{ orderId: 'x', letter: 'test', email: 'late@example.com', userId: null, about: { subject: 'Late' } }],
  );
  const id = rows[0]?.id as string;
  const listed = await admin.get('/api/admin/jobs');
  expect(listed.status).toBe(200);
  expect(listed.body.kinds).toContainEqual(expect.objectContaining({ kind: 'mail', failed: 1 }));
  expect(listed.body.items).toEqual([
    { id, kind: 'mail', name: 'test', attempts: 3, error: 'no mail server', failedAt: expect.any(String) },
  ]);
  expect((await product.browser().post(`/api/admin/jobs/${id}/retry`)).status).toBe(401);
  expect((await admin.post('/api/admin/jobs/none/retry')).status).toBe(404);
  expect((await admin.post(`/api/admin/jobs/${id}/retry`)).status).toBe(204);
  expect(await settled('late@example.com')).toEqual([expect.objectContaining({ status: 'sent' })]);
  expect((await admin.post(`/api/admin/jobs/${id}/discard`)).status).toBe(404);
});

it('[OPS-260] administrators see which jobs run, and cancel one', async () => {
  const { jobs, database } = product.resources;
  const kind = { ...SWEEP, name: 'endless' };
  let told: AbortSignal | undefined;
  await jobs.work(kind, ({ signal }) => {
    told = signal;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  await jobs.send(kind, [{ key: 'all of it', data: { name: 'all of it' } }]);
  const listed = async () => (await admin.get('/api/admin/jobs')).body.running;
  while (told === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  const { rows } = await database.pool.query(`select id from jobs.job where name = 'endless'`);
  const [{ id }] = rows as [{ id: string }];
  expect(await listed()).toContainEqual({
    id,
    kind: 'endless',
    name: 'all of it',
    attempt: 1,
    startedAt: expect.any(String),
  });
  expect((await product.browser().post(`/api/admin/jobs/${id}/cancel`)).status).toBe(401);
  expect((await admin.post(`/api/admin/jobs/${id}/discard`)).status).toBe(404);
  expect((await admin.post(`/api/admin/jobs/${id}/cancel`)).status).toBe(204);
  expect((await admin.post(`/api/admin/jobs/${id}/cancel`)).status).toBe(404);
  if (!told.aborted) await once(told, 'abort');
  expect(await listed()).not.toContainEqual(expect.objectContaining({ id }));
});

it('[OPS-332] a mail whose job is cancelled while it is being sent is called failed, and is not tried again', async () => {
  let told = () => {};
  const isTold = new Promise<void>((resolve) => (told = resolve));
  jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown) => {
    if (line === 'the mail test was cancelled') told();
  });
  expectLog(/^error \[Mail\].*A mail was not delivered: Connection closed/);
  const { unanswered } = server;
  server.isSilent = true;
  await send('cancelled@example.com');
  while (server.unanswered === unanswered) await new Promise((resolve) => setTimeout(resolve, 20));
  const { running } = (await admin.get('/api/admin/jobs')).body;
  expect(running).toEqual([expect.objectContaining({ kind: 'mail', name: 'test', attempt: 1 })]);
  expect((await admin.post(`/api/admin/jobs/${running[0].id}/cancel`)).status).toBe(204);
  await isTold;
  server.isSilent = false;
  server.hangUp();
  const [mail] = await settled('cancelled@example.com');
  expect(mail).toMatchObject({ status: 'failed', attempts: 1, lastError: expect.stringContaining('closed') });
  const { kinds } = (await admin.get('/api/admin/jobs')).body;
  expect(kinds).toContainEqual(expect.objectContaining({ kind: 'mail', waiting: 0, running: 0, failed: 0 }));
  jest.restoreAllMocks();
});

it('[OPS-153] a mail that waits goes with who is erased, and is not sent once its link has ended', async () => {
  expectLog(/^warn \[Jobs\] the mail password-reset failed \(attempt 1\): .*451 busy$/);
  const { database } = product.resources;
  const accounts = product.app.get(AccountStore, { strict: false });
  const states = async (email: string) => {
    const { rows } = await database.pool.query<{ state: string }>(
      `select state from jobs.job where name = 'mail' and data ->> 'email' = $1`,
      [email],
    );
    return rows.map(({ state }) => state).join();
  };
  const reached = (email: string, wanted: string) => until(async () => (await states(email)) === wanted);
  const mailed = () => server.mails.filter((mail) => /^To: (gone|pia)@example\.com$/m.test(mail)).length;
  const forget = async (email: string) => {
    server.refusals = ['451 busy'];
    await product.browser().post('/api/auth/password/forgot', { email });
    await reached(email, 'retry');
    const account = await accounts.findByEmail(email);
    return account?.userId as string;
  };
  await signedIn('gone@example.com', []);
  await settled('gone@example.com');
  const before = mailed();
  expect(before).toBeGreaterThan(0);
  await accounts.erase(await forget('gone@example.com'), new Date());
  expect(await states('gone@example.com')).toBe('');
  await accounts.setPassword(await forget('pia@example.com'), null);
  await reached('pia@example.com', '');
  expect(mailed()).toBe(before);
});

it('[OPS-220] a mail that somebody waits for goes before those that only tell of something', async () => {
  const account = await product.app.get(AccountStore, { strict: false }).findByEmail('pia@example.com');
  const to = { userId: account?.userId as string, email: 'queue@example.com', displayName: 'Pia' };
  const mails = product.app.get(AccountMails, { strict: false });
  const sends = jest.spyOn(BossJobQueue.prototype, 'send');
  await mails.send(to, { letter: 'password-changed' });
  await mails.send(to, { letter: 'password-reset' });
  await product.browser().post('/api/mailing-list', { email: to.email });
  const priorities = sends.mock.calls.flatMap(([, jobs]) =>
    jobs.map(({ data, priority }) => [(data as OrderedMail).letter, priority]),
  );
  sends.mockRestore();
  expect(priorities).toEqual([
    ['password-changed', 0],
    ['password-reset', 1],
    ['mailing-list', 1],
  ]);
});

it('forgets after 90 days, and calls failed what a stopped process left', async () => {
  const add = (to: string, ago: string) =>
    product.resources.database.pool.query(
      `insert into mail_log (mail_id, recipient, subject, status, attempts, asked_at)
       values ($1, $1, 'Old', 'sending', 0, now() - $2::interval)`,
      [to, ago],
    );
  await add('old-91', '91 days');
  await add('old-89', '89 days');
  await send('new@example.com');
  await settled('new@example.com');
  expect((await logged('to=old-')).items).toEqual([
    expect.objectContaining({ to: 'old-89', status: 'failed', lastError: 'Interrupted' }),
  ]);
});

it('[ROLE-04] is for administrators only', async () => {
  expect((await product.browser().get('/api/admin/mails')).status).toBe(401);
  const petra = await signedIn('petra@example.com', ['finance']);
  expect((await petra.get('/api/admin/mails')).status).toBe(403);
});

it('keeps no mail from going out when it cannot be written', async () => {
  expectLog(/^warn \[Mail\] A mail was not logged: relation "mail_log" does not exist$/);
  const { pool } = product.resources.database;
  await pool.query('alter table mail_log rename to mail_log_away');
  try {
    await send('unlogged@example.com');
    await until(() => server.mails.some((mail) => mail.includes('To: unlogged@example.com')));
  } finally {
    await pool.query('alter table mail_log_away rename to mail_log');
  }
});

it('is written by the mailbox too, where no mail server is configured', async () => {
  const boxed = await startTestProduct();
  try {
    await boxed.app.get(Mailer, { strict: false }).deliver({
      to: 'ada@example.com',
      subject: 'Hello',
      text: LINK,
      links: [LINK],
    });
    const { rows } = await boxed.resources.database.pool.query(
      `select recipient, subject, status, attempts from mail_log where recipient = 'ada@example.com'`,
    );
    expect(rows).toEqual([{ recipient: 'ada@example.com', subject: 'Hello', status: 'sent', attempts: 1 }]);
  } finally {
    await boxed.stop();
  }
});
