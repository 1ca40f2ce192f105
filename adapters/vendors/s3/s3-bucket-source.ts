import type { Readable } from 'node:stream';
import { BucketSource } from '../../../application/publishing/imports/bucket-source.js';
import type { ObjectStorage } from '../../../application/storage/object-storage.js';

export class S3BucketSource implements BucketSource {
  constructor(private readonly storage: ObjectStorage) {}

  async list(options: { prefix: string; limit: number; cursor?: string }) {
    const { objects, prefixes, nextCursor } = await this.storage.list({ ...options, delimiter: '/' });
    return { files: objects, prefixes, ...(nextCursor ? { nextCursor } : {}) };
  }

  async read(key: string): Promise<Readable> {
    return (await this.storage.get(key)).body;
  }
}
