import { setImmediate as nextTurn } from 'node:timers/promises';
import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { FACETS, type Facet } from './facets.js';
import { TEMPOS, type Labels } from './labels.js';
import type { Segment } from './segment.js';

/** A row for each tempo; the last counts every sample, also those beyond the range. */
const EVERY_ROW = TEMPOS - 1;
/** Counted before others go on. */
const AT_ONCE = 20_000;

/** Where the counts of two kinds of label stand in a row: a place for each pair of their codes. */
interface Pair {
  first: Facet;
  second: Facet;
  start: number;
  /** How many codes the second kind has. */
  width: number;
}

/** Labels of one kind by their codes; a sample passes that has one of them. */
export interface Choice {
  facet: Facet;
  codes: readonly number[];
}

/**
 * How many samples have each pair of labels, up to each tempo, so that counting with one kind of choice adds a few
 * numbers up, however many samples there are. Codes are those of the segment, from 1 on. Code 0 stands for no label,
 * but of instruments for any: there every sample counts once.
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

  /** Counts the samples of a segment, letting others go on meanwhile. */
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

  /** To be changed as samples leave the segment. */
  static of(segment: Segment): Tallies {
    return new Tallies(segment, segment.tallies.slice());
  }

  /** Counts a sample no more. */
  remove(number: number): void {
    const first = this.segment.tempo[number] as number;
    this.visitPlaces(number, (place) => {
      for (let at = first * this.width + place; at < this.counts.length; at += this.width)
        this.counts[at] = (this.counts[at] as number) - 1;
    });
  }

  /** How many samples within a tempo pass a choice. */
  total(tempo: TrackFilter, choice: Choice | undefined): number {
    if (choice && choice.facet !== 'instrument') return this.sums(tempo, choice, 'instrument')(0);
    const [instrument] = choice?.codes ?? [0];
    return this.sums(tempo, this.everyGenre, 'instrument')(instrument as number);
  }

  /** Adds how many of them have each label of another kind, by code. @param choice of instruments: one at most */
  addTo(found: Uint32Array, facet: Facet, tempo: TrackFilter, choice: Choice | undefined): void {
    const anyInstrument: Choice = { facet: 'instrument', codes: [0] };
    const sum = this.sums(tempo, choice ?? (facet === 'instrument' ? this.everyGenre : anyInstrument), facet);
    for (let code = 1; code < found.length; code++) found[code] = (found[code] as number) + sum(code);
  }

  /** Adds up the samples with one of the codes chosen, by the code of another kind. */
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
      const at = start + (codes[first as 'key'][number] as number) * width;
      if (second !== 'instrument') {
        visit(at + (codes[second as 'key'][number] as number));
        continue;
      }
      visit(at);
      for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1)
        visit(at + 32 - Math.clz32(mask & -mask));
    }
  }
}

/** Every two kinds, in the order of `FACETS`, instruments last; and how many places they take together. */
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
