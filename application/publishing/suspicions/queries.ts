import type * as z from 'zod';
import type { Recording } from '../../../domain/publishing/suspicion.js';
import type { CopiesQuery, CopyCounts, CopyPage, OwnCopies, SuspectedCopy } from './contract.js';

export interface RecordingFacts extends Recording {
  sha256: string;
  packId: string;
  creatorId: string;
  durationMs: number;
  uploadedAt: Date;
  /** When the recording's pack was published; null if never. */
  publishedAt: Date | null;
  /** False if the recording was removed, replaced or taken down, or its pack was deleted or taken down. */
  isThere: boolean;
  isOnSale: boolean;
}

export abstract class RecordingQueries {
  abstract find(recording: Recording): Promise<RecordingFacts | undefined>;
  /** Finds the current recording of a sample. Samples of other creators are not found. */
  abstract ofSample(creatorId: string, sampleId: string): Promise<RecordingFacts | undefined>;
  /** Returns the recording with the same bytes that another creator published first. */
  abstract publishedFirst(of: RecordingFacts): Promise<RecordingFacts | undefined>;
  /** Returns whether an administrator decided that these two creators do not copy each other. */
  abstract areTogether(oneId: string, otherId: string): Promise<boolean>;
}

export abstract class CopyQueries {
  /** Lists open suspicions by similarity, closest first, or decided suspicions, newest first. */
  abstract list(query: z.infer<typeof CopiesQuery>): Promise<CopyPage>;
  abstract find(copyId: string, now: Date): Promise<SuspectedCopy | undefined>;
  abstract counts(now: Date): Promise<CopyCounts>;
  abstract own(creatorId: string): Promise<OwnCopies>;
  /** Lists a pack's open suspicions about recordings that were removed, replaced or taken down. */
  abstract gone(of: { packId: string }): Promise<string[]>;
  abstract waitingSince(before: Date): Promise<number>;
}
