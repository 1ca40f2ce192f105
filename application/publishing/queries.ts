import type * as z from 'zod';
import type { OwnPack, OwnPackPage, OwnSample, OwnSampleAnswer } from './contract.js';

export interface PackPlace {
  creatorFolder: string;
  /** The name of the pack's folder below `Packs/`: its first slug. */
  folder: string;
  genre: string;
  sampleCount: number;
  status: OwnPack['status'] | 'deleted';
  takedownReason: string | null;
}

export interface MirroredPack {
  position: number;
  creatorFolder: string;
  folder: string;
  deleted: boolean;
  document: Record<string, unknown> & {
    samples: Array<
      Record<string, unknown> & {
        durationMs: number;
        originalKey: string;
        stemsKey: string | null;
        midiKey: string | null;
      }
    >;
  };
}

export interface DueRelease {
  packId: string;
  creatorId: string;
  title: string;
  slug: string;
}

export interface SamplePlace {
  packId: string;
  creatorId: string;
}

export abstract class SamplePlaceQueries {
  abstract placeOf(sampleId: string): Promise<SamplePlace | undefined>;
  abstract creatorOf(packId: string): Promise<string | undefined>;
}

export type DuplicateSample = NonNullable<z.infer<typeof OwnSampleAnswer>['duplicateOf']>;

export interface ExportedPack {
  document: MirroredPack['document'];
  /** The original files of the samples in `document`, in the same order. */
  files: Array<{ filename: string; format: string }>;
  coverKey: string | null;
  takedownReason: string | null;
}

/** Reads a creator's own packs, including drafts. Packs of other creators are not found. */
export abstract class OwnPackQueries {
  abstract list(
    creatorId: string,
    page: { limit: number; cursor?: string },
  ): Promise<z.infer<typeof OwnPackPage>>;
  /** Finds a pack by its id or current slug. */
  abstract find(creatorId: string, idOrSlug: string): Promise<OwnPack | undefined>;
  /** Finds a pack by a slug that it had before. */
  abstract findRenamed(creatorId: string, formerSlug: string): Promise<OwnPack | undefined>;
  abstract sample(creatorId: string, packId: string, sampleId: string): Promise<OwnSample | undefined>;
  /** Finds another sample of the creator with the same file, preferably in the same pack. */
  abstract findDuplicate(
    creatorId: string,
    sample: { packId: string; sampleId: string; sha256: string },
  ): Promise<DuplicateSample | undefined>;
  abstract place(creatorId: string, packId: string): Promise<PackPlace | undefined>;
  abstract isPreviewUsed(previewKey: string): Promise<boolean>;
  abstract isOriginalUsed(originalPath: string, packId: string): Promise<boolean>;
  /** Returns the files of a removed sample. Returns none if its pack was ever on sale, because buyers may own them. */
  abstract filesOfNobody(packId: string, sampleId: string): Promise<string[]>;
  /** Returns the name of the creator's folder. Undefined before the creator's first pack. */
  abstract creatorFolder(creatorId: string): Promise<string | undefined>;
  /** Returns those of the covers that a pack of any creator uses. Deleted packs do not count. */
  abstract usedCovers(coverKeys: readonly string[]): Promise<Set<string>>;
  abstract ownCovers(creatorId: string): Promise<string[]>;
  /** Returns the ids of the creator's packs, except deleted ones, which have no `pack.json`. */
  abstract packIds(creatorId: string): Promise<string[]>;
  /** Returns the secret part of the link that shows a pack before its release. @returns undefined for other creators */
  abstract previewLink(creatorId: string, packId: string): Promise<string | undefined>;
  /** @returns false for packs of other creators */
  abstract endPreviewLink(creatorId: string, packId: string): Promise<boolean>;
  /** Lists packs whose release is due, the longest overdue first. */
  abstract dueReleases(now: Date, limit: number): Promise<DueRelease[]>;
  abstract mirrored(packId: string): Promise<MirroredPack | undefined>;
}

export abstract class PackDocumentQueries {
  /** Finds a pack by its id or current slug. Packs of other creators are not found. */
  abstract exported(creatorId: string, idOrSlug: string): Promise<ExportedPack | undefined>;
}
