import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.js';

/** The smallest mail server that a mail client accepts. */
class MailServer {
  readonly mails: string[] = [];
  /** Answers to `MAIL FROM`, used up one by one; then mails are taken. */
  refusals: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.serve(socket));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    let body: string | undefined;
    let buffered = '';
    socket.write('220 mail.example\r\n');
    socket.on('data', (chunk) => {
      buffered += chunk.toString();
      let end: number;
      while ((end = buffered.indexOf('\r\n')) >= 0) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (body !== undefined && line !== '.') body += `${line}\n`;
        else if (body !== undefined) {
          this.mails.push(body);
          body = undefined;
          socket.write('250 taken\r\n');
        } else if (/^DATA/i.test(line)) {
          body = '';
          socket.write('354 go on\r\n');
        } else if (/^MAIL/i.test(line)) socket.write(`${this.refusals.shift() ?? '250 ok'}\r\n`);
        else socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  }
}

Logger.overrideLogger(false);

let server: MailServer;
let mailer: SmtpMailer;

beforeEach(async () => {
  server = new MailServer();
  mailer = new SmtpMailer(await server.start(), { from: 'Offcut <no-reply@offcut.example>' });
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
});

it('gives up on a refusal for good, without disturbing whoever asked', async () => {
  server.refusals = ['550 no such user', '250 ok'];
  await mailer.send(mail);
  await mailer.close();
  expect(server.mails).toHaveLength(0);
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
