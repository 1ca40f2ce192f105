/** Tells caches in front of the site that answers at some paths are no longer good. */
export abstract class CachePurge {
  /** Whether there is one to be told. */
  abstract readonly isThere: boolean;
  /** @param paths of this site @throws if it could not be told */
  abstract purge(paths: readonly string[]): Promise<void>;
}

/** Without a cache in front there is nobody to tell. */
export class NoCachePurge implements CachePurge {
  readonly isThere = false;

  async purge(): Promise<void> {}
}
