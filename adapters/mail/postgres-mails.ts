import { Logger } from '@nestjs/common';
import { MAIL_LOG_DAYS } from '../../application/administration/values.js';
import { MailLog, type MailRecord } from '../../application/mail/mailer.js';
import { DatabaseAdapter, Database } from '../platform/database/database.js';
import { ReceiptBook } from '../../application/mail/fact-mails.js';
import { gauge, type Registered } from '../platform/observability/gauges.js';

const KEPT_MS = MAIL_LOG_DAYS * 86_400_000;

/** Stores the mail log. Each new record deletes entries older than `MAIL_LOG_DAYS`. */
export class PostgresMailLog implements MailLog {
  private readonly logger = new Logger('Mail');

  constructor(private readonly database: Database) {}

  async record(mail: MailRecord): Promise<void> {
    try {
      const settled = {
        status: mail.status,
        attempts: mail.attempts,
        last_error: mail.lastError,
        settled_at: mail.settledAt,
      };
      await this.database.db
        .with('outdated', (db) =>
          db.deleteFrom('mail_log').where('asked_at', '<', new Date(mail.askedAt.getTime() - KEPT_MS)),
        )
        .insertInto('mail_log')
        .values({
          mail_id: mail.id,
          recipient: mail.to,
          subject: mail.subject,
          asked_at: mail.askedAt,
          ...settled,
        })
        .onConflict((conflict) =>
          conflict.column('mail_id').doUpdateSet({
            ...settled,
            // A record without an error keeps the last error, which explains why the mail was late.
            last_error: ({ fn, ref }) => fn.coalesce(ref('excluded.last_error'), ref('mail_log.last_error')),
          }),
        )
        .execute();
    } catch (error) {
      this.logger.warn(`A mail was not logged: ${(error as Error).message}`);
    }
  }
}

export class PostgresReceiptBook extends DatabaseAdapter implements ReceiptBook {
  async claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'> {
    const { db } = this.database;
    const claimed = await db
      .insertInto('receipt')
      .values({ fact, begun_at: now })
      .onConflict((conflict) =>
        conflict
          .column('fact')
          .doUpdateSet({ begun_at: now })
          .where('receipt.sent_at', 'is', null)
          .where('receipt.begun_at', '<', abandonedBefore),
      )
      .returning('fact')
      .executeTakeFirst();
    if (claimed) return 'claimed';
    const sent = await db
      .selectFrom('receipt')
      .select('fact')
      .where('fact', '=', fact)
      .where('sent_at', 'is not', null)
      .executeTakeFirst();
    return sent ? 'sent' : 'under way';
  }

  async markSent(fact: string, now: Date): Promise<void> {
    await this.database.db.updateTable('receipt').set({ sent_at: now }).where('fact', '=', fact).execute();
  }

  async release(fact: string, claimedAt: Date): Promise<void> {
    await this.database.db
      .deleteFrom('receipt')
      .where('fact', '=', fact)
      .where('begun_at', '=', claimedAt)
      .where('sent_at', 'is', null)
      .execute();
  }
}

const STATES = ['sending', 'sent', 'failed'] as const;
const HOUR_MS = 3_600_000;

export function registerMailMetrics(metrics: Registered, { db }: Pick<Database, 'db'>): void {
  gauge(metrics, ['mails_last_hour', 'Mails requested within the last hour, by state', 'state'], async () => {
    const counted = await db
      .selectFrom('mail_log')
      .select(({ fn }) => ['status', fn.countAll<number>().as('mails')])
      .where('asked_at', '>', new Date(Date.now() - HOUR_MS))
      .groupBy('status')
      .execute();
    return STATES.map((state) => [{ state }, counted.find(({ status }) => status === state)?.mails ?? 0]);
  });
}
