import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { JobQueue, type JobKind } from '../shared/job-queue.js';
import { Mailer, type Mail, type MailAttempt } from './mailer.js';
import { EventStore, type Reactor } from '../shared/event-store.js';

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

/** Returns the same order id for the same text, so that a repeated run orders no second mail. */
export const orderIdOf = (text: string): string =>
  hash('sha256', text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');

/** Writes the text of a requested mail. Returns undefined if the recipient no longer exists. */
type Writer = (order: OrderedMail) => Promise<Mail | undefined>;

type OnSent = (order: OrderedMail) => Promise<void>;

/** Retries for about a day, because a mail server may be down for hours. An older mail is useless. */
const ATTEMPTS = {
  atOnce: 4,
  repeats: 100,
  firstPauseSeconds: 1,
  longestPauseSeconds: 900,
  timeLimitSeconds: 120,
};

export const MAIL: JobKind<OrderedMail> = { name: 'mail', shape: Order, isKeyed: false, ...ATTEMPTS };

/** Workers send the mails, so that the response time does not reveal whether an address has an account. */
export class Outbox {
  private readonly writers = new Map<string, { write: Writer; onSent?: OnSent | undefined }>();

  constructor(
    private readonly mailer: Mailer,
    private readonly jobs: JobQueue,
  ) {}

  /** @param onSent must not reject, because a retry would send the mail again */
  writtenBy(letters: readonly string[], write: Writer, onSent?: OnSent): void {
    for (const letter of letters) this.writers.set(letter, { write, onSent });
  }

  /** @param isAwaited whether a user waits for the mail at a screen; such mails are sent first */
  order(order: OrderedMail, { isAwaited = false } = {}): Promise<void> {
    return this.jobs.send(MAIL, [{ id: order.orderId, data: order, priority: isAwaited ? 1 : 0 }]);
  }

  /** @throws if the mail was not sent and a retry may succeed */
  async send(order: OrderedMail, attempt?: MailAttempt): Promise<void> {
    const writer = this.writers.get(order.letter);
    if (!writer) throw new Error(`no mail is called ${order.letter}`);
    const mail = await writer.write(order);
    if (!mail) return;
    await this.mailer.deliver(mail, attempt);
    await writer.onSent?.(order);
  }
}

const MailOrder = z.object({
  writer: z.string(),
  position: z.int().positive(),
});

export const EVENT_MAILS: JobKind<z.infer<typeof MailOrder>> = {
  name: 'event-mails',
  shape: MailOrder,
  isKeyed: true,
  ...ATTEMPTS,
};

/** Creates a job for each mail about an event, so that a failing mail server does not delay log subscriptions. */
@Injectable()
export class EventMails {
  private readonly writers = new Map<string, Reactor>();

  constructor(
    private readonly log: EventStore,
    private readonly jobs: JobQueue,
  ) {}

  /** Returns a reactor that creates a job for each event. The job passes the event to `writer`. */
  asJobs(writer: Reactor): Reactor {
    const { name, types, streamsAtOnce = 1 } = writer;
    this.writers.set(name, writer);
    return {
      name,
      types,
      streamsAtOnce,
      handle: ({ position }) =>
        this.jobs.send(EVENT_MAILS, [{ key: `${name} ${position}`, data: { writer: name, position } }]),
    };
  }

  /** @throws if a mail was not sent and a retry may succeed */
  async send({ writer, position }: z.infer<typeof MailOrder>): Promise<void> {
    const writes = this.writers.get(writer);
    if (!writes) throw new Error(`unknown mail writer: ${writer}`);
    const [event] = await this.log.readAll({ after: position - 1, limit: 1 });
    if (event?.position !== position) throw new Error(`the log has no event ${position}`);
    await writes.handle(event);
  }
}
