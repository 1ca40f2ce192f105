import type * as z from 'zod';
import type { Recording } from '../../../domain/publishing/suspicion.js';
import type { CopiesQuery, CopyCounts, CopyPage, OwnCopies, SuspectedCopy } from './contract.js';

export interface RecordingFacts extends Recording {
  sha256: string;
  packId: string;
  creatorId: string;
  durationMs: number;
  uploadedAt: Date;
  /** When its pack was published; null if never. */
  publishedAt: Date | null;
  /** False if it was removed, replaced or taken down, or its pack was deleted or taken down. */
  isThere: boolean;
  isOnSale: boolean;
}

export abstract class RecordingQueries {
  abstract find(recording: Recording): Promise<RecordingFacts | undefined>;
  /** The present recording of a creator's own sample. */
  abstract ofSample(creatorId: string, sampleId: string): Promise<RecordingFacts | undefined>;
  /** Returns the recording with the same bytes that another creator published first. */
  abstract publishedFirst(of: RecordingFacts): Promise<RecordingFacts | undefined>;
  /** Whether an administrator decided that these two creators do not copy each other. */
  abstract areTogether(oneId: string, otherId: string): Promise<boolean>;
}

export abstract class CopyQueries {
  /** Lists open suspicions by similarity, closest first, or decided suspicions, newest first. */
  abstract list(query: z.infer<typeof CopiesQuery>): Promise<CopyPage>;
  abstract find(copyId: string, now: Date): Promise<SuspectedCopy | undefined>;
  abstract counts(now: Date): Promise<CopyCounts>;
  abstract own(creatorId: string): Promise<OwnCopies>;
  /** Lists the open suspicions of a pack whose recording is gone. */
  abstract gone(of: { packId: string }): Promise<string[]>;
  abstract waitingSince(before: Date): Promise<number>;
}
