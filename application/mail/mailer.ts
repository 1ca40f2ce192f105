export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Absolute links that the text holds, for the mailbox page and tests. */
  links: string[];
}

/** One of several attempts at a mail, which the mail log shows as one. */
export interface MailAttempt {
  mailId: string;
  /** From 1. */
  number: number;
  isLast: boolean;
  /** Its reason is `JobCancelled` where nobody tries again. */
  signal?: AbortSignal;
}

export abstract class Mailer {
  /**
   * Resolves once the mail server has taken it, or has refused it for good.
   * @param attempt absent: there is no other
   * @throws the obstacle, if the same mail may be taken later
   */
  abstract deliver(mail: Mail, attempt?: MailAttempt): Promise<void>;
}
