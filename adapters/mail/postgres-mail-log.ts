import { Logger } from '@nestjs/common';
import { MailLog, type MailRecord } from '../../application/mail/mail-log.js';
import type { Database } from '../platform/database/database.js';

/** Keeps 90 days: what is older goes when a mail is added. */
export class PostgresMailLog extends MailLog {
  private readonly logger = new Logger('Mail');

  constructor(private readonly database: Database) {
    super();
  }

  override async record(mail: MailRecord): Promise<void> {
    try {
      await this.database.pool.query(
        `with outdated as (delete from mail_log where asked_at < $7::timestamptz - interval '90 days')
         insert into mail_log (mail_id, recipient, subject, status, attempts, last_error, asked_at, settled_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (mail_id) do update set status = excluded.status, attempts = excluded.attempts,
           last_error = excluded.last_error, settled_at = excluded.settled_at`,
        [
          mail.id,
          mail.to,
          mail.subject,
          mail.status,
          mail.attempts,
          mail.lastError,
          mail.askedAt,
          mail.settledAt,
        ],
      );
    } catch (error) {
      this.logger.warn(`A mail was not logged: ${(error as Error).message}`);
    }
  }
}
