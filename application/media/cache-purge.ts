/** Purges responses from caches in front of the site. */
export abstract class CachePurge {
  abstract readonly isThere: boolean;
  /** @param paths of this site @throws if the cache does not confirm the purge */
  abstract purge(paths: readonly string[]): Promise<void>;
}

export class NoCachePurge implements CachePurge {
  readonly isThere = false;

  async purge(): Promise<void> {}
}
