import { randomUUID } from 'node:crypto';
import type { WallClock } from '../../application/shared/clock.js';
import type { Mailbox } from '../../application/mail/mailbox.js';
import { Mailer, type Mail } from '../../application/mail/mailer.js';
import type { Database } from '../platform/database/database.js';
import { PostgresMailLog } from './postgres-mail-log.js';

/** Keeps mails in a table instead of sending them, for the mailbox page. */
export class MailboxMailer extends Mailer implements Mailbox {
  private readonly log: PostgresMailLog;

  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {
    super();
    this.log = new PostgresMailLog(database);
  }

  async send({ to, subject, text, links }: Mail): Promise<void> {
    const now = this.clock.now();
    await this.database.pool.query(
      'insert into mailbox (recipient, subject, text, links, sent_at) values ($1, $2, $3, $4, $5)',
      [to, subject, text, links, now],
    );
    await this.log.record({
      id: randomUUID(),
      to,
      subject,
      status: 'sent',
      attempts: 1,
      lastError: null,
      askedAt: now,
      settledAt: now,
    });
  }

  deliver(mail: Mail): Promise<void> {
    return this.send(mail);
  }

  async list(limit: number): Promise<Array<Mail & { sentAt: Date }>> {
    const { rows } = await this.database.pool.query(
      `select recipient as "to", subject, text, links, sent_at as "sentAt"
         from mailbox order by mail_id desc limit $1`,
      [limit],
    );
    return rows;
  }
}
