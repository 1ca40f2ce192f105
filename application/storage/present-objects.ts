import { Injectable } from '@nestjs/common';
import { keepNewest } from '../shared/keep-newest.js';
import { ObjectStorage } from './object-storage.js';

/** The largest number of cached keys: about ten megabytes. */
const LIMIT = 100_000;
const LIFETIME_MS = 10 * 60_000;
const ASKED_AT_ONCE = 16;

/** Caches which objects exist. Originals have unique keys, and are not deleted while they can be bought. */
@Injectable()
export class PresentObjects {
  private readonly seenMs = new Map<string, number>();
  private deleted = 0;

  constructor(private readonly storage: ObjectStorage) {
    storage.onDelete((key) => {
      this.deleted += 1;
      this.seenMs.delete(key);
    });
  }

  /** Returns the keys without an object. @throws StorageUnavailable if a key is not cached and the storage is away */
  async missing(keys: readonly string[]): Promise<Set<string>> {
    const unknown = keys.filter((key) => !this.wasSeen(key));
    const missing = new Set<string>();
    for (let at = 0; at < unknown.length; at += ASKED_AT_ONCE) {
      const part = unknown.slice(at, at + ASKED_AT_ONCE);
      const answers = await Promise.all(part.map((key) => this.look(key)));
      part.forEach((key, index) => answers[index] || missing.add(key));
    }
    return missing;
  }

  private wasSeen(key: string): boolean {
    const seenMs = this.seenMs.get(key);
    return seenMs !== undefined && performance.now() - seenMs < LIFETIME_MS;
  }

  private async look(key: string): Promise<boolean> {
    const { deleted } = this;
    if (!(await this.storage.head(key))) return false;
    // If any object was deleted during the request, do not cache: it may be this object.
    if (deleted === this.deleted) keepNewest(this.seenMs, key, performance.now(), LIMIT);
    return true;
  }
}
