import { Inject, Injectable, Optional } from '@nestjs/common';
import { WallClock } from '../../shared/clock.js';
import { MultipartUploads } from '../../storage/multipart-uploads.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { UPLOADS_PREFIX } from './direct-uploads.js';

/** How long an upload can be resumed. */
const KEPT_MS = 7 * 86_400_000;

/** Removes uploads from the storage that never became part of a sample. */
@Injectable()
export class UnfinishedUploads {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly clock: WallClock,
    @Optional() @Inject(MultipartUploads) private readonly multipart: MultipartUploads | null,
  ) {}

  /** @returns how many were removed; at most a thousand of each kind, the next run removes more */
  async sweep(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const begun = (await this.multipart?.begunBefore(before, UPLOADS_PREFIX)) ?? [];
    for (const upload of begun) await this.multipart?.abort(upload);
    const { objects } = await this.storage.list({ prefix: UPLOADS_PREFIX });
    const old = objects.filter(({ lastModified }) => lastModified < before);
    for (const { key } of old) await this.storage.delete(key);
    return begun.length + old.length;
  }
}
