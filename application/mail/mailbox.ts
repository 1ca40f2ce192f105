import type { Mail } from './mailer.js';

/** Stored mails, newest first, while no mail server is configured. */
export abstract class Mailbox {
  abstract list(limit: number): Promise<Array<Mail & { sentAt: Date }>>;
}
