export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Absolute links that the text holds, for the mailbox page and tests. */
  links: string[];
}

export abstract class Mailer {
  /** Takes a mail; it is sent, and tried again, in the background where that takes time. */
  abstract send(mail: Mail): Promise<void>;
  /**
   * Sends a mail that must not be lost with this process: resolves once the mail server has taken it, or has refused
   * it for good.
   * @throws what stood in the way, when the same mail may be taken later
   */
  abstract deliver(mail: Mail): Promise<void>;
}
