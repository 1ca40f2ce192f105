import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SmtpMailer } from '../../adapters/vendors/smtp/smtp-mailer.js';
import { SystemClock } from '../../application/shared/clock.js';
import { MailLog, type MailRecord } from '../../application/mail/mailer.js';
import { MailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

class Records extends MailLog {
  readonly all: MailRecord[] = [];
  /** Writes wait until it resolves. */
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
  await mailer.deliver(mail);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain('To: ada@example.com');
  expect(server.mails[0]).toContain('From: Offcut <no-reply@offcut.example>');
  expect(server.mails[0]).toContain('see you.');
});

it('[MAIL-762] adds header fields', async () => {
  await mailer.deliver({ ...mail, headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } });
  expect(server.mails[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
});

it('logs the attempts at a mail as one', async () => {
  server.refusals = ['451 busy', '451 busy'];
  const attempt = (number: number) => ({ mailId: 'm', number, isLast: number === 3 });
  await expect(mailer.deliver(mail, attempt(1))).rejects.toThrow('451 busy');
  await expect(mailer.deliver(mail, attempt(2))).rejects.toThrow('451 busy');
  await mailer.deliver(mail, attempt(3));
  expect(server.mails).toHaveLength(1);
  expect(log.all.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`)).toEqual([
    'm sending 0',
    'm sending 1',
    'm sending 1',
    'm sending 2',
    'm sending 2',
    'm sent 3',
  ]);
  server.refusals = ['451 busy'];
  await expect(mailer.deliver(mail, attempt(3))).rejects.toThrow('451 busy');
  expect(log.all.at(-1)).toMatchObject({ status: 'failed', attempts: 3 });
});

it('says when a mail was taken, and why not when it may be later', async () => {
  server.refusals = ['451 busy'];
  await expect(mailer.deliver(mail)).rejects.toThrow('451 busy');
  expect(server.mails).toHaveLength(0);
  await mailer.deliver(mail);
  expect(server.mails).toHaveLength(1);
  // A permanent refusal, which is not retried.
  server.refusals = ['550 no such user'];
  await mailer.deliver(mail);
  expect(server.mails).toHaveLength(1);
  const settled = log.all.filter(({ status }) => status !== 'sending');
  expect(settled.map(({ status }) => status)).toEqual(['failed', 'sent', 'failed']);
});

it('a header cannot be smuggled in by an address or subject', async () => {
  await mailer.deliver({ ...mail, subject: 'Hi\r\nBcc: eve@example.com' });
  expect(server.mails[0] ?? '').not.toMatch(/^Bcc:/im);
});

it('sends without waiting for a log that hangs', async () => {
  let open = () => {};
  log.ready = new Promise((resolve) => (open = resolve));
  const delivered = mailer.deliver(mail);
  await until(() => server.mails.length > 0);
  expect(server.mails).toHaveLength(1);
  expect(log.all).toEqual([]);
  open();
  await delivered;
  expect(log.all.at(-1)).toMatchObject({ to: mail.to, subject: mail.subject, status: 'sent', attempts: 1 });
});
