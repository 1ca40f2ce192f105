import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import type { Breach } from './audit-log.js';

const AT_ONCE = 8;
/** Of the newest files a glance asks for the size. */
const GLANCED_AT = 1_000;
/** Read whole in one piece of work. */
const SLICE = 1_000;
const FAULTS_TOLD = 1_000;
const WEEK_MS = 7 * 86_400_000;

/** The original of a sample on sale, as it was uploaded. */
export interface FileOnSale {
  sampleId: string;
  key: string;
  sizeBytes: number;
  sha256: string;
}

/** `fault`: what is wrong with it; null if it is whole. */
export type FileRead = FileOnSale & { fault: string | null };

/** Which files are looked at: each that is on sale, those never read as what they are now, or those found wrong. */
export type FileSelection = 'all' | 'new' | 'faulty';

/** Files of samples on sale, and when each was last read whole. */
export abstract class FilesOnSale {
  abstract newest(limit: number): Promise<FileOnSale[]>;
  /** In order of the sample's id. */
  abstract page(which: FileSelection, options: { after: string; limit: number }): Promise<FileOnSale[]>;
  /** Read longest ago first. */
  abstract readBefore(time: Date, limit: number): Promise<FileOnSale[]>;
  abstract keep(read: readonly FileRead[], at: Date): Promise<void>;
  /** What was wrong with a file when it was read last; so many at most. */
  abstract faults(limit: number): Promise<{ sampleId: string; fault: string }[]>;
  /** Every file on sale was read since; undefined while one never was. Now, if there is none. */
  abstract allReadSince(now: Date): Promise<Date | undefined>;
  /** Forgets samples that are gone. */
  abstract forgetGone(): Promise<void>;
}

/**
 * Whether what is on sale can be delivered as it was uploaded. Each file is read whole as soon as it is new, and again
 * within a week, in slices. One that was found wrong is read in each check until it is whole.
 */
@Injectable()
export class PublishedFiles {
  constructor(
    private readonly onSale: FilesOnSale,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Reads none: the newest must be there in their size, and the last reading of each must have found it whole. */
  async glance(files = GLANCED_AT): Promise<Breach[]> {
    const looked = await this.#atOnce(await this.onSale.newest(files), (file) => this.#sizeFault(file));
    return this.#breaches(looked.filter(({ fault }) => fault !== null));
  }

  /** Reads those that are new, those that were found wrong, and those that were read longest ago. */
  async check(signal?: AbortSignal): Promise<Breach[]> {
    await this.onSale.forgetGone();
    await this.#readAll('new', signal);
    await this.#readAll('faulty', signal);
    await this.#read(await this.onSale.readBefore(this.clock.now(), SLICE), signal);
    return this.#breaches();
  }

  /** Reads every file. */
  async checkAll(signal?: AbortSignal): Promise<Breach[]> {
    await this.onSale.forgetGone();
    await this.#readAll('all', signal);
    return this.#breaches();
  }

  /** Reads a slice of those that are new, or were read a week ago. @returns how many it read */
  async slice(signal?: AbortSignal): Promise<number> {
    const anew = await this.onSale.page('new', { after: '', limit: SLICE });
    const weekAgo = new Date(this.clock.now().getTime() - WEEK_MS);
    const due = [...anew, ...(await this.onSale.readBefore(weekAgo, SLICE - anew.length))];
    await this.#read(due, signal);
    return due.length;
  }

  /** @see FilesOnSale.allReadSince */
  allReadSince(): Promise<Date | undefined> {
    return this.onSale.allReadSince(this.clock.now());
  }

  async #readAll(which: FileSelection, signal: AbortSignal | undefined): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await this.onSale.page(which, { after, limit: SLICE });
      await this.#read(page, signal);
      after = page.length === SLICE ? page.at(-1)?.sampleId : undefined;
    }
  }

  async #read(files: readonly FileOnSale[], signal: AbortSignal | undefined): Promise<void> {
    const read = await this.#atOnce(files, (file) => {
      signal?.throwIfAborted();
      return this.#fault(file);
    });
    await this.onSale.keep(read, this.clock.now());
  }

  async #atOnce(
    files: readonly FileOnSale[],
    faultOf: (file: FileOnSale) => Promise<string | null>,
  ): Promise<FileRead[]> {
    const waiting = files.toReversed();
    const done: FileRead[] = [];
    const work = async (): Promise<void> => {
      for (let file = waiting.pop(); file; file = waiting.pop())
        done.push({ ...file, fault: await faultOf(file) });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return done;
  }

  async #fault(file: FileOnSale): Promise<string | null> {
    const fault = await this.#sizeFault(file);
    if (fault) return fault;
    return (await this.#hash(file.key)) === file.sha256 ? null : 'has a file with other bytes';
  }

  async #sizeFault({ key, sizeBytes }: FileOnSale): Promise<string | null> {
    const object = await this.storage.head(key);
    if (!object) return 'has no file';
    return object.sizeBytes === sizeBytes
      ? null
      : `has a file of ${object.sizeBytes} bytes, not ${sizeBytes}`;
  }

  async #hash(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of (await this.storage.get(key)).body) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  /** Of what was read last, and of what was seen now. */
  async #breaches(seen: readonly FileRead[] = []): Promise<Breach[]> {
    const faults = new Map<string, string | null>(seen.map(({ sampleId, fault }) => [sampleId, fault]));
    for (const { sampleId, fault } of await this.onSale.faults(FAULTS_TOLD)) faults.set(sampleId, fault);
    return [...faults].map(([sampleId, fault]) => ({ invariant: 21, detail: `sample ${sampleId} ${fault}` }));
  }
}
