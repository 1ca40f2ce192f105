import type { CatalogueVersion } from '../../../application/catalogue/queries.js';

/** The version that a page shows, and its creation time (ms since 1970). */
export interface Made extends CatalogueVersion {
  at: number;
}

/** Every purchase changes numbers on many pages. Each page is updated for that at most this often. */
const POPULARITY_MS = 10_000;
/** Content that changes with time alone, such as weekly charts, is updated after this time. */
const LIFETIME_MS = 60_000;

/** @returns `stale`: may be shown while one request renews it; `outdated`: shows content that is no longer true */
export function freshnessOf(
  made: Made,
  version: CatalogueVersion,
  now: number,
): 'fresh' | 'stale' | 'outdated' {
  if (made.structure !== version.structure) return 'outdated';
  const lifetime = made.popularity === version.popularity ? LIFETIME_MS : POPULARITY_MS;
  return now - made.at < lifetime ? 'fresh' : 'stale';
}
