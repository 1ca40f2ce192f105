import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { add, bitmapFor, intersect, subtract, unite, type Bitmap } from './bitmap.js';
import type { Facet } from './facets.js';
import type { Scope } from './rows.js';
import { samplesOf, type Segment } from './segment.js';

/** The samples of a segment that `passesFilter` lets through; undefined when that is all of them. */
export function filterBits(segment: Segment, filter: TrackFilter, scope: Scope): Bitmap | undefined {
  const labelled = (facet: Facet, label: string): Bitmap =>
    segment.labels[facet].get(label) ?? bitmapFor(segment.size);
  const any = (facet: Facet, labels: readonly string[]): Bitmap =>
    labels.reduce((bits, label) => unite(bits, labelled(facet, label)), bitmapFor(segment.size));
  const { mode, moods, genres, instruments } = filter;
  const needed: Bitmap[] = [];
  if (tempoIsFiltered(filter)) needed.push(tempoBits(segment, filter));
  if (filter.key !== undefined) needed.push(any('key', enharmonicKeys(filter.key as MusicalKey)));
  if (mode === 'search' && moods.length > 0 && genres.length > 0)
    needed.push(unite(any('mood', moods), any('genre', genres)));
  else {
    if (moods.length > 0) needed.push(any('mood', moods));
    if (genres.length > 0) needed.push(any('genre', genres));
  }
  if (mode === 'search') needed.push(...instruments.map((instrument) => labelled('instrument', instrument)));
  else if (instruments.length > 0) needed.push(any('instrument', instruments));
  if (scope.genre !== undefined) needed.push(labelled('genre', scope.genre));
  if (scope.creatorId !== undefined) {
    const bits = bitmapFor(segment.size);
    for (const number of samplesOf(segment.creators, scope.creatorId)) add(bits, number);
    needed.push(bits);
  }
  const [first, ...others] = needed;
  return first && others.reduce(intersect, first.slice());
}

function tempoBits({ atMostBpm }: Segment, { bpmMin, bpmMax }: TrackFilter): Bitmap {
  const bits = (atMostBpm[bpmMax] as Bitmap).slice();
  return bpmMin > 0 ? subtract(bits, atMostBpm[bpmMin - 1] as Bitmap) : bits;
}
