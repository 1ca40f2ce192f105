import { Injectable } from '@nestjs/common';
import { EventStore } from '../shared/event-store.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';

/** A command that needs the newest balances waits this long for the journal to post all events. */
export const POSTING_LIMIT_MS = 30_000;

/** A query waits this long for the journal. After that, its answer may lack the newest events. */
const POSTING_WAIT_MS = 2_000;

/**
 * Waits until the journal has posted every event that was acknowledged before the request, at most
 * `POSTING_WAIT_MS`.
 */
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
