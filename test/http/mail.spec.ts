import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SmtpMailer } from '../../adapters/vendors/smtp/smtp-mailer.js';
import { SystemClock } from '../../application/shared/clock.js';
import { MailLog, type MailRecord } from '../../application/mail/mail-log.js';
import { MailServer } from '../support/mail-server.js';

class Records extends MailLog {
  readonly all: MailRecord[] = [];
  /** Nothing is written before it settles. */
  ready: Promise<void> = Promise.resolve();

  async record(mail: MailRecord): Promise<void> {
    await this.ready;
    this.all.push(mail);
  }
}

Logger.overrideLogger(false);

let server: MailServer;
let mailer: SmtpMailer;
let log: Records;

beforeEach(async () => {
  server = new MailServer();
  log = new Records();
  mailer = new SmtpMailer(await server.start(), {
    from: 'Offcut <no-reply@offcut.example>',
    log,
    clock: new SystemClock(),
    limits: { connectMs: 2_000, greetingMs: 2_000, silenceMs: 2_000 },
  });
});

afterEach(async () => {
  await mailer.close();
  await server.stop();
});

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Hello Ada,\n\nsee you.', links: [] };

it('delivers a mail over SMTP', async () => {
  await mailer.send(mail);
  await mailer.close();
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain('To: ada@example.com');
  expect(server.mails[0]).toContain('From: Offcut <no-reply@offcut.example>');
  expect(server.mails[0]).toContain('see you.');
});

it('tries again when the server asks to come back later', async () => {
  server.refusals = ['451 busy'];
  await mailer.send(mail);
  for (let waited = 0; server.mails.length === 0 && waited < 4_000; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.mails).toHaveLength(1);
  await mailer.close();
  expect(log.all.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual([
    'sending 0',
    'sending 1',
    'sent 2',
  ]);
  expect(new Set(log.all.map(({ id }) => id)).size).toBe(1);
  expect(log.all.at(-1)?.lastError).toContain('451 busy');
});

it('gives up on a refusal for good, without disturbing whoever asked', async () => {
  server.refusals = ['550 no such user', '250 ok'];
  await mailer.send(mail);
  await mailer.close();
  expect(server.mails).toHaveLength(0);
});

it('says of a mail that must not be lost when it was taken, and why not when it may be later', async () => {
  server.refusals = ['451 busy'];
  await expect(mailer.deliver(mail)).rejects.toThrow('451 busy');
  expect(server.mails).toHaveLength(0);
  await mailer.deliver(mail);
  expect(server.mails).toHaveLength(1);
  server.refusals = ['550 no such user'];
  await mailer.deliver(mail);
  expect(server.mails).toHaveLength(1);
  const settled = log.all.filter(({ status }) => status !== 'sending');
  expect(settled.map(({ status }) => status)).toEqual(['failed', 'sent', 'failed']);
});

it('a header cannot be smuggled in by an address or subject', async () => {
  await mailer.send({ ...mail, subject: 'Hi\r\nBcc: eve@example.com' });
  await mailer.close();
  expect(server.mails[0] ?? '').not.toMatch(/^Bcc:/im);
});

it('closing does not wait for attempts that would come later', async () => {
  server.refusals = ['451 busy', '451 busy', '451 busy', '451 busy'];
  await mailer.send(mail);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const start = performance.now();
  await mailer.close();
  expect(performance.now() - start).toBeLessThan(900);
});

it('sends without waiting for a log that hangs', async () => {
  let open = () => {};
  log.ready = new Promise((resolve) => (open = resolve));
  await mailer.send(mail);
  for (let waited = 0; server.mails.length === 0 && waited < 4_000; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.mails).toHaveLength(1);
  expect(log.all).toEqual([]);
  open();
  await mailer.close();
  expect(log.all.at(-1)).toMatchObject({ to: mail.to, subject: mail.subject, status: 'sent', attempts: 1 });
});
