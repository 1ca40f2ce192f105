import { Injectable } from '@nestjs/common';
import { EventStore } from '../shared/event-store.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';

/** Longer than a healthy journal ever lags; after that, the books answer with what they have. */
const POSTING_WAIT_MS = 2_000;

/** Waits for the journal: what was acknowledged before a question is in its answer. */
@Injectable()
export class Posting {
  constructor(
    private readonly log: EventStore,
    private readonly progress: ReadModelProgress,
  ) {}

  async allPosted(): Promise<void> {
    await this.progress.caughtUp((await this.log.head()).position, POSTING_WAIT_MS);
  }
}
