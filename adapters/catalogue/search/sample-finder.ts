import type { SamplesQuery } from '../../../application/catalogue/contract.js';
import type { Counts, Facets } from '../../../application/catalogue/search/facets.js';
import type { FoundSample, Listed, Scope } from '../../../application/catalogue/search/rows.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';

export type PageQuery = Pick<SamplesQuery, 'sort' | 'limit' | 'cursor'>;

export interface FoundPage {
  listed: Listed[];
  nextCursor: string | null;
}

/**
 * The at most 50 samples a text finds, best first, and the counts of each option among them.
 * @property dropped the words left out, because no sample has all of them
 */
export interface FoundByText {
  found: FoundSample[];
  dropped: string[];
  facets: Facets;
}

/** Finds samples and packs. */
export abstract class SampleFinder {
  abstract byText(text: string, filter: TrackFilter, scope: Scope): Promise<FoundByText>;
  /** One page of everything the filter lets through, and counts over all of it. */
  abstract browse(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage & Counts>;
  /** Ids of samples whose title has a text where a word starts, exact titles first. */
  abstract samplesTitled(text: string, limit: number): Promise<string[]>;
  /** Ids of published packs with samples, in the same way; the larger pack first. */
  abstract packsTitled(text: string, limit: number): Promise<string[]>;
}
