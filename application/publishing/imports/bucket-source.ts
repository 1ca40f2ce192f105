import type { Readable } from 'node:stream';

export interface SourceFile {
  key: string;
  sizeBytes: number;
  lastModified: Date;
}

/** A bucket, or a folder that is a copy of one, to be read and never changed. */
export abstract class BucketSource {
  /**
   * One level below a prefix that is empty or ends in `/`, in key order.
   * @returns prefixes end in `/`
   */
  abstract list(options: {
    prefix: string;
    limit: number;
    cursor?: string;
  }): Promise<{ files: SourceFile[]; prefixes: string[]; nextCursor?: string }>;
  /** @throws when there is no such file, or it cannot be read */
  abstract read(key: string): Promise<Readable>;
}
