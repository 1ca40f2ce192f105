export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Absolute links that the text holds, for the mailbox page and tests. */
  links: string[];
}

export abstract class Mailer {
  abstract send(mail: Mail): Promise<void>;
}
