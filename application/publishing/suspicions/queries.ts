import type * as z from 'zod';
import type { Recording } from '../../../domain/publishing/suspicion.js';
import type { CopiesQuery, CopyCounts, CopyPage, OwnCopies, SuspectedCopy } from './contract.js';

export interface RecordingFacts extends Recording {
  sha256: string;
  packId: string;
  creatorId: string;
  durationMs: number;
  uploadedAt: Date;
  /** When the pack of the recording was published. Null if never. */
  publishedAt: Date | null;
  /** False if the recording was removed, replaced or taken down, or its pack was deleted or taken down. */
  isThere: boolean;
  isOnSale: boolean;
}

export abstract class RecordingQueries {
  abstract find(recording: Recording): Promise<RecordingFacts | undefined>;
  /** Finds the current recording of a creator's own sample. Samples of other creators are not found. */
  abstract ofSample(creatorId: string, sampleId: string): Promise<RecordingFacts | undefined>;
  /** Returns the recording with the same file that another creator published first. */
  abstract publishedFirst(of: RecordingFacts): Promise<RecordingFacts | undefined>;
  /** Returns whether an administrator decided not to suspect pairs of these two creators. */
  abstract areTogether(oneId: string, otherId: string): Promise<boolean>;
}

export abstract class CopyQueries {
  /** Lists open suspicions, closest match first, or decided suspicions, newest first. */
  abstract list(query: z.infer<typeof CopiesQuery>): Promise<CopyPage>;
  abstract find(copyId: string, now: Date): Promise<SuspectedCopy | undefined>;
  abstract counts(now: Date): Promise<CopyCounts>;
  abstract own(creatorId: string): Promise<OwnCopies>;
  /** Lists open suspicions of a pack whose recordings were removed, replaced or taken down. */
  abstract gone(of: { packId: string }): Promise<string[]>;
  abstract waitingSince(before: Date): Promise<number>;
}
