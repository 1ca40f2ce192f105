import type { History, HistoryEntry, ImportedDownload, SavedItem, SavedPage } from './contract.js';

/** Saved and recently played items, in lists per user. */
export abstract class LibraryStore {
  abstract listSaved(userId: string, page: { limit: number; cursor?: string }): Promise<SavedPage>;
  /** Saves an item, or replaces its description and keeps its time. @returns when it was first saved */
  abstract save(userId: string, itemId: string, item: SavedItem, now: Date): Promise<Date>;
  /** Like `save` for many items, newest first. */
  abstract saveAll(
    userId: string,
    items: Array<{ itemId: string; item: SavedItem }>,
    now: Date,
  ): Promise<void>;
  abstract removeSaved(userId: string, itemId: string): Promise<void>;
  /** Adds an entry as the newest and deletes entries past the limit. */
  abstract remember(userId: string, entry: HistoryEntry, limit: number): Promise<void>;
  abstract history(userId: string): Promise<History>;
  /** Keeps one entry per file address. A later import replaces the description. */
  abstract keepImported(userId: string, items: readonly ImportedDownload[], now: Date): Promise<void>;
  /** At most 1000, newest first. */
  abstract imported(userId: string): Promise<ImportedDownload[]>;
}
