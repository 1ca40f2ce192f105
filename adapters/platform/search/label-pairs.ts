import { setImmediate as nextTurn } from 'node:timers/promises';
import { add, bitmapFor, type Bitmap } from './bitmap.js';
import { Postings } from './postings.js';
import { TEMPOS, type Labels, type SingleFacet } from './labels.js';

/** Two of the label kinds key, genre and mood. `third` is the remaining one. */
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
 * One list of samples for each pair of a code of the first kind and a code of the second, sorted by these codes. Each
 * list begins with the slowest sample. Other values that filters check are stored at the same places, so that scanning
 * a list reads memory sequentially.
 */
export interface PairLists {
  /** Start of each list. The last entry is the end of the last list. */
  starts: Uint32Array;
  numbers: Uint32Array;
  tempo: Uint8Array;
  third: Uint16Array;
  instrumentMasks: Uint32Array;
  /** For each instrument, the places of its samples in the lists. Index 0 is instrument code 1. */
  withInstrument: Bitmap[];
}

/** Lists all samples by each of `LABEL_PAIRS`. Yields to the event loop before each pair. */
export async function listsByPair(segment: Labels): Promise<PairLists[]> {
  const { items: slowestFirst } = Postings.of(segment.tempo, TEMPOS);
  const lists: PairLists[] = [];
  for (const pair of LABEL_PAIRS) {
    await nextTurn();
    lists.push(listsOfPair(segment, pair, slowestFirst));
  }
  return lists;
}

/** @param samples the numbers of the samples, sorted by tempo, slowest first */
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
