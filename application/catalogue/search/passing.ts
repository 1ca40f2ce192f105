import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { has, type Bitmap } from './bitmap.js';
import type { Facet } from './facets.js';
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
import { TEMPOS, type LabelNames, type Labels } from './labels.js';
import { samplesOf, type Segment } from './segment.js';
import { isEither } from './sieve.js';

/** For each code of a kind whether it passes: 1 or 0. */
type Codes = Uint8Array;

/** What may pass of the samples with two codes. */
interface Part {
  pair: LabelPair;
  lists: PairLists;
  first: number;
  second: number;
  /** Codes of the third kind that pass with these. */
  third: Codes;
  from: number;
  to: number;
  /** How many passed in this and all parts before it. */
  found: number;
}

/** Codes of a pair of labels that pass together, if one of the third kind passes, too. */
interface Wanted {
  pair: LabelPair;
  first: Codes;
  second: Codes;
  third: Codes;
}

/** Samples by their labels. @property pairs of `LABEL_PAIRS` */
export type Labelled = Labels & Pick<Segment, 'pairs' | 'creators'>;

/**
 * The samples that pass a filter, in no order: found in the lists of those two labels that leave the
 * fewest to look at.
 */
export class Passing {
  private readonly parts: Part[] = [];
  /** Where those that pass stand in the lists of their parts, one part after the other. */
  private readonly places: Uint32Array;

  /** @param scratch room for every sample, not to be written to while this is in use */
  constructor(
    private readonly samples: Labelled,
    private readonly names: LabelNames,
    { filter, scope, alive }: { filter: TrackFilter; scope: Scope; alive: Bitmap },
    scratch: Uint32Array,
  ) {
    for (const wanted of this.wanted(filter, scope)) this.addParts(wanted, filter, scope);
    this.places = this.find(filter, alive, scratch);
  }

  get size(): number {
    return this.places.length;
  }

  /** In memory of their own. */
  get numbers(): Uint32Array {
    const { places } = this;
    const found = new Uint32Array(places.length);
    let at = 0;
    for (const part of this.parts)
      for (; at < part.found; at++) found[at] = part.lists.numbers[places[at] as number] as number;
    return found;
  }

  /** Adds how many have each label of a kind to `counts`, by code. @param sign -1 takes them off */
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
      else
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
    const key = codesOf(names.key, filter.key === undefined ? [] : enharmonicKeys(filter.key as MusicalKey));
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

  /** The parts of lists in which samples may pass, of the right tempo. */
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
    // What no sample has, none has beside others.
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

/** Of 32 places, from `at` times 32 on, those in all sets or in one of them, as bits; without a set all of them. */
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

/** The first place from `low` on, below `high`, with a tempo above `bpm`; `high` if there is none. */
function firstFaster(tempo: Uint8Array, low: number, high: number, bpm: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tempo[middle] as number) <= bpm) low = middle + 1;
    else high = middle;
  }
  return low;
}
