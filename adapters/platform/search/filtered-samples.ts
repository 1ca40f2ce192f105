import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { add, bitmapFor, fullBitmap, intersect, unite, type Bitmap } from './bitmap.js';
import { chosen, chosenLabels, type Facet } from './labels.js';
import type { Scope } from './rows.js';
import type { Segment } from './segment.js';
import { passingFacts } from './passing-facts.js';
import { samplesOf } from './postings.js';

export const isEither = ({ mode, moods, genres }: TrackFilter): boolean =>
  mode === 'search' && moods.length > 0 && genres.length > 0;

/** Returns the samples with the instruments of a filter: with any of them in collection mode, otherwise with all. */
export function instrumentsIn(segment: Segment, { mode, instruments }: TrackFilter): Bitmap {
  const { every, none } = constantsOf(segment);
  const [first, ...others] = instruments.map((label) => segment.labels.instrument.get(label) ?? none);
  if (!first) return every;
  return others.length === 0 ? first : others.reduce(mode === 'search' ? intersect : unite, first.slice());
}

/** Applies the rules of `passesFilter` to a segment, on demand and for 32 samples at a time. */
export class FilteredSamples {
  /** The samples with each chosen key. A sample passes if any set contains it; likewise for mood and genre. */
  private readonly key: readonly Bitmap[];
  private readonly mood: readonly Bitmap[];
  private readonly genre: readonly Bitmap[];
  private readonly instrument: Bitmap;
  private readonly isEither: boolean;
  private readonly atMostBpm: Bitmap;
  private readonly slower: Bitmap;
  private readonly scoped: Bitmap;

  constructor(
    private readonly segment: Segment,
    filter: TrackFilter,
    scope: Scope,
  ) {
    const { every, none } = constantsOf(segment);
    const { bpmMin, bpmMax } = filter;
    const passing = (facet: Facet) =>
      chosen(filter, facet) ? this.with(facet, chosenLabels(filter, facet)) : [every];
    this.key = passing('key');
    this.mood = passing('mood');
    this.genre = passing('genre');
    this.instrument = instrumentsIn(segment, filter);
    this.isEither = isEither(filter);
    const isTimed = tempoIsFiltered(filter);
    this.atMostBpm = isTimed ? (segment.atMostBpm[bpmMax] as Bitmap) : every;
    this.slower = isTimed && bpmMin > 0 ? (segment.atMostBpm[bpmMin - 1] as Bitmap) : none;
    const scoped = this.inScope(scope) ?? every;
    const facts = passingFacts(segment, filter, scope);
    this.scoped = facts ? intersect(facts, scoped) : scoped;
  }

  /** Returns which of the 32 samples from `at * 32` pass, as bits. */
  word(at: number): number {
    const [mood, genre] = [anyOf(this.mood, at), anyOf(this.genre, at)];
    return (
      (this.isEither ? mood | genre : mood & genre) &
      anyOf(this.key, at) &
      (this.instrument[at] as number) &
      (this.atMostBpm[at] as number) &
      ~(this.slower[at] as number) &
      (this.scoped[at] as number)
    );
  }

  has(number: number): boolean {
    return (this.word(number >>> 5) & (1 << (number & 31))) !== 0;
  }

  /** Returns the set of samples with each label. The set is empty if no sample has the label. */
  private with(facet: Facet, labels: readonly string[]): Bitmap[] {
    const { none } = constantsOf(this.segment);
    return labels.map((label) => this.segment.labels[facet].get(label) ?? none);
  }

  private inScope({ genre, creatorId }: Scope): Bitmap | undefined {
    const { segment } = this;
    const ofGenre = genre === undefined ? undefined : (this.with('genre', [genre])[0] as Bitmap);
    if (creatorId === undefined) return ofGenre;
    const bits = bitmapFor(segment.size);
    for (const number of samplesOf(segment.creators, creatorId)) add(bits, number);
    return ofGenre ? intersect(bits, ofGenre) : bits;
  }
}

function anyOf(sets: readonly Bitmap[], at: number): number {
  let word = 0;
  for (let each = 0; each < sets.length; each++) word |= (sets[each] as Bitmap)[at] as number;
  return word;
}

const CONSTANTS = new WeakMap<Segment, { every: Bitmap; none: Bitmap }>();

function constantsOf(segment: Segment): { every: Bitmap; none: Bitmap } {
  let known = CONSTANTS.get(segment);
  if (!known)
    CONSTANTS.set(segment, (known = { every: fullBitmap(segment.size), none: bitmapFor(segment.size) }));
  return known;
}
