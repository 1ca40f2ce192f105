import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { WallClock } from '../../../application/shared/clock.js';
import type { MailLog, MailRecord } from '../../../application/mail/mail-log.js';
import { Mailer, type Mail } from '../../../application/mail/mailer.js';

const RETRY_PAUSES_MS = [1_000, 10_000, 60_000];

/** How long a mail server may take, in milliseconds. */
export interface MailLimits {
  connectMs: number;
  greetingMs: number;
  /** For its next word. */
  silenceMs: number;
}

/** What the address itself says wins. */
function limited(smtpUrl: string, { connectMs, greetingMs, silenceMs }: MailLimits): string {
  const url = new URL(smtpUrl);
  const limits = { connectionTimeout: connectMs, greetingTimeout: greetingMs, socketTimeout: silenceMs };
  for (const [name, ms] of Object.entries(limits))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(ms));
  return url.href;
}

/**
 * Sends over SMTP, in the background: the time of an answer must not tell whether an address has an account.
 */
export class SmtpMailer implements Mailer {
  private readonly logger = new Logger('Mail');
  private readonly transport: Transporter;
  private readonly underWay = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  /** @param options.from sender, such as `Offcut <no-reply@offcut.example>` */
  constructor(
    smtpUrl: string,
    private readonly options: { from: string; log: MailLog; clock: WallClock; limits: MailLimits },
  ) {
    this.transport = createTransport(limited(smtpUrl, options.limits));
  }

  send(mail: Mail): Promise<void> {
    const delivery = this.keepTrying(mail).finally(() => this.underWay.delete(delivery));
    this.underWay.add(delivery);
    return Promise.resolve();
  }

  async deliver(mail: Mail): Promise<void> {
    const entry = new Entry(mail, this.options);
    try {
      await this.attempt(mail);
    } catch (error) {
      await this.giveUp(mail, entry, 1, error as Error);
      if (isRefusal(error)) return;
      throw error;
    }
    await entry.note('sent', 1);
  }

  /** Waits for running attempts, gives up planned ones, and closes the connections. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.underWay);
    this.transport.close();
  }

  private async keepTrying(mail: Mail): Promise<void> {
    const entry = new Entry(mail, this.options);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.attempt(mail);
        return await entry.note('sent', attempt);
      } catch (error) {
        const wait = RETRY_PAUSES_MS[attempt - 1];
        if (wait === undefined || isRefusal(error) || this.closing.signal.aborted)
          return await this.giveUp(mail, entry, attempt, error as Error);
        void entry.note('sending', attempt, withoutSecrets((error as Error).message));
        // Closing ends the pause early, for one last attempt.
        await pause(wait, undefined, { ref: false, signal: this.closing.signal }).catch(() => {});
      }
    }
  }

  private giveUp({ subject }: Mail, entry: Entry, attempt: number, { message }: Error): Promise<void> {
    const reason = withoutSecrets(message);
    this.logger.error({ message: `A mail was not delivered: ${reason}`, subject });
    return entry.note('failed', attempt, reason);
  }

  private async attempt({ to, subject, text }: Mail): Promise<void> {
    await this.transport.sendMail({ from: this.options.from, to, subject, text });
  }
}

/** The log's record of one mail, written while it is sent, one state after the other. */
class Entry {
  private record: MailRecord;
  private written: Promise<void>;

  constructor(
    { to, subject }: Mail,
    private readonly options: { log: MailLog; clock: WallClock },
  ) {
    const askedAt = options.clock.now();
    this.record = {
      id: randomUUID(),
      to,
      subject,
      status: 'sending',
      attempts: 0,
      lastError: null,
      askedAt,
      settledAt: null,
    };
    this.written = options.log.record(this.record);
  }

  /** @returns settles once it and everything before is written */
  note(status: MailRecord['status'], attempts: number, lastError = this.record.lastError): Promise<void> {
    const settledAt = status === 'sending' ? null : this.options.clock.now();
    const record = { ...this.record, status, attempts, lastError, settledAt };
    this.record = record;
    this.written = this.written.then(() => this.options.log.record(record));
    return this.written;
  }
}

const LONGEST_REASON = 500;

/** Servers quote what they refuse, so links and tokens of the mail are removed. */
const withoutSecrets = (message: string): string =>
  message
    .replaceAll(/\S*:\/\/\S*/g, '(link)')
    .replaceAll(/[\w-]{32,}/g, '(token)')
    .slice(0, LONGEST_REASON);

/** The server refused for good (5xx), so a retry is useless. */
const isRefusal = (error: unknown): boolean => {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500;
};
