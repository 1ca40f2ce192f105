import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { EventStore, type Reactor } from '../shared/event-store.js';
import { JobQueue, type JobKind } from '../shared/job-queue.js';

const MailOrder = z.object({
  /** The reactor that writes the mails. */
  writer: z.string(),
  /** The position of the event that the mails report. */
  position: z.int().positive(),
});

/** Retries for about a day, because a mail server may be away for hours. Later the mail is of no use. */
export const EVENT_MAILS: JobKind<z.infer<typeof MailOrder>> = {
  name: 'event-mails',
  shape: MailOrder,
  isKeyed: true,
  atOnce: 4,
  repeats: 100,
  firstPauseSeconds: 1,
  longestPauseSeconds: 900,
  timeLimitSeconds: 120,
};

/**
 * Sends mails about events as jobs. The text is written when the mail is sent, so that no job contains it. A mail
 * server that is away does not hold up the log's subscriptions.
 */
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
