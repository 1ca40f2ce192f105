import type { Sample } from '../contract.js';

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
  card: CardFields;
}

/** What only lists show of it. */
export interface CardFields extends Pick<
  Sample,
  | 'title'
  | 'artworkUrl'
  | 'durationMs'
  | 'creditCost'
  | 'hasStems'
  | 'hasMidi'
  | 'isRoyaltyFree'
  | 'previewUrl'
  | 'waveform'
> {
  packTitle: string;
  packSlug: string;
}

/** What ordering, counting and facets need of a found sample. */
export type FoundSample = Pick<
  CatalogueRow,
  'sampleId' | 'titleLower' | 'popularity' | 'publishedAtMs' | 'key' | 'mood' | 'genre' | 'instruments'
> &
  Listed;

/** What lists show of a sample; the names of artists are kept elsewhere. */
export interface SampleCard {
  creatorId: string;
  /** For visitors. */
  by(creator: Sample['creator']): Sample;
}

/** A sample for a list. @property card absent: the database knows it */
export interface Listed {
  sampleId: string;
  card?: () => SampleCard | undefined;
}

/** Limits a search besides text and filter: one artist's or one genre's collection. */
export interface Scope {
  creatorId?: string;
  genre?: string;
}

/** A place in the order of popularity. */
export type Place = Pick<CatalogueRow, 'popularity' | 'sampleId'>;

/** Most downloaded first; of equals the smaller id. */
export const byPopularity = (a: Place, b: Place): number =>
  b.popularity - a.popularity || (a.sampleId < b.sampleId ? -1 : a.sampleId > b.sampleId ? 1 : 0);

/** Lowercased, trimmed, with single spaces. */
export const searchText = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');
