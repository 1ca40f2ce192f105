import { GENRES, type Genre } from './vocabulary.js';

/** Returns the genre's part of an address, such as `neo-r-b` for `Neo R&B`. */
export const genreSlug = (genre: Genre): string =>
  genre
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

export type CollectionAddress =
  | { kind: 'all' }
  | { kind: 'artist'; handle: string }
  | { kind: 'genre'; genre: Genre };

/** Reads `all`, `artist-{handle}` or `genre-{genre}`; undefined for anything else. */
export function readCollectionSlug(slug: string): CollectionAddress | undefined {
  if (slug === 'all') return { kind: 'all' };
  if (slug.startsWith('artist-') && slug.length > 'artist-'.length)
    return { kind: 'artist', handle: slug.slice('artist-'.length) };
  // Old addresses have this misspelling.
  const wanted = slug.toLowerCase() === 'genre-expermental' ? 'genre-experimental' : slug.toLowerCase();
  const genre = GENRES.find((each) => wanted === `genre-${genreSlug(each)}`);
  return genre && { kind: 'genre', genre };
}
