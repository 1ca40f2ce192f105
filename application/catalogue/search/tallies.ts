import { setImmediate as nextTurn } from 'node:timers/promises';
import { TEMPO_RANGE_BPM, tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { fullBitmap, has, subtract, visitEach, type Bitmap } from './bitmap.js';
import { FACETS, type Facet } from './facets.js';
import type { Segment } from './segment.js';

/** The last row counts every sample, also those without a tempo of the range. */
const ROWS = TEMPO_RANGE_BPM.max + 2;
const EVERY_ROW = ROWS - 1;

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

type Labelled = Pick<Segment, 'labels' | 'codes' | 'instrumentMasks' | 'atMostBpm' | 'size'>;

/**
 * How many samples have each pair of labels, up to each tempo, so that counting with one kind of choice adds a few
 * numbers up, however many samples there are. Codes are those of the segment, from 1 on. Code 0 stands for no label,
 * but of instruments for any: there every sample counts once.
 */
export class Tallies {
  private readonly pairs: readonly Pair[];
  private readonly width: number;

  private constructor(
    private readonly segment: Labelled,
    private readonly counts: Uint32Array<ArrayBuffer>,
  ) {
    [this.pairs, this.width] = pairsOf(segment.labels);
  }

  /** Counts the samples of a segment, letting others go on meanwhile; undefined where it has too many instruments. */
  static async countedIn(segment: Labelled): Promise<Uint32Array<ArrayBuffer> | undefined> {
    if (!segment.instrumentMasks) return undefined;
    const [, width] = pairsOf(segment.labels);
    const counts = new Uint32Array(width * ROWS);
    const tallies = new Tallies(segment, counts);
    const every = fullBitmap(segment.size);
    for (const [row, atMost] of [...segment.atMostBpm, every].entries()) {
      const fresh = atMost.slice();
      if (row > 0) subtract(fresh, segment.atMostBpm[row - 1] as Bitmap);
      visitEach(fresh, (number) => tallies.add(row, number));
      await nextTurn();
    }
    for (let at = width; at < counts.length; at++)
      counts[at] = (counts[at] as number) + (counts[at - width] as number);
    return counts;
  }

  /** To be changed as samples leave the segment. */
  static of(segment: Segment): Tallies | undefined {
    return segment.tallies && new Tallies(segment, segment.tallies.slice());
  }

  /** Counts a sample no more. */
  remove(number: number): void {
    const first = this.rowOf(number);
    this.visitPlaces(number, (place) => {
      for (let at = first * this.width + place; at < this.counts.length; at += this.width)
        this.counts[at] = (this.counts[at] as number) - 1;
    });
  }

  /** How many samples within a tempo pass a choice. */
  total(tempo: TrackFilter, choice: Choice | undefined): number {
    if (choice && choice.facet !== 'instrument')
      return this.sum(tempo, choice.facet, choice.codes, 'instrument', 0);
    const [instrument] = choice?.codes ?? [0];
    return this.sum(tempo, 'genre', this.codesOf('genre'), 'instrument', instrument as number);
  }

  /** Adds how many of them have each label of another kind, by code. @param choice of instruments: one at most */
  addTo(found: Uint32Array, facet: Facet, tempo: TrackFilter, choice: Choice | undefined): void {
    const by: Choice =
      choice ??
      (facet === 'instrument'
        ? { facet: 'genre', codes: this.codesOf('genre') }
        : { facet: 'instrument', codes: [0] });
    for (let code = 1; code < found.length; code++)
      found[code] = (found[code] as number) + this.sum(tempo, by.facet, by.codes, facet, code);
  }

  /** Of samples with one of `codes` and the code `other` of another kind. */
  private sum(
    tempo: TrackFilter,
    facet: Facet,
    codes: readonly number[],
    otherFacet: Facet,
    other: number,
  ): number {
    const { counts, width } = this;
    const filtered = tempoIsFiltered(tempo);
    const upTo = (filtered ? tempo.bpmMax : EVERY_ROW) * width;
    const below = filtered && tempo.bpmMin > 0 ? (tempo.bpmMin - 1) * width : undefined;
    const pair = this.pairs.find(
      ({ first, second }) =>
        (first === facet && second === otherFacet) || (first === otherFacet && second === facet),
    ) as Pair;
    let total = 0;
    for (const code of codes) {
      const place =
        pair.start + (pair.first === facet ? code * pair.width + other : other * pair.width + code);
      total += counts[upTo + place] as number;
      if (below !== undefined) total -= counts[below + place] as number;
    }
    return total;
  }

  private codesOf(facet: Facet): number[] {
    return Array.from({ length: this.segment.labels[facet].size + 1 }, (_, code) => code);
  }

  private add(row: number, number: number): void {
    this.visitPlaces(number, (place) => {
      const at = row * this.width + place;
      this.counts[at] = (this.counts[at] as number) + 1;
    });
  }

  private rowOf(number: number): number {
    const { atMostBpm } = this.segment;
    let low = 0;
    let high = atMostBpm.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (has(atMostBpm[middle] as Bitmap, number)) high = middle;
      else low = middle + 1;
    }
    return low;
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
      for (let mask = (instrumentMasks as Uint32Array)[number] as number; mask !== 0; mask &= mask - 1)
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
