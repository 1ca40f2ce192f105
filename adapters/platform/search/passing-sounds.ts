import { lengthIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { SOUND_FACTS, COMPARED, FACT_MAX } from '../../../domain/catalogue/sound/facts.js';
import { count, has, intersect, visitEach, type Bitmap } from './bitmap.js';
import { FilteredSamples } from './filtered-samples.js';
import { GrowingNumbers } from './growing-array.js';
import type { LiveCatalogue } from './live-catalogue.js';
import type { Scope } from './rows.js';
import type { SoundHistograms } from '../../../application/catalogue/contract.js';
import { HISTOGRAM_BARS } from '../../../application/catalogue/values.js';
import type { TextMatches } from './text-matches.js';

/** `share` estimates from about this many words of 32 samples each. */
const ESTIMATED_FROM = 100;

/**
 * The samples of a segment that pass. Lengths and facts of sounds are checked for each sample that a search reaches,
 * because a set of all samples within such bounds takes longer to make than the search.
 */
export class PassingSounds {
  private readonly sieve: FilteredSamples;
  private readonly lengths: { min: number; max: number } | undefined;
  private readonly facts: readonly { start: number; min: number; max: number }[];

  constructor(
    private readonly live: LiveCatalogue,
    filter: TrackFilter,
    scope: Scope,
    private readonly matching: Bitmap | undefined,
  ) {
    const { segment } = live;
    const { minMs = 0, maxMs = Infinity, sounds = [] } = filter;
    this.sieve = new FilteredSamples(
      segment,
      { ...filter, minMs: undefined, maxMs: undefined, sounds: [] },
      scope,
    );
    this.lengths = lengthIsFiltered(filter) ? { min: minMs, max: maxMs } : undefined;
    this.facts = sounds.map(({ fact, min, max }) => ({
      start: SOUND_FACTS.indexOf(fact) * segment.size,
      min,
      max,
    }));
  }

  readonly has = (number: number): boolean =>
    (!this.matching || has(this.matching, number)) &&
    has(this.live.alive, number) &&
    this.sieve.has(number) &&
    this.isWithin(number);

  /**
   * The share of samples that pass, estimated from some of them. Ignores the filters by length and by facts of
   * sounds.
   */
  get share(): number {
    const { length } = this.live.alive;
    const step = Math.max(1, Math.floor(length / ESTIMATED_FROM));
    const some = new Uint32Array(Math.ceil(length / step));
    for (let at = 0; at < some.length; at++) some[at] = this.word(at * step);
    return count(some) / (some.length * 32);
  }

  /** Returns the passing samples; the most downloaded ones if there are more than `limit`. */
  all(limit = Infinity): Uint32Array {
    const alive = this.live.alive.slice();
    const bits = this.sieve.restrict(this.matching ? intersect(alive, this.matching) : alive);
    const numbers = new GrowingNumbers();
    visitEach(bits, (number) => {
      if (this.isWithin(number)) numbers.push(number);
      return numbers.length < limit;
    });
    return numbers.finish();
  }

  /** Returns which of the 32 samples from `at * 32` pass, as bits, without lengths and facts of sounds. */
  private word(at: number): number {
    const { live, matching, sieve } = this;
    const word = (live.alive[at] as number) & (matching ? (matching[at] as number) : -1);
    return word === 0 ? 0 : word & sieve.word(at);
  }

  private isWithin(number: number): boolean {
    const { durationMs, soundFacts } = this.live.segment;
    const { facts, lengths } = this;
    // V8 makes the code for an index faster than that for an iterator.
    for (let each = 0; each < facts.length; each++) {
      const { start, min, max } = facts[each] as (typeof facts)[number];
      const value = soundFacts[start + number] as number;
      if (value < min || value > max) return false;
    }
    if (!lengths) return true;
    const ms = durationMs[number] as number;
    return ms >= lengths.min && ms <= lengths.max;
  }
}

/** Histograms count at most this many samples of the segment, because more samples hardly change their shape. */
const COUNTED_LIMIT = 100_000;

const bars = (): number[] => Array.from({ length: HISTOGRAM_BARS }, () => 0);

export const noHistograms = (): SoundHistograms => ({
  brightness: bars(),
  punch: bars(),
  decay: bars(),
  noisiness: bars(),
  warmth: bars(),
});

/** Counts, for each fact, the samples that pass all filters except the one by that fact. */
export function soundHistograms(
  live: LiveCatalogue,
  filter: TrackFilter,
  scope: Scope,
  matches: TextMatches | undefined,
): SoundHistograms {
  const histograms = noHistograms();
  const every = { ...filter, sounds: [] };
  const { soundFacts, size } = live.segment;
  const values = new Uint8Array(SOUND_FACTS.length);
  for (const number of new PassingSounds(live, every, scope, matches?.bits).all(COUNTED_LIMIT)) {
    for (let at = 0; at < values.length; at++) values[at] = soundFacts[at * size + number] as number;
    if ((values[0] as number) <= FACT_MAX) countIn(histograms, values, filter);
  }
  for (const row of live.changed.rowsPassing(every, scope))
    if (row.sound && (matches?.hasRow(row) ?? true))
      countIn(histograms, row.sound.descriptors.subarray(COMPARED), filter);
  return histograms;
}

/** @param values the facts of one sample, in the order of `SOUND_FACTS` */
function countIn(histograms: SoundHistograms, values: ArrayLike<number>, { sounds = [] }: TrackFilter): void {
  const outside = sounds.filter(({ fact, min, max }) => {
    const value = values[SOUND_FACTS.indexOf(fact)] as number;
    return value < min || value > max;
  });
  if (outside.length > 1) return;
  for (const [at, fact] of SOUND_FACTS.entries()) {
    if (outside[0] && outside[0].fact !== fact) continue;
    const bar = Math.min(
      HISTOGRAM_BARS - 1,
      Math.floor(((values[at] as number) * HISTOGRAM_BARS) / FACT_MAX),
    );
    histograms[fact][bar] = (histograms[fact][bar] as number) + 1;
  }
}
