import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { add, bitmapFor, fullBitmap, intersect, unite, type Bitmap } from './bitmap.js';
import type { Facet } from './facets.js';
import type { Scope } from './rows.js';
import { samplesOf, type Segment } from './segment.js';

/** Whether a mood or a genre is enough. */
export const isEither = ({ mode, moods, genres }: TrackFilter): boolean =>
  mode === 'search' && moods.length > 0 && genres.length > 0;

/**
 * The samples of a segment that `passesFilter` lets through, decided 32 at a time and only where somebody looks: the
 * bitmaps that a filter combines, all of the same length. What is not filtered stands for every sample.
 */
export class Sieve {
  readonly key: Bitmap;
  readonly mood: Bitmap;
  readonly genre: Bitmap;
  readonly instrument: Bitmap;
  readonly every: Bitmap;
  private readonly isEither: boolean;
  private readonly atMostBpm: Bitmap;
  /** Those that are too slow. */
  private readonly slower: Bitmap;
  private readonly scoped: Bitmap;

  constructor(
    private readonly segment: Segment,
    filter: TrackFilter,
    scope: Scope,
  ) {
    const { every, none } = constantsOf(segment);
    this.every = every;
    const { mode, moods, genres, instruments, bpmMin, bpmMax } = filter;
    this.key = filter.key === undefined ? every : this.any('key', enharmonicKeys(filter.key as MusicalKey));
    this.mood = moods.length === 0 ? every : this.any('mood', moods);
    this.genre = genres.length === 0 ? every : this.any('genre', genres);
    this.instrument =
      instruments.length === 0
        ? every
        : this.combined('instrument', instruments, mode === 'search' ? intersect : unite);
    this.isEither = isEither(filter);
    const isTimed = tempoIsFiltered(filter);
    this.atMostBpm = isTimed ? (segment.atMostBpm[bpmMax] as Bitmap) : every;
    this.slower = isTimed && bpmMin > 0 ? (segment.atMostBpm[bpmMin - 1] as Bitmap) : none;
    this.scoped = this.inScope(scope) ?? every;
  }

  /** Which of the 32 samples from `at` times 32 on pass, as bits. */
  word(at: number): number {
    const [mood, genre] = [this.mood[at] as number, this.genre[at] as number];
    return (
      (this.key[at] as number) &
      (this.isEither ? mood | genre : mood & genre) &
      (this.instrument[at] as number) &
      (this.atMostBpm[at] as number) &
      ~(this.slower[at] as number) &
      (this.scoped[at] as number)
    );
  }

  has(number: number): boolean {
    return (this.word(number >>> 5) & (1 << (number & 31))) !== 0;
  }

  /** Those of some samples that have the tempo and are in the scope, whatever their labels. */
  timed(some: Bitmap): Bitmap {
    const { atMostBpm, slower, scoped } = this;
    const bits = some.slice();
    for (let at = 0; at < bits.length; at++)
      bits[at] =
        (bits[at] as number) & (atMostBpm[at] as number) & ~(slower[at] as number) & (scoped[at] as number);
    return bits;
  }

  moodOrGenre(): Bitmap {
    return unite(this.mood.slice(), this.genre);
  }

  private any(facet: Facet, labels: readonly string[]): Bitmap {
    return this.combined(facet, labels, unite);
  }

  /** A label that no sample has is no sample's. */
  private combined(facet: Facet, labels: readonly string[], combine: typeof unite): Bitmap {
    const { none } = constantsOf(this.segment);
    const [first, ...others] = labels.map((label) => this.segment.labels[facet].get(label) ?? none);
    return others.length === 0 ? (first as Bitmap) : others.reduce(combine, (first as Bitmap).slice());
  }

  private inScope({ genre, creatorId }: Scope): Bitmap | undefined {
    const { segment } = this;
    const ofGenre = genre === undefined ? undefined : this.any('genre', [genre]);
    if (creatorId === undefined) return ofGenre;
    const bits = bitmapFor(segment.size);
    for (const number of samplesOf(segment.creators, creatorId)) add(bits, number);
    return ofGenre ? intersect(bits, ofGenre) : bits;
  }
}

const CONSTANTS = new WeakMap<Segment, { every: Bitmap; none: Bitmap }>();

function constantsOf(segment: Segment): { every: Bitmap; none: Bitmap } {
  let known = CONSTANTS.get(segment);
  if (!known)
    CONSTANTS.set(segment, (known = { every: fullBitmap(segment.size), none: bitmapFor(segment.size) }));
  return known;
}
