/** The fate of each mail. It does not store the text, because the links in it sign people in. */
export interface MailRecord {
  id: string;
  to: string;
  subject: string;
  status: 'sending' | 'sent' | 'failed';
  /** The number of attempts at the mail server. */
  attempts: number;
  /** Why the last attempt failed; null when none did. */
  lastError: string | null;
  askedAt: Date;
  /** When it was sent or given up; null while it is being sent. */
  settledAt: Date | null;
}

/** The mails of the last `MAIL_LOG_DAYS`, for administrators. */
export abstract class MailLog {
  /** Adds a mail, or replaces what was known of it, but for why it failed before. Never rejects: mails go out without a log too. */
  abstract record(mail: MailRecord): Promise<void>;
}
