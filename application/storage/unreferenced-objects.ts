export interface NotedObject {
  key: string;
  sizeBytes: number;
}

/** The list of stored objects that nothing refers to, each with the time when a sweep first found it. */
export abstract class UnreferencedObjects {
  /** Lets one worker run per day. @returns false if the last run was after `before` */
  abstract takeTurn(now: Date, before: Date): Promise<boolean>;
  /** @returns the keys that no pack, no sample in a pack and no purchased sample refers to */
  abstract among(keys: readonly string[]): Promise<Set<string>>;
  /** Adds objects to the list. Objects that are already listed keep their time. */
  abstract note(objects: readonly NotedObject[], now: Date): Promise<void>;
  /** Takes objects off the list, because they have a reference again or no longer exist. */
  abstract forget(keys: readonly string[]): Promise<void>;
  abstract noted(): Promise<string[]>;
  abstract notedBefore(before: Date, limit: number): Promise<NotedObject[]>;
  /** Runs `work`, which deletes an object, if the object is listed and unreferenced. @returns whether `work` ran */
  abstract removing(key: string, work: () => Promise<void>): Promise<boolean>;
  /** Takes a shared key off the list before it is stored again. Waits for a deletion in progress. */
  abstract claim(key: string): Promise<void>;
}
