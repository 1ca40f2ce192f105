import type { PackCard, Sample } from '../../application/catalogue/contract.js';
import { paths } from '../../application/pages/paths.js';

export { paths };

export function libraryTabOf(search: URLSearchParams): 'saved' | 'downloads' | 'collections' {
  if (search.has('saved')) return 'saved';
  if (search.has('downloads')) return 'downloads';
  return search.has('collections') ? 'collections' : 'saved';
}

export function searchHeading(search: URLSearchParams): string {
  const q = search.get('q')?.trim();
  return q ? `Search results for "${q}"` : 'All Tracks';
}

export const packPath = (pack: Pick<PackCard, 'slug' | 'creator'>): string =>
  paths.pack({ slug: pack.slug, creator: pack.creator.handle });

export const packPathOf = (sample: Pick<Sample, 'pack' | 'creator'>): string =>
  paths.pack({ slug: sample.pack.slug, creator: sample.creator.handle });
