import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Mailer, type Mail } from '../../application/ports/mailer.js';

const RETRY_PAUSES_MS = [1_000, 10_000, 60_000];

/**
 * Sends over SMTP, in the background: whoever asks for a mail must not learn from the time it takes whether
 * there is an account behind the address.
 */
export class SmtpMailer extends Mailer {
  private readonly logger = new Logger('Mail');
  private readonly transport: Transporter;
  private readonly underWay = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  /** @param options.from sender, such as `Offcut <no-reply@offcut.example>` */
  constructor(
    smtpUrl: string,
    private readonly options: { from: string },
  ) {
    super();
    this.transport = createTransport(smtpUrl);
  }

  send(mail: Mail): Promise<void> {
    const delivery = this.deliver(mail).finally(() => this.underWay.delete(delivery));
    this.underWay.add(delivery);
    return Promise.resolve();
  }

  /** Waits for the attempts under way, gives up on what would be tried later, and closes the connections. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.underWay);
    this.transport.close();
  }

  private async deliver({ to, subject, text }: Mail): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.transport.sendMail({ from: this.options.from, to, subject, text });
        return;
      } catch (error) {
        const wait = RETRY_PAUSES_MS[attempt];
        if (wait === undefined || isRefusal(error) || this.closing.signal.aborted) {
          this.logger.error({ message: `A mail was not delivered: ${(error as Error).message}`, subject });
          return;
        }
        // Closing cuts the pause short for one last attempt.
        await pause(wait, undefined, { ref: false, signal: this.closing.signal }).catch(() => {});
      }
    }
  }
}

/** The server said no for good (5xx); asking again changes nothing. */
const isRefusal = (error: unknown): boolean => {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500;
};
