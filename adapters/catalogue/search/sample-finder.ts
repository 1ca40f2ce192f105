import type { SamplesQuery } from '../../../application/catalogue/contract.js';
import type { Counts, Facets } from '../../platform/search/facets.js';
import type { FoundSample, Listed, Scope } from '../../platform/search/rows.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';

export type PageQuery = Pick<SamplesQuery, 'sort' | 'limit' | 'cursor'>;

export interface FoundPage {
  listed: Listed[];
  nextCursor: string | null;
}

/**
 * At most 50 samples that a text finds, best first, and the counts of each option among them.
 * @property dropped words that were ignored, because no sample has all words
 */
export interface FoundByText {
  found: FoundSample[];
  dropped: string[];
  facets: Facets;
}

export abstract class SampleFinder {
  abstract byText(text: string, filter: TrackFilter, scope: Scope): Promise<FoundByText>;
  /** One page of all samples that pass the filter, with counts over all of them. */
  abstract browse(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage & Counts>;
  /** Ids of samples whose title contains the text at the start of a word, exact titles first. */
  abstract samplesTitled(text: string, limit: number): Promise<string[]>;
  /** The same for published packs with samples. Larger packs come first. */
  abstract packsTitled(text: string, limit: number): Promise<string[]>;
}
