import type * as z from 'zod';
import type { Recording } from '../../../domain/publishing/suspicion.js';
import type { CopiesQuery, CopyCounts, CopyPage, OwnCopies, SuspectedCopy } from './contract.js';

/** What is known of a recording that may be a copy, or may have been copied. */
export interface RecordingFacts extends Recording {
  /** Of the original's bytes. */
  sha256: string;
  packId: string;
  creatorId: string;
  durationMs: number;
  uploadedAt: Date;
  /** Of its pack; null: never. */
  publishedAt: Date | null;
  /** It was neither removed nor replaced, nor was its pack deleted or taken down. */
  isThere: boolean;
  isOnSale: boolean;
}

export abstract class RecordingQueries {
  abstract find(recording: Recording): Promise<RecordingFacts | undefined>;
  /** The present recording of a creator's own sample. */
  abstract ofSample(creatorId: string, sampleId: string): Promise<RecordingFacts | undefined>;
  /** What another creator published of the same bytes first. */
  abstract publishedFirst(of: RecordingFacts): Promise<RecordingFacts | undefined>;
  /** Whether it was decided that these two creators do not copy each other. */
  abstract areTogether(oneId: string, otherId: string): Promise<boolean>;
}

/** Suspected copies, for who decides about them. */
export abstract class CopyQueries {
  /** The closest first, or the newest decision first. */
  abstract list(query: z.infer<typeof CopiesQuery>): Promise<CopyPage>;
  abstract find(copyId: string, now: Date): Promise<SuspectedCopy | undefined>;
  abstract counts(now: Date): Promise<CopyCounts>;
  /** What a creator's sounds are part of, newest first. */
  abstract own(creatorId: string): Promise<OwnCopies>;
  /** Open ones whose recording is gone. @param of.packId those of its pack */
  abstract gone(of: { packId: string }): Promise<string[]>;
  /** How many wait since before a moment. */
  abstract waitingSince(before: Date): Promise<number>;
}
