import { Injectable } from '@nestjs/common';
import type { Recorded, Reactor } from '../../shared/event-store.js';
import { Clock } from '../../shared/clock.js';
import { JobQueue } from '../../shared/job-queue.js';
import type { PackEvent } from '../../../domain/publishing/pack-messages.js';
import { OLD_SOUND, SOUND, soundJob } from './copy-check.js';

const NEW_MS = 3_600_000;

type Uploaded = Extract<PackEvent, { type: 'SampleAdded' | 'SampleAudioReplaced' }>;

/** Comparisons are slow and need retries, so jobs make them: they must not delay the log. */
@Injectable()
export class CompareSounds implements Reactor<Uploaded> {
  readonly name = 'sound-comparisons';
  readonly streamsAtOnce = 8;
  readonly types = ['SampleAdded', 'SampleAudioReplaced'] as const;

  constructor(
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  handle(event: Recorded<Uploaded>): Promise<void> {
    return this.handleAll([event]);
  }

  async handleAll(events: readonly Recorded<Uploaded>[]): Promise<void> {
    const newSince = new Date(this.clock.now().getTime() - NEW_MS).toISOString();
    for (const [kind, isNew] of [
      [SOUND, true],
      [OLD_SOUND, false],
    ] as const) {
      const sounds = events.filter(({ data }) => data.at > newSince === isNew);
      if (sounds.length > 0)
        await this.jobs.send(
          kind,
          sounds.map(({ data }) => soundJob(data)),
        );
    }
  }
}
