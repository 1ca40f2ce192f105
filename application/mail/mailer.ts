export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The absolute links in the text, for the mailbox page and tests. */
  links: string[];
}

/** One of several attempts at a mail. The mail log shows them as one. */
export interface MailAttempt {
  mailId: string;
  /** Starts at 1. */
  number: number;
  isLast: boolean;
  /** Its reason is `JobCancelled` if there is no retry. */
  signal?: AbortSignal;
}

export abstract class Mailer {
  /**
   * Resolves once the mail server has accepted the mail or refused it for good.
   * @param attempt if absent, there is only one
   * @throws the obstacle, if a retry may succeed
   */
  abstract deliver(mail: Mail, attempt?: MailAttempt): Promise<void>;
}
