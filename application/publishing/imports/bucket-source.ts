import type { Readable } from 'node:stream';

export interface SourceFile {
  key: string;
  sizeBytes: number;
  lastModified: Date;
}

/** A read-only bucket, or a folder with a copy of one. */
export abstract class BucketSource {
  /** Lists one level below a prefix, in key order. Prefixes are empty or end in `/`. */
  abstract list(options: {
    prefix: string;
    limit: number;
    cursor?: string;
  }): Promise<{ files: SourceFile[]; prefixes: string[]; nextCursor?: string }>;
  /** @throws Error if the file is missing or unreadable */
  abstract read(key: string): Promise<Readable>;
}
