import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { EventStore } from '../shared/event-store.js';
import { JobQueue, type JobKind } from '../shared/job-queue.js';
import type { Reactor } from '../shared/reactor.js';

const Told = z.object({
  /** Who writes the mails, by the name of a reactor. */
  writer: z.string(),
  /** Of the event that they tell of. */
  position: z.int().positive(),
});

/** A mail server may be away for hours; after a day nobody waits for the mail any more. */
export const EVENT_MAILS: JobKind<z.infer<typeof Told>> = {
  name: 'event-mails',
  shape: Told,
  isKeyed: true,
  atOnce: 4,
  repeats: 100,
  firstPauseSeconds: 1,
  longestPauseSeconds: 900,
  timeLimitSeconds: 120,
};

/**
 * Mails about events of the log, as jobs: what they say is written when they are sent, so that no job says it. A mail
 * server that is away holds up nobody who follows the log.
 */
@Injectable()
export class EventMails {
  private readonly writers = new Map<string, Reactor>();

  constructor(
    private readonly log: EventStore,
    private readonly jobs: JobQueue,
  ) {}

  /** The same reactor, which orders a job for each event; workers have it handle the event. */
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

  /** @throws the obstacle, if the mails may be taken later */
  async send({ writer, position }: z.infer<typeof Told>): Promise<void> {
    const writes = this.writers.get(writer);
    if (!writes) throw new Error(`nobody writes mails by the name ${writer}`);
    const [event] = await this.log.readAll({ after: position - 1, limit: 1 });
    if (event?.position !== position) throw new Error(`the log has no event ${position}`);
    await writes.handle(event);
  }
}
