import { Injectable } from '@nestjs/common';
import { EventStore } from '../shared/event-store.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';

/** What is decided by the books waits for them this long. */
export const POSTING_LIMIT_MS = 30_000;

/** Longer than a healthy journal lags; after it the books answer with what is posted. */
const POSTING_WAIT_MS = 2_000;

/** Waits for the journal, so that an answer contains every event acknowledged before its question. */
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
