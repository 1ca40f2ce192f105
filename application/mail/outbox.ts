import * as z from 'zod';
import { JobQueue, type JobKind } from '../shared/job-queue.js';
import { Mailer, type Mail, type MailAttempt } from './mailer.js';

const Order = z.object({
  orderId: z.string(),
  /** Which mail it is, by a name that one writer knows. */
  letter: z.string(),
  email: z.string(),
  /** Null: nobody's account. */
  userId: z.string().nullable(),
  /** What it tells of; nothing secret. */
  about: z.record(z.string(), z.string()),
});

/** Who is to get which mail: what it says is written when it is sent, because links in it sign people in. */
export type OrderedMail = z.infer<typeof Order>;

/** @returns undefined if there is nobody any more to write to */
type Writer = (order: OrderedMail) => Promise<Mail | undefined>;

/** A mail server may be away for hours; after a day nobody waits for the mail any more. */
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
  /** Somebody sits before a screen and waits for it: it goes before those that only tell of something. */
  isAwaited?: boolean;
}

/** Takes orders of mails, none of which is lost with a process, and sends what the writers make of them. */
export abstract class Outbox {
  private readonly writers = new Map<string, Writer>();

  constructor(private readonly mailer: Mailer) {}

  writtenBy(letters: readonly string[], writer: Writer): void {
    for (const letter of letters) this.writers.set(letter, writer);
  }

  abstract order(order: OrderedMail, urgency?: Urgency): Promise<void>;

  /** @throws the obstacle, if the same mail may be taken later */
  async send(order: OrderedMail, attempt?: MailAttempt): Promise<void> {
    const write = this.writers.get(order.letter);
    if (!write) throw new Error(`no mail is called ${order.letter}`);
    const mail = await write(order);
    if (mail) await this.mailer.deliver(mail, attempt);
  }
}

/** Sends at once, where that takes no time and cannot fail. */
export class InstantOutbox extends Outbox {
  order(order: OrderedMail): Promise<void> {
    return this.send(order);
  }
}

/** Leaves the sending to workers: the time of an answer must not tell whether an address has an account. */
export class QueuedOutbox extends Outbox {
  constructor(
    mailer: Mailer,
    private readonly jobs: JobQueue,
  ) {
    super(mailer);
  }

  order(order: OrderedMail, { isAwaited = false }: Urgency = {}): Promise<void> {
    return this.jobs.send(MAIL, [{ id: order.orderId, data: order, priority: isAwaited ? 1 : 0 }]);
  }
}
