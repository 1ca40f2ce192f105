export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The absolute links in the text, for the mailbox page and tests. */
  links: string[];
  /** More header fields, such as `List-Unsubscribe`. */
  headers?: Record<string, string> | null;
}

/** An attempt to send a mail. The mail log has one entry for all attempts at a mail. */
export interface MailAttempt {
  mailId: string;
  /** Starts at 1. */
  number: number;
  isLast: boolean;
  /** Aborts the attempt. Its reason is `JobCancelled` if no retry follows. */
  signal?: AbortSignal;
}

export abstract class Mailer {
  /** Resolves once the server has accepted the mail or refused it for good. @throws if a retry may succeed */
  abstract deliver(mail: Mail, attempt?: MailAttempt): Promise<void>;
}

/** A mail without greeting and signature. A line that is only a URL becomes one of the mail's `links`. */
export interface Letter {
  subject: string;
  lines: string[];
}

/** @param displayName undefined for an address without a name */
export function letter(
  { email, displayName }: { email: string; displayName?: string },
  { subject, lines }: Letter,
): Mail {
  const greeting = displayName === undefined ? 'Hello,' : `Hello ${mailName(displayName)},`;
  return {
    to: email,
    subject,
    text: [greeting, ...lines, 'Offcut'].join('\n\n'),
    links: lines.filter((line) => /^https?:\/\/\S+$/.test(line)),
  };
}

/**
 * Removes what mail programs show as links: a stranger could sign up with another person's address and a link as the
 * name, and we would mail the link to that person.
 */
export const mailName = (displayName: string): string =>
  displayName
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[/\\@:]+/gu, ' ')
    .replace(/[.。．｡]+(?=[^\s.])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();

/** The delivery status of each mail. The text is not stored, because the links in it sign people in. */
export interface MailRecord {
  id: string;
  to: string;
  subject: string;
  status: 'sending' | 'sent' | 'failed';
  /** The number of attempts at the mail server. */
  attempts: number;
  lastError: string | null;
  askedAt: Date;
  /** When it was sent or given up. Null while attempts continue. */
  settledAt: Date | null;
}

export abstract class MailLog {
  /** Keeps an earlier error if the new record has none. Never rejects, so that a failing log stops no mail. */
  abstract record(mail: MailRecord): Promise<void>;
}
