/** The delivery status of each mail. The text is not stored, because the links in it sign people in. */
export interface MailRecord {
  id: string;
  to: string;
  subject: string;
  status: 'sending' | 'sent' | 'failed';
  /** The number of attempts at the mail server. */
  attempts: number;
  /** Why the last attempt failed, or null. */
  lastError: string | null;
  askedAt: Date;
  /** When it was sent or given up. Null while attempts continue. */
  settledAt: Date | null;
}

/** The mails of the last `MAIL_LOG_DAYS`, for administrators. */
export abstract class MailLog {
  /**
   * Adds or replaces the record of a mail. An earlier error stays if the new record has none. Never rejects, so that
   * mails are sent even if the log fails.
   */
  abstract record(mail: MailRecord): Promise<void>;
}
