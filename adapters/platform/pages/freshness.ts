import type { CatalogueVersion } from '../../../application/catalogue/queries.js';

/** The version that a page shows, and when it was made (ms since 1970). */
export interface Made extends CatalogueVersion {
  at: number;
}

/** Every purchase changes numbers on many pages: each page follows them at most this often. */
const POPULARITY_MS = 10_000;
/** What changes with time alone, like the charts of a week, shows after this time. */
const LIFETIME_MS = 60_000;

/**
 * @returns `stale`: good enough for everybody but the one who makes it anew; `outdated`: it shows what is not so any more
 */
export function freshnessOf(
  made: Made,
  version: CatalogueVersion,
  now: number,
): 'fresh' | 'stale' | 'outdated' {
  if (made.structure !== version.structure) return 'outdated';
  const lifetime = made.popularity === version.popularity ? LIFETIME_MS : POPULARITY_MS;
  return now - made.at < lifetime ? 'fresh' : 'stale';
}
