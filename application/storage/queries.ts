import type { Kind } from '../../domain/shared/kind.js';

export interface SampleFile {
  sampleId: string;
  packId: string;
  title: string;
  packTitle: string;
  creatorId: string;
  creatorName: string;
  originalKey: string;
  contentType: string;
  format: string;
  genre: string;
  mood: string;
  instruments: string[];
  /** 0 if unknown. */
  bpm: number;
  key: string | null;
  durationMs: number;
  kind: Kind;
  hasMidi: boolean;
  hasStems: boolean;
}

export abstract class SampleFileQueries {
  /** Returns files in the given order without unknown ids. Includes withdrawn samples, which their buyers keep. */
  abstract find(sampleIds: readonly string[]): Promise<SampleFile[]>;
  /** Returns the samples of a pack in pack order; undefined if no such pack is on sale. */
  abstract ofPack(packId: string): Promise<string[] | undefined>;
  /** Returns the sample of an id or file address; undefined if it names no sample. */
  abstract resolve(idOrFileUrl: string): Promise<string | undefined>;
  /** Returns whether a user may read an original: its creator, or a buyer who owns it. False once it was taken down. */
  abstract mayRead(userId: string | undefined, originalKey: string): Promise<boolean>;
}

export abstract class PackFolderQueries {
  /** Returns folder names below `Users/{creatorFolder}/Packs`: published packs, and all packs for their creator. */
  abstract visible(creatorFolder: string, userId: string | undefined): Promise<Set<string>>;
}
