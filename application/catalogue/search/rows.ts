/** A sample that everybody can find, as the search knows it. */
export interface CatalogueRow {
  sampleId: string;
  packId: string;
  creatorId: string;
  /** Lowercased, as is the pack's title. */
  titleLower: string;
  packLower: string;
  genre: string;
  mood: string;
  key: string | null;
  /** 0 when unknown. */
  bpm: number;
  instruments: string[];
  /** Downloads. */
  popularity: number;
  publishedAtMs: number;
}

/** What ordering, counting and facets need of a found sample. */
export type FoundSample = Pick<
  CatalogueRow,
  'sampleId' | 'titleLower' | 'popularity' | 'publishedAtMs' | 'key' | 'mood' | 'genre' | 'instruments'
>;

/** Limits a search besides text and filter: one artist's or one genre's collection. */
export interface Scope {
  creatorId?: string;
  genre?: string;
}

export const inScope = (row: CatalogueRow, { creatorId, genre }: Scope): boolean =>
  (creatorId === undefined || row.creatorId === creatorId) && (genre === undefined || row.genre === genre);

/** A place in the order of popularity. */
export type Place = Pick<CatalogueRow, 'popularity' | 'sampleId'>;

/** Most downloaded first; of equals the smaller id. */
export const byPopularity = (a: Place, b: Place): number =>
  b.popularity - a.popularity || (a.sampleId < b.sampleId ? -1 : a.sampleId > b.sampleId ? 1 : 0);

/** Lowercased, trimmed, with single spaces. */
export const searchText = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');
