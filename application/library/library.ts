import { Inject, Injectable, Optional } from '@nestjs/common';
import type * as z from 'zod';
import type * as contract from './contract.js';
import { Clock } from '../shared/clock.js';
import { ListedSampleQueries } from './queries.js';
import { Reach } from './reach.js';

export interface SavedThing {
  id?: string;
  type: 'sample' | 'track' | 'pack';
  title?: string;
  name?: string;
  artist?: string;
  creator?: string;
  fileUrl?: string | null;
}

export function savedItemId(thing: SavedThing): string {
  const title = thing.title ?? thing.name ?? '';
  if (thing.id) return thing.id;
  if (thing.fileUrl) return `file:${thing.fileUrl}`;
  if (thing.type === 'pack' && thing.creator) return `pack:${thing.creator}:${title}`;
  if (thing.type === 'sample' && thing.artist) return `sample:${thing.artist}:${title}`;
  return `${thing.type}:${title}`;
}

export abstract class LibraryStore {
  abstract listSaved(userId: string, page: { limit: number; cursor?: string }): Promise<contract.SavedPage>;
  /** Saves an item, or replaces its description and keeps its time. @returns when it was first saved */
  abstract save(userId: string, itemId: string, item: contract.SavedItem, now: Date): Promise<Date>;
  /** Saves many items like `save`. The first item is the newest. */
  abstract saveAll(
    userId: string,
    items: Array<{ itemId: string; item: contract.SavedItem }>,
    now: Date,
  ): Promise<void>;
  abstract removeSaved(userId: string, itemId: string): Promise<void>;
  /** Adds an entry as the newest and deletes entries past the limit. */
  abstract remember(userId: string, entry: contract.HistoryEntry, limit: number): Promise<void>;
  abstract history(userId: string): Promise<contract.History>;
  /** Keeps one entry per file URL. A later import with the same URL replaces the whole entry. */
  abstract keepImported(
    userId: string,
    items: readonly contract.ImportedDownload[],
    now: Date,
  ): Promise<void>;
  /** Lists at most 1000 imported downloads, newest first. */
  abstract imported(userId: string): Promise<contract.ImportedDownload[]>;
}

/** Stores the template by which a listener's files are named. */
export abstract class FileNameTemplates {
  /** @returns the default template if the user never chose one */
  abstract of(userId: string): Promise<string>;
  abstract set(userId: string, template: string): Promise<void>;
}

const HISTORY_LIMIT = 10;

@Injectable()
export class Library {
  constructor(
    private readonly store: LibraryStore,
    private readonly clock: Clock,
    @Optional() @Inject(ListedSampleQueries) private readonly samples?: ListedSampleQueries,
    @Optional() @Inject(Reach) private readonly reach?: Reach,
  ) {}

  async saved(userId: string, query: { limit: number; cursor?: string }): Promise<contract.SavedPage> {
    const page = await this.store.listSaved(userId, query);
    return { ...page, items: await this.asListed(userId, page.items) };
  }

  async save(userId: string, itemId: string, item: contract.SavedItem): Promise<contract.SavedRow> {
    const now = this.clock.now();
    const savedAt = await this.store.save(userId, itemId, item, now);
    const isNew = savedAt.getTime() === now.getTime();
    if (isNew && item.type !== 'pack') this.reach?.saved(itemId);
    const row = { id: itemId, item, sample: null, createdAt: savedAt.toISOString() };
    return (await this.asListed(userId, [row]))[0] ?? row;
  }

  /** @returns the number of distinct items */
  async importSaved(userId: string, items: contract.SavedItem[]): Promise<number> {
    const named = items.map((item) => ({ itemId: savedItemId(item), item }));
    await this.store.saveAll(userId, named, this.clock.now());
    return new Set(named.map(({ itemId }) => itemId)).size;
  }

  /** Imports only the history: a list from a browser gives no right to a file. @returns the number of distinct files */
  async importDownloads(userId: string, items: readonly contract.ImportedDownload[]): Promise<number> {
    await this.store.keepImported(userId, items, this.clock.now());
    return new Set(items.map(({ url }) => url)).size;
  }

  async played(userId: string, entry: z.infer<typeof contract.HistoryEntryBody>): Promise<contract.History> {
    const timestamp = this.clock.now().toISOString();
    await this.store.remember(userId, { ...entry, timestamp }, HISTORY_LIMIT);
    this.reach?.played(entry.id);
    return this.store.history(userId);
  }

  /** Adds the sample, as the catalogue lists it now, to each saved item. */
  private async asListed(userId: string, rows: contract.SavedRow[]): Promise<contract.SavedRow[]> {
    const ids = rows.filter(({ item }) => item.type !== 'pack').map(({ id }) => id);
    if (!this.samples || ids.length === 0) return rows;
    const listed = await this.samples.byIds(ids, userId);
    return rows.map((row) => ({ ...row, sample: listed.get(row.id) ?? null }));
  }
}
