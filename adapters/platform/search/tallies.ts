import { setImmediate as nextTurn } from 'node:timers/promises';
import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { TEMPOS, FACETS, type Labels, type Facet, type SingleFacet } from './labels.js';
import type { Segment } from './segment.js';

/** Index of the last row of counts. There is one row per tempo, and the last row counts samples of any tempo. */
const EVERY_ROW = TEMPOS - 1;
const AT_ONCE = 20_000;

/** Two label kinds, and where their counts start in each row. There is one count for each pair of their codes. */
interface Pair {
  first: Facet;
  second: Facet;
  start: number;
  width: number;
}

/** Codes of the chosen labels of one kind. A sample passes if it has any of these labels. */
export interface Choice {
  facet: Facet;
  codes: readonly number[];
}

/**
 * Counts samples for each pair of labels, up to each tempo. Counting with choices of one kind then only adds a few
 * numbers, however many samples there are. Codes are those of the segment, from 1. Code 0 means a sample without a
 * label. For instruments, code 0 means any instrument or none, so it counts every sample once.
 */
export class Tallies {
  private readonly pairs: readonly Pair[];
  private readonly width: number;
  private readonly everyGenre: Choice;

  private constructor(
    private readonly segment: Labels,
    private readonly counts: Uint32Array<ArrayBuffer>,
  ) {
    [this.pairs, this.width] = pairsOf(segment.labels);
    const genres = segment.labels.genre.size + 1;
    this.everyGenre = { facet: 'genre', codes: Array.from({ length: genres }, (_, code) => code) };
  }

  /** Counts the samples of a segment. Yields to the event loop in between. */
  static async countedIn(segment: Labels): Promise<Uint32Array<ArrayBuffer>> {
    const [, width] = pairsOf(segment.labels);
    const counts = new Uint32Array(width * TEMPOS);
    const tallies = new Tallies(segment, counts);
    for (let number = 0; number < segment.tempo.length; number++) {
      if (number % AT_ONCE === 0) await nextTurn();
      tallies.add(segment.tempo[number] as number, number);
    }
    for (let at = width; at < counts.length; at++)
      counts[at] = (counts[at] as number) + (counts[at - width] as number);
    return counts;
  }

  /** Copies the counts of the segment, because `remove` changes them when samples leave the segment. */
  static of(segment: Segment): Tallies {
    return new Tallies(segment, segment.tallies.slice());
  }

  remove(number: number): void {
    const first = this.segment.tempo[number] as number;
    this.visitPlaces(number, (place) => {
      for (let at = first * this.width + place; at < this.counts.length; at += this.width)
        this.counts[at] = (this.counts[at] as number) - 1;
    });
  }

  total(tempo: TrackFilter, choice: Choice | undefined): number {
    if (choice && choice.facet !== 'instrument') return this.sums(tempo, choice, 'instrument')(0);
    const [instrument] = choice?.codes ?? [0];
    return this.sums(tempo, this.everyGenre, 'instrument')(instrument as number);
  }

  /** Adds to `found` how many samples with `choice` have each label of `facet`. @param choice at most one instrument */
  addTo(found: Uint32Array, facet: Facet, tempo: TrackFilter, choice: Choice | undefined): void {
    const anyInstrument: Choice = { facet: 'instrument', codes: [0] };
    const sum = this.sums(tempo, choice ?? (facet === 'instrument' ? this.everyGenre : anyInstrument), facet);
    for (let code = 1; code < found.length; code++) found[code] = (found[code] as number) + sum(code);
  }

  /** Returns a function that counts the samples with any of `codes` and the given code of `otherFacet`. */
  private sums(tempo: TrackFilter, { facet, codes }: Choice, otherFacet: Facet): (other: number) => number {
    const { counts, width } = this;
    const filtered = tempoIsFiltered(tempo);
    const upTo = (filtered ? tempo.bpmMax : EVERY_ROW) * width;
    const below = filtered && tempo.bpmMin > 0 ? (tempo.bpmMin - 1) * width : undefined;
    const pair = this.pairs.find(
      ({ first, second }) =>
        (first === facet && second === otherFacet) || (first === otherFacet && second === facet),
    ) as Pair;
    const [step, otherStep] = pair.first === facet ? [pair.width, 1] : [1, pair.width];
    return (other) => {
      let total = 0;
      for (let at = 0; at < codes.length; at++) {
        const place = pair.start + (codes[at] as number) * step + other * otherStep;
        total += counts[upTo + place] as number;
        if (below !== undefined) total -= counts[below + place] as number;
      }
      return total;
    };
  }

  private add(row: number, number: number): void {
    this.visitPlaces(number, (place) => {
      const at = row * this.width + place;
      this.counts[at] = (this.counts[at] as number) + 1;
    });
  }

  private visitPlaces(number: number, visit: (place: number) => void): void {
    const { codes, instrumentMasks } = this.segment;
    for (const { first, second, start, width } of this.pairs) {
      // `FACETS` ends with the instruments, so they are never the first kind of a pair.
      const at = start + (codes[first as SingleFacet][number] as number) * width;
      if (second !== 'instrument') {
        visit(at + (codes[second][number] as number));
        continue;
      }
      visit(at);
      for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1)
        visit(at + 32 - Math.clz32(mask & -mask));
    }
  }
}

/** Returns every pair of kinds in the order of `FACETS`, instruments last, and the number of counts they need. */
function pairsOf(labels: Segment['labels']): [Pair[], number] {
  const pairs: Pair[] = [];
  let start = 0;
  for (const [at, first] of FACETS.entries())
    for (const second of FACETS.slice(at + 1)) {
      const width = labels[second].size + 1;
      pairs.push({ first, second, start, width });
      start += (labels[first].size + 1) * width;
    }
  return [pairs, start];
}
