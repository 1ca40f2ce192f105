import type { Readable } from 'node:stream';

export type ArchiveEntry = { name: string; modifiedAt: Date } & (
  | { bytes: Buffer }
  /** Opened when the archive reaches it, so that only one file is open at a time. The size may be unknown before. */
  | { sizeBytes: number | undefined; open: () => Promise<Readable> }
  /** Made when the archive reaches it, so its size is unknown before. */
  | { make: () => Promise<Buffer> }
);

export interface Archive {
  /** Reads each file only when the consumer asks for more data. Destroying the stream closes the open file. */
  body: Readable;
  /** Undefined if an entry of unknown size is made while the archive is sent. */
  sizeBytes: number | undefined;
}

/** Packs files into one archive without compression, because audio does not shrink. */
export abstract class Archiver {
  abstract pack(entries: readonly ArchiveEntry[]): Promise<Archive>;
}
