import type { History, HistoryEntry, ImportedDownload, SavedItem, SavedPage } from './contract.js';

/** Hearts and recently played things: one person's own list each. */
export abstract class LibraryStore {
  abstract listSaved(userId: string, page: { limit: number; cursor?: string }): Promise<SavedPage>;
  /** Saves under the id, or replaces the description but keeps the time. @returns when it was first saved */
  abstract save(userId: string, itemId: string, item: SavedItem, now: Date): Promise<Date>;
  /** The same for many, newest first. */
  abstract saveAll(
    userId: string,
    items: Array<{ itemId: string; item: SavedItem }>,
    now: Date,
  ): Promise<void>;
  abstract removeSaved(userId: string, itemId: string): Promise<void>;
  /** Adds an entry as the newest and deletes entries past the limit. */
  abstract remember(userId: string, entry: HistoryEntry, limit: number): Promise<void>;
  abstract history(userId: string): Promise<History>;
  /** One a file address; a later import replaces the description. */
  abstract keepImported(userId: string, items: readonly ImportedDownload[], now: Date): Promise<void>;
  /** At most 1000, the newest first. */
  abstract imported(userId: string): Promise<ImportedDownload[]>;
}
