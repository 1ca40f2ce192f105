import type { Kind } from '../../../domain/catalogue/kind.js';
import type { Sample } from '../../../application/catalogue/contract.js';

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
  bpm: number;
  durationMs: number;
  kind: Kind;
  hasMidi: boolean;
  hasStems: boolean;
  creditCost: number;
  instruments: string[];
  popularity: number;
  publishedAtMs: number;
  card: CardFields;
}

export interface CardFields extends Pick<
  Sample,
  'title' | 'artworkUrl' | 'isRoyaltyFree' | 'previewUrl' | 'waveform'
> {
  packTitle: string;
  packSlug: string;
}

/** Fields of a found sample for sorting, counting and facets. */
export type FoundSample = Pick<
  CatalogueRow,
  | 'sampleId'
  | 'titleLower'
  | 'popularity'
  | 'publishedAtMs'
  | 'key'
  | 'mood'
  | 'genre'
  | 'instruments'
  | 'bpm'
  | 'durationMs'
  | 'kind'
  | 'hasMidi'
  | 'hasStems'
  | 'creditCost'
> &
  Listed;

/** A sample as lists show it, without details of its artist, which are stored elsewhere. */
export interface SampleCard {
  creatorId: string;
  by(creator: Sample['creator']): Sample;
}

/** A sample in a list. @property card if absent, it must be read from the database */
export interface Listed {
  sampleId: string;
  card?: () => SampleCard | undefined;
}

/** Restricts a search, besides text and filter, to the collection of an artist or genre. */
export interface Scope {
  creatorId?: string;
  genre?: string;
  owned?: Owned;
}

/** The samples that a viewer owns. @property isWanted whether these are sought, or all others */
export interface Owned {
  viewerId: string;
  isWanted: boolean;
  idsByPack: ReadonlyMap<string, ReadonlySet<string>>;
}

export type Place = Pick<CatalogueRow, 'popularity' | 'sampleId'>;

/** Most downloaded first, ties by smaller id. */
export const byPopularity = (a: Place, b: Place): number =>
  b.popularity - a.popularity || (a.sampleId < b.sampleId ? -1 : a.sampleId > b.sampleId ? 1 : 0);

export const searchText = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');
