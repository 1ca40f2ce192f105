import { setImmediate as nextTurn } from 'node:timers/promises';
import { add, bitmapFor, type Bitmap } from './bitmap.js';
import { Postings } from './postings.js';
import { TEMPOS, type Labels, type SingleFacet } from './labels.js';

/** Two kinds of label of which each sample has one at most, and the third. */
export interface LabelPair {
  first: SingleFacet;
  second: SingleFacet;
  third: SingleFacet;
}
export const KEY_AND_GENRE: LabelPair = { first: 'key', second: 'genre', third: 'mood' };
export const KEY_AND_MOOD: LabelPair = { first: 'key', second: 'mood', third: 'genre' };
export const GENRE_AND_MOOD: LabelPair = { first: 'genre', second: 'mood', third: 'key' };
export const LABEL_PAIRS: readonly LabelPair[] = [KEY_AND_GENRE, KEY_AND_MOOD, GENRE_AND_MOOD];

/**
 * Samples in lists: one for each two codes of a pair of labels, slowest first; those of code 0 of the first kind with
 * 0, 1, … of the second, then those of code 1, and so on. What else filters ask stands beside each sample, so that
 * going through a list reads memory in its order.
 */
export interface PairLists {
  /** Where each list starts; last, where they end. */
  starts: Uint32Array;
  numbers: Uint32Array;
  tempo: Uint8Array;
  /** Codes of the third kind. */
  third: Uint16Array;
  instrumentMasks: Uint32Array;
  /** The places of samples with each instrument, by code from 1 on. */
  withInstrument: Bitmap[];
}

/** All samples by each of `LABEL_PAIRS`. Lets others go on meanwhile. */
export async function listsByPair(segment: Labels): Promise<PairLists[]> {
  const { items: slowestFirst } = Postings.of(segment.tempo, TEMPOS);
  const lists: PairLists[] = [];
  for (const pair of LABEL_PAIRS) {
    await nextTurn();
    lists.push(listsOfPair(segment, pair, slowestFirst));
  }
  return lists;
}

/** @param samples numbers, slowest first */
export function listsOfPair(
  { labels, codes, instrumentMasks, tempo }: Labels,
  { first, second, third }: LabelPair,
  samples: Uint32Array,
): PairLists {
  const [ofFirst, ofSecond, ofThird] = [codes[first], codes[second], codes[third]];
  const width = labels[second].size + 1;
  const keys = samples.map((number) => (ofFirst[number] as number) * width + (ofSecond[number] as number));
  const { starts, items } = Postings.of(keys, (labels[first].size + 1) * width);
  const numbers = items.map((place) => samples[place] as number);
  const size = numbers.length;
  const lists = {
    starts,
    numbers,
    tempo: new Uint8Array(size),
    third: new Uint16Array(size),
    instrumentMasks: new Uint32Array(size),
    withInstrument: Array.from(labels.instrument, () => bitmapFor(size)),
  };
  for (let at = 0; at < size; at++) {
    const number = numbers[at] as number;
    const instruments = instrumentMasks[number] as number;
    lists.tempo[at] = tempo[number] as number;
    lists.third[at] = ofThird[number] as number;
    lists.instrumentMasks[at] = instruments;
    for (let mask = instruments; mask !== 0; mask &= mask - 1)
      add(lists.withInstrument[31 - Math.clz32(mask & -mask)] as Bitmap, at);
  }
  return lists;
}
