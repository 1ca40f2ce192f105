import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { add, bitmapFor, fullBitmap, intersect, subtract, unite, type Bitmap } from './bitmap.js';
import { chosenLabels, type Facet } from './labels.js';
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
  /** A sample passes if it is in at least one set of each group. Only filters that are set have a group. */
  private readonly groups: readonly (readonly Bitmap[])[];
  private readonly slower: Bitmap | undefined;

  constructor(
    private readonly segment: Segment,
    filter: TrackFilter,
    scope: Scope,
  ) {
    const { bpmMin, bpmMax } = filter;
    const isTimed = tempoIsFiltered(filter);
    const [mood = [], genre = [], key = []] = (['mood', 'genre', 'key'] as const).map((facet) =>
      this.with(facet, chosenLabels(filter, facet)),
    );
    const optional = (set: Bitmap | undefined) => (set ? [set] : []);
    // Small sets come first, so that most words need no other set.
    const groups = [
      key,
      ...(isEither(filter) ? [[...genre, ...mood]] : [genre, mood]),
      filter.instruments.length > 0 ? [instrumentsIn(segment, filter)] : [],
      isTimed ? [segment.atMostBpm[bpmMax] as Bitmap] : [],
      optional(passingFacts(segment, filter, scope)),
      optional(this.inScope(scope)),
    ].filter((group) => group.length > 0);
    this.groups = groups.length > 0 ? groups : [[constantsOf(segment).every]];
    this.slower = isTimed && bpmMin > 0 ? segment.atMostBpm[bpmMin - 1] : undefined;
  }

  /** Returns which of the 32 samples from `at * 32` pass, as bits. */
  word(at: number): number {
    let word = this.slower ? ~(this.slower[at] as number) : -1;
    for (let each = 0; each < this.groups.length && word !== 0; each++)
      word &= anyOf(this.groups[each] as readonly Bitmap[], at);
    return word;
  }

  /** Removes the samples that do not pass. Faster than `word` for each word, because it reads one set at a time. */
  restrict(bits: Bitmap): Bitmap {
    for (const [first, ...others] of this.groups as [Bitmap, ...Bitmap[]][])
      intersect(bits, others.length === 0 ? first : others.reduce(unite, first.slice()));
    return this.slower ? subtract(bits, this.slower) : bits;
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
