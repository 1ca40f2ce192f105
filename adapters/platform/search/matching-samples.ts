import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { has, intersect, type Bitmap } from './bitmap.js';
import {
  GENRE_AND_MOOD,
  KEY_AND_GENRE,
  KEY_AND_MOOD,
  LABEL_PAIRS,
  listsOfPair,
  type LabelPair,
  type PairLists,
} from './label-pairs.js';
import type { Scope } from './rows.js';
import { chosenLabels, TEMPOS, type LabelNames, type Labels, type Facet } from './labels.js';
import { passingFacts, type FactSource } from './passing-facts.js';
import type { Segment } from './segment.js';
import { samplesOf } from './postings.js';
import { isEither } from './filtered-samples.js';

/** For each code of a label kind, 1 if it passes, otherwise 0. */
type Codes = Uint8Array;

/** A range of one of the lists in `PairLists`: its samples have a passing tempo. */
interface Part {
  pair: LabelPair;
  lists: PairLists;
  first: number;
  second: number;
  /** Codes of the third kind that pass together with `first` and `second`. */
  third: Codes;
  from: number;
  to: number;
  /** Number of samples that passed in this part and all parts before it. */
  found: number;
}

/** Codes of three label kinds. A sample passes if its code of each kind passes. */
interface Wanted {
  pair: LabelPair;
  first: Codes;
  second: Codes;
  third: Codes;
}

/** Samples with their labels. @property pairs the lists for each of `LABEL_PAIRS` */
export type Labelled = FactSource & Pick<Segment, 'pairs' | 'creators'>;

/** The samples that pass a filter, unordered. Scans only lists of the pair of label kinds that suits the filter. */
export class MatchingSamples {
  private readonly parts: Part[] = [];
  /** Places of the passing samples in the lists of their parts, part by part. */
  private readonly places: Uint32Array;

  /** @param scratch memory with an element per sample; must not be written to while this object is in use */
  constructor(
    private readonly samples: Labelled,
    private readonly names: LabelNames,
    { filter, scope, alive }: { filter: TrackFilter; scope: Scope; alive: Bitmap },
    scratch: Uint32Array,
  ) {
    for (const wanted of this.wanted(filter, scope)) this.addParts(wanted, filter, scope);
    const facts = passingFacts(samples, filter, scope);
    this.places = this.find(filter, facts ? intersect(facts, alive) : alive, scratch);
  }

  get size(): number {
    return this.places.length;
  }

  /** Returns the numbers of the passing samples, in a copy that does not depend on `scratch`. */
  get numbers(): Uint32Array {
    const { places } = this;
    const found = new Uint32Array(places.length);
    let at = 0;
    for (const part of this.parts)
      for (; at < part.found; at++) found[at] = part.lists.numbers[places[at] as number] as number;
    return found;
  }

  /** Adds the number of passing samples with each label of a kind to `counts`, by code. @param sign -1 subtracts */
  count(facet: Facet, counts: Uint32Array, sign: 1 | -1): void {
    const { places } = this;
    const add = (code: number, number: number): void => {
      counts[code] = (counts[code] as number) + sign * number;
    };
    let at = 0;
    for (const { pair, lists, first, second, found } of this.parts) {
      if (facet === pair.first || facet === pair.second)
        add(facet === pair.first ? first : second, found - at);
      else if (facet === pair.third)
        for (let each = at; each < found; each++) add(lists.third[places[each] as number] as number, 1);
      else if (facet !== 'instrument') {
        const codes = this.samples.codes[facet];
        for (let each = at; each < found; each++)
          add(codes[lists.numbers[places[each] as number] as number] as number, 1);
      } else
        for (let each = at; each < found; each++)
          for (
            let mask = lists.instrumentMasks[places[each] as number] as number;
            mask !== 0;
            mask &= mask - 1
          )
            add(32 - Math.clz32(mask & -mask), 1);
      at = found;
    }
  }

  private wanted(filter: TrackFilter, scope: Scope): Wanted[] {
    const { names } = this;
    const key = codesOf(names.key, chosenLabels(filter, 'key'));
    const mood = codesOf(names.mood, filter.moods);
    const genre = codesOf(names.genre, filter.genres);
    const scoped = codesOf(names.genre, scope.genre === undefined ? [] : [scope.genre]);
    const inScope = (codes: Codes): Codes => codes.map((passes, code) => passes & (scoped[code] as number));
    const every = (codes: Codes): Codes => new Uint8Array(codes.length).fill(1);
    const either = isEither(filter);
    if (filter.key === undefined)
      return either
        ? [
            { pair: GENRE_AND_MOOD, first: inScope(genre), second: every(mood), third: key },
            { pair: GENRE_AND_MOOD, first: inScope(not(genre)), second: mood, third: key },
          ]
        : [{ pair: GENRE_AND_MOOD, first: inScope(genre), second: mood, third: key }];
    if (either)
      return [
        { pair: KEY_AND_GENRE, first: key, second: inScope(genre), third: every(mood) },
        { pair: KEY_AND_MOOD, first: key, second: mood, third: inScope(not(genre)) },
      ];
    return filter.genres.length > 0 || scope.genre !== undefined
      ? [{ pair: KEY_AND_GENRE, first: key, second: inScope(genre), third: mood }]
      : [{ pair: KEY_AND_MOOD, first: key, second: mood, third: genre }];
  }

  private addParts({ pair, first, second, third }: Wanted, filter: TrackFilter, scope: Scope): void {
    const lists = this.listsOf(pair, scope);
    const [slowest, fastest] = tempoIsFiltered(filter) ? [filter.bpmMin, filter.bpmMax] : [0, TEMPOS];
    for (let one = 0; one < first.length; one++) {
      if (first[one] === 0) continue;
      for (let other = 0; other < second.length; other++) {
        if (second[other] === 0) continue;
        const list = one * second.length + other;
        const [start, end] = [lists.starts[list] as number, lists.starts[list + 1] as number];
        const from = firstFaster(lists.tempo, start, end, slowest - 1);
        const to = firstFaster(lists.tempo, from, end, fastest);
        if (from < to) this.parts.push({ pair, lists, first: one, second: other, third, from, to, found: 0 });
      }
    }
  }

  private listsOf(pair: LabelPair, { creatorId }: Scope): PairLists {
    const { samples } = this;
    return creatorId === undefined
      ? (samples.pairs[LABEL_PAIRS.indexOf(pair)] as PairLists)
      : listsOfPair(samples, pair, slowestFirst(samples, samplesOf(samples.creators, creatorId)));
  }

  private find({ mode, instruments }: TrackFilter, alive: Bitmap, scratch: Uint32Array): Uint32Array {
    const needed = instruments.flatMap((label) => {
      const code = this.names.instrument.indexOf(label);
      return code > 0 ? code : [];
    });
    // A search requires all instruments, so an unknown one excludes every sample. A collection requires only one.
    const isUnknown = needed.length < instruments.length && (mode === 'search' || needed.length === 0);
    if (isUnknown) this.parts.length = 0;
    let found = 0;
    for (const part of this.parts) {
      const { lists, from, to, third: passes } = part;
      const { numbers, third } = lists;
      const having = needed.map((code) => lists.withInstrument[code - 1] as Bitmap);
      for (let at = from >>> 5; at << 5 < to; at++) {
        let word = wordOf(having, mode, at);
        if (at === from >>> 5) word &= -1 << (from & 31);
        for (; word !== 0; word &= word - 1) {
          const place = (at << 5) + 31 - Math.clz32(word & -word);
          if (place >= to) break;
          if (passes[third[place] as number] === 1 && has(alive, numbers[place] as number))
            scratch[found++] = place;
        }
      }
      part.found = found;
    }
    return scratch.subarray(0, found);
  }
}

/**
 * Returns, as bits, which of the 32 places from `at * 32` are in all sets (search) or in any set (collection). If
 * there are no sets, returns all 32 bits.
 */
function wordOf(sets: readonly Bitmap[], mode: TrackFilter['mode'], at: number): number {
  if (sets.length === 0) return -1;
  let word = (sets[0] as Bitmap)[at] as number;
  for (let each = 1; each < sets.length; each++) {
    const other = (sets[each] as Bitmap)[at] as number;
    word = mode === 'search' ? word & other : word | other;
  }
  return word;
}

function codesOf(names: readonly string[], labels: readonly string[]): Codes {
  const codes = new Uint8Array(names.length);
  if (labels.length === 0) return codes.fill(1);
  for (const label of labels) {
    const code = names.indexOf(label);
    if (code > 0) codes[code] = 1;
  }
  return codes;
}

const not = (codes: Codes): Codes => codes.map((passes) => 1 - passes);

const slowestFirst = ({ tempo }: Labels, numbers: Uint32Array): Uint32Array =>
  numbers.slice().sort((a, b) => (tempo[a] as number) - (tempo[b] as number));

/** Returns the first place in `low` to `high` (exclusive) with a tempo above `bpm`, otherwise `high`. */
function firstFaster(tempo: Uint8Array, low: number, high: number, bpm: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tempo[middle] as number) <= bpm) low = middle + 1;
    else high = middle;
  }
  return low;
}
