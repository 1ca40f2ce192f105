import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { WallClock } from '../../../application/shared/clock.js';
import {
  Mailer,
  type MailLog,
  type MailRecord,
  type Mail,
  type MailAttempt,
} from '../../../application/mail/mailer.js';
import { JobCancelled } from '../../../application/shared/job-queue.js';
import { unobserved, type ObserveCall } from '../../../application/shared/outgoing-calls.js';

export interface MailLimits {
  connectMs: number;
  greetingMs: number;
  /** Longest time without an answer. */
  silenceMs: number;
}

/** Adds the limits to the SMTP URL. Limits that the URL already contains take precedence. */
function limited(smtpUrl: string, { connectMs, greetingMs, silenceMs }: MailLimits): string {
  const url = new URL(smtpUrl);
  const limits = { connectionTimeout: connectMs, greetingTimeout: greetingMs, socketTimeout: silenceMs };
  for (const [name, ms] of Object.entries(limits))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(ms));
  return url.href;
}

export class SmtpMailer implements Mailer {
  private readonly logger = new Logger('Mail');
  private readonly transport: Transporter;

  /** @param options.from the sender, such as `Offcut <no-reply@offcut.example>` */
  constructor(
    smtpUrl: string,
    private readonly options: {
      from: string;
      log: MailLog;
      clock: WallClock;
      limits: MailLimits;
      observe?: ObserveCall;
    },
  ) {
    this.transport = createTransport(limited(smtpUrl, options.limits));
  }

  async deliver({ to, subject, text, headers }: Mail, attempt = onlyAttempt()): Promise<void> {
    const { log, clock, from, observe = unobserved } = this.options;
    const { mailId: id, number, isLast, signal } = attempt;
    const askedAt = clock.now();
    const entry = (status: MailRecord['status'], attempts: number, lastError: string | null = null) => {
      const settledAt = status === 'sending' ? null : clock.now();
      return { id, to, subject, status, attempts, lastError, askedAt, settledAt };
    };
    // The mail does not wait for the log.
    const begun = log.record(entry('sending', number - 1));
    const note = async (...what: Parameters<typeof entry>) => begun.then(() => log.record(entry(...what)));
    try {
      await observe(
        'send',
        () => this.transport.sendMail({ from, to, subject, text, headers: headers ?? undefined }),
        // Metrics count a refusal (5xx) as status 400, because it is no failure of the mail server.
        (outcome) => (isRefusal(outcome) ? 400 : undefined),
      );
    } catch (error) {
      const reason = withoutSecrets((error as Error).message);
      const isOver = isLast || isRefusal(error) || signal?.reason instanceof JobCancelled;
      await note(isOver ? 'failed' : 'sending', number, reason);
      if (isOver) this.logger.error({ message: `A mail was not delivered: ${reason}`, subject });
      if (isRefusal(error)) return;
      throw new Error(reason, { cause: error });
    }
    await note('sent', number);
  }

  async close(): Promise<void> {
    this.transport.close();
  }
}

const onlyAttempt = (): MailAttempt => ({ mailId: randomUUID(), number: 1, isLast: true });

const LONGEST_REASON = 500;

/** Removes links and tokens, because the error of a server may quote the mail. */
const withoutSecrets = (message: string): string =>
  message
    .replaceAll(/\S*:\/\/\S*/g, '(link)')
    .replaceAll(/[\w-]{32,}/g, '(token)')
    .slice(0, LONGEST_REASON);

/** Returns whether the server refused the mail for good (5xx), so that a retry is useless. */
const isRefusal = (error: unknown): boolean => {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500;
};
