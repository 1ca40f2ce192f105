import { setTimeout as pause } from 'node:timers/promises';
import { reject } from '../../../domain/shared/decision.js';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { WallClock } from '../../shared/clock.js';
import { JobQueue, type JobKind } from '../../shared/job-queue.js';
import { CAPACITY } from '../../shared/lanes.js';
import type { SampleMeta } from '../contract.js';
import type { UploadOutcome } from './sample-uploads.js';
import { type DuplicateSample, OwnPackQueries } from '../queries.js';

export const EncodingName = z.object({ userId: z.string(), packId: z.string(), uploadId: z.string() });
export type EncodingName = z.infer<typeof EncodingName>;

export type Becomes = { expectedVersion?: number | undefined } & (
  | { kind: 'new'; meta: z.infer<typeof SampleMeta> }
  | { kind: 'recording'; sampleId: string }
);

/** The stored outcome of an upload. Has only the id of the sample, which `outcomeOf` then reads. */
export type EncodingOutcome =
  | { accepted: true; sampleId: string; version: number; duplicateOf: DuplicateSample | null }
  | Extract<UploadOutcome, { accepted: false }>;

export interface EncodingOrder {
  key: string;
  filename: string;
  becomes: Becomes;
}

export interface Encoding extends EncodingOrder {
  /** Null while the job waits or runs. */
  outcome: EncodingOutcome | null;
}

export abstract class EncodingStore {
  abstract save(name: EncodingName, order: EncodingOrder, at: Date): Promise<void>;
  abstract find(name: EncodingName): Promise<Encoding | undefined>;
  /** Stores the outcome of the file `key`. Does nothing if a later upload has replaced the file. */
  abstract end(name: EncodingName, key: string, outcome: EncodingOutcome): Promise<void>;
}

/** The job that analyses a sound, makes its preview and adds it to the pack, which can take minutes. */
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

/**
 * The pause between two reads of the outcome. The first pause is short, because short sounds are encoded at once.
 * Later pauses are longer, to read the database less often.
 */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** After this time the server answers that the browser should ask again. The job continues. */
const WAIT_LIMIT_MS = 5 * 60_000;

@Injectable()
export class Encodings {
  constructor(
    private readonly store: EncodingStore,
    private readonly jobs: JobQueue,
    private readonly own: OwnPackQueries,
    private readonly clock: WallClock,
  ) {}

  /** Returns whether this upload is being encoded or was encoded, so that the browser need not send it again. */
  async has(name: EncodingName): Promise<boolean> {
    const known = await this.store.find(name);
    return known !== undefined && known.outcome?.accepted !== false;
  }

  order(name: EncodingName, order: EncodingOrder): Promise<void> {
    return this.store.save(name, order, this.clock.now());
  }

  /** Sends the job of an upload and waits for its outcome. @returns undefined if no file is stored or time is up */
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
    if (!sample) return reject({ code: 'NotFound' });
    return { accepted: true, sample, version, duplicateOf };
  }
}
