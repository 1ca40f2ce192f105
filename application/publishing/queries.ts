import type * as z from 'zod';
import type { CreatorState, OwnPack, OwnPackPage, OwnSample } from './contract.js';

/** The folder of a pack's files, and its creator's name in it. */
export interface PackPlace {
  packId: string;
  creatorId: string;
  creatorFolder: string;
  /** The pack's own folder below `Packs/`: its first slug. */
  folder: string;
  name: string;
  genre: string;
  sampleCount: number;
  status: OwnPack['status'] | 'deleted';
  takedownReason: string | null;
}

/** The content of `pack.json`, before it is written. */
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

/** The pack of a sample, removed or not, and whose it is. */
export interface SamplePlace {
  packId: string;
  creatorId: string;
}

export abstract class SamplePlaceQueries {
  abstract placeOf(sampleId: string): Promise<SamplePlace | undefined>;
  abstract creatorOf(packId: string): Promise<string | undefined>;
}

/** A sample with the same bytes as another. */
export interface DuplicateSample {
  sampleId: string;
  name: string;
  packId: string;
  packTitle: string;
}

/** A pack with everything that belongs to it, to be taken away. */
export interface ExportedPack {
  document: MirroredPack['document'];
  /** The files of the document's samples, in its order. */
  files: Array<{
    filename: string;
    format: string;
  }>;
  coverKey: string | null;
  takedownReason: string | null;
}

/** A creator's packs, drafts included; other people's are absent. */
export abstract class OwnPackQueries {
  abstract list(
    creatorId: string,
    page: { limit: number; cursor?: string },
  ): Promise<z.infer<typeof OwnPackPage>>;
  /** By id, or by the present slug. */
  abstract find(creatorId: string, idOrSlug: string): Promise<OwnPack | undefined>;
  /** By a slug that the pack had before. */
  abstract findRenamed(creatorId: string, formerSlug: string): Promise<OwnPack | undefined>;
  abstract sample(creatorId: string, packId: string, sampleId: string): Promise<OwnSample | undefined>;
  /** The creator's other samples with the same bytes, those of the same pack first. */
  abstract findDuplicate(
    creatorId: string,
    sample: { packId: string; sampleId: string; sha256: string },
  ): Promise<DuplicateSample | undefined>;
  abstract place(creatorId: string, packId: string): Promise<PackPlace | undefined>;
  /** Whether any sample plays this preview now. */
  abstract isPreviewUsed(previewKey: string): Promise<boolean>;
  /** Whether a sample of the pack has this original now. */
  abstract isOriginalUsed(originalPath: string, packId: string): Promise<boolean>;
  /** Keys of a removed sample's own files, if its pack was never on sale and nobody downloaded it; else none. */
  abstract filesOfNobody(packId: string, sampleId: string): Promise<string[]>;
  /** The creator's folder below `Users/`; undefined before the first pack. */
  abstract creatorFolder(creatorId: string): Promise<string | undefined>;
  /** Which of these covers a pack of anybody's shows, deleted ones aside. */
  abstract usedCovers(coverKeys: readonly string[]): Promise<Set<string>>;
  /** Keys of the covers that the creator's packs show. */
  abstract ownCovers(creatorId: string): Promise<string[]>;
  /** Every pack of the creator that has a `pack.json`. */
  abstract packIds(creatorId: string): Promise<string[]>;
  abstract mirrored(packId: string): Promise<MirroredPack | undefined>;
}

export abstract class CreatorQueries {
  abstract state(userId: string): Promise<CreatorState>;
  /** Whether models may be trained with their sounds. */
  abstract allowsTraining(userId: string): Promise<boolean>;
}

export abstract class PackDocumentQueries {
  /** By id, or by the present slug; other people's packs are absent. */
  abstract exported(creatorId: string, idOrSlug: string): Promise<ExportedPack | undefined>;
}
