import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import type { FoundSample } from './rows.js';

export type Facets = SamplePage['facets'];
export type Facet = keyof Facets;
export type Counts = Pick<SamplePage, 'total' | 'facets'>;

export const FACETS: readonly Facet[] = ['key', 'mood', 'genre', 'instrument'];

export const noFacets = (): Facets => ({ key: {}, mood: {}, genre: {}, instrument: {} });

/** Returns the filter without one kind of choice, so that the options of that kind can be counted. */
export const lifted = (filter: TrackFilter, facet: Facet): TrackFilter => ({
  ...filter,
  ...{ key: { key: undefined }, mood: { moods: [] }, genre: { genres: [] }, instrument: { instruments: [] } }[
    facet
  ],
});

/** Returns whether the filter has a choice of this kind. */
export const chosen = (filter: TrackFilter, facet: Facet): boolean =>
  ({
    key: filter.key !== undefined,
    mood: filter.moods.length > 0,
    genre: filter.genres.length > 0,
    instrument: filter.instruments.length > 0,
  })[facet];

type Labelled = Pick<FoundSample, 'key' | 'mood' | 'genre' | 'instruments'>;

/** Counts each option among the samples that were found without its own kind of choice. */
export function facetsOf(found: Record<Facet, readonly Labelled[]>): Facets {
  const facets = noFacets();
  for (const facet of FACETS) for (const sample of found[facet]) countIn(facets[facet], facet, sample);
  return facets;
}

/** Adds one sample to the counts of a facet. */
export function countIn(counts: Record<string, number>, facet: Facet, sample: Labelled): void {
  for (const value of valuesOf(sample, facet)) counts[value] = (counts[value] ?? 0) + 1;
}

function valuesOf(sample: Labelled, facet: Facet): string[] {
  if (facet === 'instrument') return sample.instruments;
  const value = sample[facet];
  return value === null ? [] : [value];
}
