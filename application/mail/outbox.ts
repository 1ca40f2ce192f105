import * as z from 'zod';
import { JobQueue, type JobKind } from '../shared/job-queue.js';
import { Mailer, type Mail, type MailAttempt } from './mailer.js';

const Order = z.object({
  orderId: z.string(),
  /** The name of the mail. It selects the writer. */
  letter: z.string(),
  email: z.string(),
  /** Null if the address has no account. */
  userId: z.string().nullable(),
  /** Data for the text, without secrets. */
  about: z.record(z.string(), z.string()),
});

/** A requested mail. It does not contain the text, because the links in the text sign people in. */
export type OrderedMail = z.infer<typeof Order>;

/** Writes the text of a requested mail. Returns undefined if the recipient no longer exists. */
type Writer = (order: OrderedMail) => Promise<Mail | undefined>;

/** Retries for about a day, because a mail server may be away for hours. Later the mail is of no use. */
export const MAIL: JobKind<OrderedMail> = {
  name: 'mail',
  shape: Order,
  isKeyed: false,
  atOnce: 4,
  repeats: 100,
  firstPauseSeconds: 1,
  longestPauseSeconds: 900,
  timeLimitSeconds: 120,
};

export interface Urgency {
  /** A user waits for it at a screen, so it is sent before other mails. */
  isAwaited?: boolean;
}

/**
 * Stores requested mails as jobs, and workers send them. So the response time does not reveal whether an address has
 * an account.
 */
export class Outbox {
  private readonly writers = new Map<string, Writer>();

  constructor(
    private readonly mailer: Mailer,
    private readonly jobs: JobQueue,
  ) {}

  writtenBy(letters: readonly string[], writer: Writer): void {
    for (const letter of letters) this.writers.set(letter, writer);
  }

  order(order: OrderedMail, { isAwaited = false }: Urgency = {}): Promise<void> {
    return this.jobs.send(MAIL, [{ id: order.orderId, data: order, priority: isAwaited ? 1 : 0 }]);
  }

  /** @throws if the mail was not sent and a retry may succeed */
  async send(order: OrderedMail, attempt?: MailAttempt): Promise<void> {
    const write = this.writers.get(order.letter);
    if (!write) throw new Error(`no mail is called ${order.letter}`);
    const mail = await write(order);
    if (mail) await this.mailer.deliver(mail, attempt);
  }
}
