export interface NotedObject {
  key: string;
  sizeBytes: number;
}

/** Stored objects that nothing refers to, and since when that is known. */
export abstract class UnreferencedObjects {
  /** Gives one worker the day's turn. @returns false while the last turn is younger than `before` */
  abstract takeTurn(now: Date, before: Date): Promise<boolean>;
  /** The keys among these to which no available sample and no pack refers. */
  abstract among(keys: readonly string[]): Promise<Set<string>>;
  /** Remembers when an object was first seen without a reference. */
  abstract note(objects: readonly NotedObject[], now: Date): Promise<void>;
  /** Forgets those that are referred to again, or not stored any more. */
  abstract forget(keys: readonly string[]): Promise<void>;
  abstract noted(): Promise<string[]>;
  /** The longest noted first. */
  abstract notedBefore(before: Date, limit: number): Promise<NotedObject[]>;
  /**
   * Has `work` remove an object that is still noted and unreferenced, while nobody can claim it.
   * @returns whether it ran
   */
  abstract removing(key: string, work: () => Promise<void>): Promise<boolean>;
  /** Announces that a key which others may share is about to be stored; waits for a removal under way. */
  abstract claim(key: string): Promise<void>;
}
