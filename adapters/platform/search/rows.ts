import type { Kind } from '../../../domain/shared/kind.js';
import type { Origin } from '../../../domain/shared/origin.js';
import type { Sample } from '../../../application/catalogue/contract.js';

export interface CatalogueRow {
  sampleId: string;
  packId: string;
  creatorId: string;
  /** The title, lowercased. `packLower` is the title of the pack, lowercased. */
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
  /** Null if the creator has not stated it. */
  origin: Origin | null;
  instruments: string[];
  popularity: number;
  publishedAtMs: number;
  /** Absent if the sound is silent or not described yet. */
  sound?: Sound | undefined;
  card: CardFields;
}

/** @property id grows with every new description of any sound */
export interface Sound {
  id: number;
  descriptors: Int8Array;
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
  | 'origin'
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

/** Restricts a search, besides text and filter, to an artist, a genre, or samples that the viewer owns or lacks. */
export interface Scope {
  creatorId?: string;
  genre?: string;
  owned?: Owned;
}

/** The samples that a viewer owns. @property isWanted true restricts the search to these, false excludes them */
export interface Owned {
  viewerId: string;
  isWanted: boolean;
  idsByPack: ReadonlyMap<string, ReadonlySet<string>>;
}

export type Place = Pick<CatalogueRow, 'popularity' | 'sampleId'>;

/** @property change by a project, as `changeOf` measures it */
export type ChangedPlace = Place & { change: number };

/** Sorts the most downloaded sample first. Of samples with equal downloads, the smaller id comes first. */
export const byPopularity = (a: Place, b: Place): number =>
  b.popularity - a.popularity || (a.sampleId < b.sampleId ? -1 : a.sampleId > b.sampleId ? 1 : 0);

/** Sorts the least changed sample first. */
export const byChange = (a: ChangedPlace, b: ChangedPlace): number =>
  a.change - b.change || byPopularity(a, b);

export const searchText = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');
