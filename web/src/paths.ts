import type { PackCard, Sample } from '../../application/catalogue/contract.js';
import { paths } from '../../application/pages/paths.js';

export { paths };

/** The library tab of an address, `saved` by default. */
export const libraryTabOf = (search: URLSearchParams) =>
  search.has('downloads') && !search.has('saved') ? 'downloads' : 'saved';

export function packPath(pack: Pick<PackCard, 'slug' | 'creator'>): string {
  return paths.pack({ slug: pack.slug, creator: pack.creator.handle });
}

export function packPathOf(sample: Pick<Sample, 'pack' | 'creator'>): string {
  return paths.pack({ slug: sample.pack.slug, creator: sample.creator.handle });
}
