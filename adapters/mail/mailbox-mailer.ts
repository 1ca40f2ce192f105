import { randomUUID } from 'node:crypto';
import type { WallClock } from '../../application/shared/clock.js';
import { Mailer, type Mail } from '../../application/mail/mailer.js';
import type { Database } from '../platform/database/database.js';
import { PostgresMailLog } from './postgres-mail-log.js';

/** Keeps mails in a table instead of sending them, for the mailbox page. */
export class MailboxMailer implements Mailer {
  private readonly log: PostgresMailLog;

  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {
    this.log = new PostgresMailLog(database);
  }

  async deliver({ to, subject, text, links }: Mail): Promise<void> {
    const now = this.clock.now();
    await this.database.db
      .insertInto('mailbox')
      .values({ recipient: to, subject, text, links, sent_at: now })
      .execute();
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

  list(limit: number): Promise<Array<Mail & { sentAt: Date }>> {
    return this.database.db
      .selectFrom('mailbox')
      .select(['recipient as to', 'subject', 'text', 'links', 'sent_at as sentAt'])
      .orderBy('mail_id', 'desc')
      .limit(limit)
      .execute();
  }
}
