import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { inParallel } from '../shared/in-parallel.js';
import { ObjectStorage } from '../storage/object-storage.js';
import type { Breach } from './queries.js';

const AT_ONCE = 8;
/** The number of newest files whose size `glance` checks. */
const GLANCED_AT = 1_000;
/** The maximum number of files that one call of `slice` reads. */
const SLICE = 1_000;
const FAULTS_TOLD = 1_000;
const WEEK_MS = 7 * 86_400_000;

export interface FileOnSale {
  sampleId: string;
  key: string;
  sizeBytes: number;
  sha256: string;
}

/** `fault` is null if the file is intact. */
export type FileRead = FileOnSale & { fault: string | null };

/** `new`: files whose current version was never read. `faulty`: files in which the last read found a fault. */
export type FileSelection = 'all' | 'new' | 'faulty';

export abstract class FilesOnSale {
  abstract newest(limit: number): Promise<FileOnSale[]>;
  /** Lists files in the order of their sample ids. */
  abstract page(which: FileSelection, options: { after: string; limit: number }): Promise<FileOnSale[]>;
  /** Lists files that were last read before a time. The file that was read longest ago comes first. */
  abstract readBefore(time: Date, limit: number): Promise<FileOnSale[]>;
  abstract keep(read: readonly FileRead[], at: Date): Promise<void>;
  abstract faults(limit: number): Promise<{ sampleId: string; fault: string }[]>;
  /**
   * Returns when the least recently read file was read: `now` if there are no files, undefined if a file was never
   * read.
   */
  abstract allReadSince(now: Date): Promise<Date | undefined>;
  abstract forgetGone(): Promise<void>;
}

/** Checks the files of samples on sale: new and faulty files in each check, and every file once a week. */
@Injectable()
export class PublishedFiles {
  constructor(
    private readonly onSale: FilesOnSale,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Checks the size of the newest files without reading them, and reports the faults that earlier reads found. */
  async glance(files = GLANCED_AT): Promise<Breach[]> {
    const looked = await this.atOnce(await this.onSale.newest(files), (file) => this.sizeFault(file));
    return this.breaches(looked.filter(({ fault }) => fault !== null));
  }

  async check(signal?: AbortSignal): Promise<Breach[]> {
    await this.onSale.forgetGone();
    await this.readAll('new', signal);
    await this.readAll('faulty', signal);
    await this.read(await this.onSale.readBefore(this.clock.now(), SLICE), signal);
    return this.breaches();
  }

  async checkAll(signal?: AbortSignal): Promise<Breach[]> {
    await this.onSale.forgetGone();
    await this.readAll('all', signal);
    return this.breaches();
  }

  /** Reads some of the files that were never read, or not for a week. @returns the number of files read */
  async slice(signal?: AbortSignal): Promise<number> {
    const unread = await this.onSale.page('new', { after: '', limit: SLICE });
    const weekAgo = new Date(this.clock.now().getTime() - WEEK_MS);
    const due = [...unread, ...(await this.onSale.readBefore(weekAgo, SLICE - unread.length))];
    await this.read(due, signal);
    return due.length;
  }

  allReadSince(): Promise<Date | undefined> {
    return this.onSale.allReadSince(this.clock.now());
  }

  private async readAll(which: FileSelection, signal: AbortSignal | undefined): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await this.onSale.page(which, { after, limit: SLICE });
      await this.read(page, signal);
      after = page.length === SLICE ? page.at(-1)?.sampleId : undefined;
    }
  }

  private async read(files: readonly FileOnSale[], signal: AbortSignal | undefined): Promise<void> {
    const read = await this.atOnce(files, (file) => {
      signal?.throwIfAborted();
      return this.fault(file);
    });
    await this.onSale.keep(read, this.clock.now());
  }

  private async atOnce(
    files: readonly FileOnSale[],
    faultOf: (file: FileOnSale) => Promise<string | null>,
  ): Promise<FileRead[]> {
    const done: FileRead[] = [];
    await inParallel(files, AT_ONCE, async (file) => {
      done.push({ ...file, fault: await faultOf(file) });
    });
    return done;
  }

  private async fault(file: FileOnSale): Promise<string | null> {
    const fault = await this.sizeFault(file);
    if (fault) return fault;
    return (await this.hash(file.key)) === file.sha256 ? null : 'has a file with other bytes';
  }

  private async sizeFault({ key, sizeBytes }: FileOnSale): Promise<string | null> {
    const object = await this.storage.head(key);
    if (!object) return 'has no file';
    return object.sizeBytes === sizeBytes
      ? null
      : `has a file of ${object.sizeBytes} bytes, not ${sizeBytes}`;
  }

  private async hash(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of (await this.storage.get(key)).body) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  private async breaches(seen: readonly FileRead[] = []): Promise<Breach[]> {
    const faults = new Map<string, string | null>(seen.map(({ sampleId, fault }) => [sampleId, fault]));
    for (const { sampleId, fault } of await this.onSale.faults(FAULTS_TOLD)) faults.set(sampleId, fault);
    return [...faults].map(([sampleId, fault]) => ({ invariant: 21, detail: `sample ${sampleId} ${fault}` }));
  }
}
