import { Injectable } from '@nestjs/common';
import { EventStore } from '../shared/event-store.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';

/** How long a decision that depends on the books waits for the journal. */
export const POSTING_LIMIT_MS = 30_000;

/** A query waits this long for the journal. After that, its answer may lack the newest events. */
const POSTING_WAIT_MS = 2_000;

/** Waits for the journal, so that an answer contains every event that was acknowledged before the request. */
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
