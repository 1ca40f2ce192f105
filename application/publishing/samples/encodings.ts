import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { WallClock } from '../../shared/clock.js';
import { JobQueue, type JobKind } from '../../shared/job-queue.js';
import { CAPACITY } from '../../shared/lanes/capacity.js';
import type { SampleMeta } from '../contract.js';
import type { UploadOutcome } from '../pack-commands.js';
import type { DuplicateSample } from '../queries.js';
import { OwnPackQueries } from '../queries.js';

export const EncodingName = z.object({ userId: z.string(), packId: z.string(), uploadId: z.string() });
export type EncodingName = z.infer<typeof EncodingName>;

/** What a file becomes: a new sample, or another recording of one. */
export type Becomes = { expectedVersion?: number | undefined } & (
  | { kind: 'new'; meta: z.infer<typeof SampleMeta> }
  | { kind: 'recording'; sampleId: string }
);

/** The same as of an upload, without what is read anew. */
export type EncodingOutcome =
  | { accepted: true; sampleId: string; version: number; duplicateOf: DuplicateSample | null }
  | Extract<UploadOutcome, { accepted: false }>;

/** A stored file, and what it becomes. */
export interface EncodingOrder {
  key: string;
  filename: string;
  becomes: Becomes;
}

export interface Encoding extends EncodingOrder {
  /** null while a job waits or works. */
  outcome: EncodingOutcome | null;
}

export abstract class EncodingStore {
  /** In place of what has that name. */
  abstract save(name: EncodingName, order: EncodingOrder, at: Date): Promise<void>;
  abstract find(name: EncodingName): Promise<Encoding | undefined>;
  /** Keeps what became of the file, unless another one took its place. */
  abstract end(name: EncodingName, key: string, outcome: EncodingOutcome): Promise<void>;
}

/** The analysis of a sound, its preview and its place in the pack: minutes of a processor, so not the request's. */
export const ENCODE: JobKind<EncodingName> = {
  name: 'encode',
  shape: EncodingName,
  isKeyed: true,
  atOnce: CAPACITY.audio.atOnce,
  repeats: 6,
  firstPauseSeconds: 2,
  longestPauseSeconds: 300,
  timeLimitSeconds: 600,
};

/** The first pauses are short, for a short sound takes a moment; later ones spare the database where many wait. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Then the browser asks again; the job goes on. */
const WAIT_LIMIT_MS = 5 * 60_000;

/** Orders files to be encoded, and waits for what becomes of them. */
@Injectable()
export class Encodings {
  constructor(
    private readonly store: EncodingStore,
    private readonly jobs: JobQueue,
    private readonly own: OwnPackQueries,
    private readonly clock: WallClock,
  ) {}

  /** Whether a file of that name needs not be sent again: it waits, or has become what it should. */
  async has(name: EncodingName): Promise<boolean> {
    const known = await this.store.find(name);
    return known !== undefined && known.outcome?.accepted !== false;
  }

  order(name: EncodingName, order: EncodingOrder): Promise<void> {
    return this.store.save(name, order, this.clock.now());
  }

  /**
   * Of a file that was ordered, by whichever node. A job that was given up is begun again.
   * @returns undefined when it takes longer than anybody waits
   */
  async outcomeOf(name: EncodingName): Promise<UploadOutcome | undefined> {
    const { userId, packId, uploadId } = name;
    const until = performance.now() + WAIT_LIMIT_MS;
    for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs *= 1.3) {
      const known = await this.store.find(name);
      if (!known) return undefined;
      if (known.outcome) return this.answered(name, known.outcome);
      if (pauseMs === FIRST_PAUSE_MS)
        await this.jobs.send(ENCODE, [{ data: name, key: `${userId}/${packId}/${uploadId}` }]);
      await pause(Math.min(pauseMs, LONGEST_PAUSE_MS));
    }
    return undefined;
  }

  private async answered({ userId, packId }: EncodingName, outcome: EncodingOutcome): Promise<UploadOutcome> {
    if (!outcome.accepted) return outcome;
    const { sampleId, version, duplicateOf } = outcome;
    const sample = await this.own.sample(userId, packId, sampleId);
    if (!sample) return { accepted: false, rejection: { code: 'NotFound' } };
    return { accepted: true, sample, version, duplicateOf };
  }
}
