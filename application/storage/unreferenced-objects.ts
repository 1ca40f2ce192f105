export interface NotedObject {
  key: string;
  sizeBytes: number;
}

/** Stored objects without a reference, each noted with the time when that was first seen. */
export abstract class UnreferencedObjects {
  /** Lets one worker run per day. @returns false if the last run is not older than `before` */
  abstract takeTurn(now: Date, before: Date): Promise<boolean>;
  /** @returns those of these keys that no available sample and no pack refers to */
  abstract among(keys: readonly string[]): Promise<Set<string>>;
  /** Records when objects were first seen without a reference. */
  abstract note(objects: readonly NotedObject[], now: Date): Promise<void>;
  /** Removes the notes of objects that have a reference again, or that no longer exist. */
  abstract forget(keys: readonly string[]): Promise<void>;
  abstract noted(): Promise<string[]>;
  /** Oldest notes first. */
  abstract notedBefore(before: Date, limit: number): Promise<NotedObject[]>;
  /**
   * Runs `work`, which deletes an object, if the object is still noted and unreferenced. Claims of the key wait for it.
   * @returns whether it ran
   */
  abstract removing(key: string, work: () => Promise<void>): Promise<boolean>;
  /** Announces that a shared key is about to be stored. Waits for a removal in progress. */
  abstract claim(key: string): Promise<void>;
}
