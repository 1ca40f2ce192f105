import type { DownloadPage } from '../library/contract.js';

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

/** A sample that the user owns, with all its attachments. */
export interface OwnedFile extends SampleFile {
  certificateId: string;
  /** Of the present original. */
  sha256: string;
  /** 0 when unknown. */
  bpm: number;
  key: string | null;
  takenDown: boolean;
  /** Null if the creator attached none. */
  stemsKey: string | null;
  midiKey: string | null;
}

export abstract class OwnedFileQueries {
  /** In the order asked for; what this user does not own is left out. */
  abstract find(userId: string, sampleIds: readonly string[]): Promise<OwnedFile[]>;
}

/** What one user owns, newest first. */
export abstract class DownloadedSampleQueries {
  abstract list(userId: string, page: { limit: number; cursor?: string }): Promise<DownloadPage>;
}
