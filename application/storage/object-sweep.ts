import { Injectable } from '@nestjs/common';
import { WallClock } from '../shared/clock.js';
import { ObjectStorage, pagesOf, type ListedObject } from './object-storage.js';
import { UnreferencedObjects } from './unreferenced-objects.js';

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 1_000;

/** Prefixes of the objects of samples and packs. Other contexts remove their own objects. */
const PREFIXES = ['Users/', 'media/previews/', 'media/covers/'];
const SWEPT = /^(Users\/[^/]+\/Packs\/[^/]+\/(samples|stems|midi)\/[^/]+|media\/(previews|covers)\/[^/]+)$/;

export interface SweepReport {
  looked: number;
  /** Objects without a reference. The sweep removes them if they still have no reference a day later. */
  noted: number;
  removed: number;
  removedBytes: number;
}

/** Removes objects that had no reference for a day: leftovers of uploads, and files that no user can access. */
@Injectable()
export class ObjectSweep {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly objects: UnreferencedObjects,
    private readonly clock: WallClock,
  ) {}

  /** Runs once a day, whichever worker calls first. @returns undefined if no run is due */
  async daily(signal?: AbortSignal): Promise<SweepReport | undefined> {
    const now = this.clock.now();
    return (await this.objects.takeTurn(now, new Date(now.getTime() - DAY_MS)))
      ? this.run(signal)
      : undefined;
  }

  async run(signal?: AbortSignal): Promise<SweepReport> {
    const now = this.clock.now();
    const dayAgo = new Date(now.getTime() - DAY_MS);
    const report: SweepReport = { looked: 0, noted: 0, removed: 0, removedBytes: 0 };
    const gone = new Set(await this.objects.noted());
    for await (const { looked, unreferenced } of this.pages(({ lastModified }) => lastModified < dayAgo)) {
      signal?.throwIfAborted();
      report.looked += looked;
      for (const { key } of unreferenced) gone.delete(key);
      await this.objects.note(unreferenced, now);
    }
    await this.objects.forget([...gone]);
    for (const { key, sizeBytes } of await this.objects.notedBefore(dayAgo, REMOVED_AT_ONCE)) {
      if (!(await this.objects.removing(key, () => this.storage.delete(key)))) continue;
      report.removed += 1;
      report.removedBytes += sizeBytes;
    }
    report.noted = (await this.objects.noted()).length;
    return report;
  }

  /** Lists objects without a reference that were stored since a time, such as the last event of a restored backup. */
  async storedSince(since: Date): Promise<ListedObject[]> {
    const found: ListedObject[] = [];
    for await (const { unreferenced } of this.pages(({ lastModified }) => lastModified >= since))
      found.push(...unreferenced);
    return found;
  }

  private async *pages(
    isMeant: (object: ListedObject) => boolean,
  ): AsyncGenerator<{ looked: number; unreferenced: ListedObject[] }> {
    for (const prefix of PREFIXES)
      for await (const { objects } of pagesOf(this.storage, { prefix })) {
        const meant = objects.filter((object) => SWEPT.test(object.key) && isMeant(object));
        const keys = await this.objects.among(meant.map(({ key }) => key));
        yield { looked: meant.length, unreferenced: meant.filter(({ key }) => keys.has(key)) };
      }
  }
}
