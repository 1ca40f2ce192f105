import type * as z from 'zod';
import type { Recording } from '../../../domain/publishing/suspicion.js';
import type { CopiesQuery, CopyCounts, CopyPage, OwnCopies, SuspectedCopy, CopySide } from './contract.js';
import { STRIKES_TO_SUSPENSION } from '../../../domain/publishing/strikes.js';

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
  /** Lists a pack's open suspicions about recordings that were removed, replaced or taken down. */
  abstract gone(of: { packId: string }): Promise<string[]>;
  abstract waitingSince(before: Date): Promise<number>;
}

export function consequencesFor({
  place,
  licences,
  strikes,
  creatorName,
}: Pick<CopySide, 'place' | 'licences' | 'strikes' | 'creatorName'>): SuspectedCopy['consequences'] {
  const stand =
    licences === 0
      ? 'It has no buyers.'
      : `${licences === 1 ? 'The one licence stands' : `The ${licences} licences stand`}.`;
  const back = licences === 0 ? 'It has no buyers.' : `Its buyers (${licences}) get their credits back.`;
  const limit = strikes < STRIKES_TO_SUSPENSION ? ` of ${STRIKES_TO_SUSPENSION}` : '';
  return {
    allow:
      place === 'held'
        ? 'B goes on sale as soon as its pack is. This pair is not shown again.'
        : 'Both stay. This pair is not shown again.',
    refuse: `B goes off sale. ${creatorName} keeps it and reads the reason. ${stand}`,
    takeDown: `B is gone for good, strike ${strikes + 1}${limit}. ${back}`,
  };
}
