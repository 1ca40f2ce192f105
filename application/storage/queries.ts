/** What the download of a sample's original needs. */
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
  hasMidi: boolean;
  hasStems: boolean;
}

export abstract class SampleFileQueries {
  /** In the given order, without unknown ids. Withdrawn samples are found too, because their buyers keep them. */
  abstract find(sampleIds: readonly string[]): Promise<SampleFile[]>;
  /** The samples of a published pack, in pack order; undefined when there is no such pack on sale. */
  abstract ofPack(packId: string): Promise<string[] | undefined>;
  /** Reads an id or the address of a file; undefined when it names no sample. */
  abstract resolve(idOrFileUrl: string): Promise<string | undefined>;
  /** Whether this user may have the original: the owner of the pack, or an owner of the sample. */
  abstract mayRead(userId: string | undefined, originalKey: string): Promise<boolean>;
}

/** The folders of packs that a caller may know about. */
export abstract class PackFolderQueries {
  /** Folder names below `Users/{creatorFolder}/Packs`: published packs, and to their creator all that exist. */
  abstract visible(creatorFolder: string, userId: string | undefined): Promise<Set<string>>;
}
