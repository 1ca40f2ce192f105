import type { Mail } from './mailer.js';

/** The mails "sent" while no mail server is configured, newest first. */
export abstract class Mailbox {
  abstract list(limit: number): Promise<Array<Mail & { sentAt: Date }>>;
}
