export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Absolute links that the text holds, for the mailbox page and tests. */
  links: string[];
}

export abstract class Mailer {
  /** Takes a mail; if sending takes time, it happens, and is retried, in the background. */
  abstract send(mail: Mail): Promise<void>;
  /**
   * Sends a mail that must survive this process: resolves once the mail server has taken it, or has refused it for
   * good.
   * @throws the obstacle, if the same mail may be taken later
   */
  abstract deliver(mail: Mail): Promise<void>;
}
