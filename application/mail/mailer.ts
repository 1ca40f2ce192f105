export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The absolute links in the text, for the mailbox page and tests. */
  links: string[];
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
  /**
   * Resolves once the mail server has accepted the mail or refused it for good.
   * @param attempt absent if there is only one attempt
   * @throws if the mail was not sent and a retry may succeed
   */
  abstract deliver(mail: Mail, attempt?: MailAttempt): Promise<void>;
}
