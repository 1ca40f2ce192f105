import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  assertKeyPrefix,
  assertObjectKey,
  type ListOptions,
} from '../../../application/storage/object-storage.js';
import type { BucketSource, SourceFile } from '../../../application/publishing/imports/bucket-source.js';

/** Reads a copy of a bucket from a folder. Skips links, because they could lead out of the folder. */
export class FolderSource implements BucketSource {
  constructor(private readonly root: string) {}

  /** Lists one level of keys below a prefix, which is empty or ends in `/`. */
  async list({ prefix, limit, cursor }: ListOptions) {
    assertKeyPrefix(prefix);
    const folder = join(this.root, prefix);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && prefix !== '') return [];
      throw error;
    });
    // Sorts as S3 does: by the whole key, in which a folder ends in `/`.
    const rest = entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => prefix + entry.name + (entry.isDirectory() ? '/' : ''))
      .filter((key) => !cursor || key > cursor)
      .sort((a, b) => (a < b ? -1 : 1));
    const page = rest.slice(0, limit);
    const objects: SourceFile[] = [];
    for (const key of page.filter((each) => !each.endsWith('/'))) {
      const { size, mtime } = await stat(join(this.root, key));
      objects.push({ key, sizeBytes: size, lastModified: mtime });
    }
    const prefixes = page.filter((each) => each.endsWith('/'));
    return { objects, prefixes, nextCursor: rest.length > page.length ? page.at(-1) : undefined };
  }

  async get(key: string): Promise<{ body: Readable }> {
    assertObjectKey(key);
    return { body: createReadStream(join(this.root, key)) };
  }
}
