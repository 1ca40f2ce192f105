import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { keepNewest } from '../shared/keep-newest.js';
import { ObjectMissing, ObjectStorage, type ObjectBody, type ObjectInfo } from '../storage/object-storage.js';
import type { MediaUse } from './uses.js';

const KEPT_LIMIT_BYTES = 64 * 1024 * 1024;
/** Larger files are not cached. Every preview and cover is smaller. */
const FILE_LIMIT_BYTES = 4 * 1024 * 1024;

const USES_LIMIT = 20_000;

interface Kept {
  info: ObjectInfo;
  body: Buffer;
}

/** Files too large for the cache have no body. */
type Found = Pick<Kept, 'info'> & Partial<Kept>;

/**
 * Keeps recently used files, so that the site can serve them while the object storage is
 * unavailable. Does not check access.
 */
@Injectable()
export class MediaMemory implements Pick<ObjectStorage, 'head' | 'get'> {
  /** In order of use, most recently used last. */
  private readonly kept = new Map<string, Kept>();
  private keptBytes = 0;
  private readonly open = new Map<string, MediaUse>();
  private readonly loading = new Map<string, Promise<Found>>();

  constructor(private readonly storage: ObjectStorage) {
    storage.onDelete((key) => this.forget(key));
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    try {
      return (await this.load(key)).info;
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  async get(key: string, range?: { start: number; end?: number }): Promise<ObjectBody> {
    const { info, body } = await this.load(key);
    if (!body) return this.storage.get(key, range);
    if (!range) return { ...info, body: Readable.from([body]) };
    const { start, end = info.sizeBytes - 1 } = range;
    return { ...info, range: { start, end }, body: Readable.from([body.subarray(start, end + 1)]) };
  }

  note(key: string, use: MediaUse): void {
    if (use.access === 'everybody') keepNewest(this.open, key, use, USES_LIMIT);
    else this.open.delete(key);
  }

  noted(key: string): MediaUse | undefined {
    return this.open.get(key);
  }

  private load(key: string): Promise<Found> {
    const kept = this.kept.get(key);
    if (kept) {
      this.kept.delete(key);
      this.kept.set(key, kept);
      return Promise.resolve(kept);
    }
    const loading = this.loading.get(key) ?? this.fetch(key).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  private async fetch(key: string): Promise<Found> {
    const { body, ...info } = await this.storage.get(key);
    if (info.sizeBytes > FILE_LIMIT_BYTES) {
      body.destroy();
      return { info };
    }
    const kept = { info, body: await buffer(body) };
    this.keep(key, kept);
    return kept;
  }

  private keep(key: string, kept: Kept): void {
    this.forget(key);
    this.kept.set(key, kept);
    this.keptBytes += kept.body.length;
    for (const oldest of this.kept.keys()) {
      if (this.keptBytes <= KEPT_LIMIT_BYTES) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.keptBytes -= this.kept.get(key)?.body.length ?? 0;
    this.kept.delete(key);
  }
}
