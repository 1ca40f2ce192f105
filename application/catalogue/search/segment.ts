import type { Bitmap } from './bitmap.js';
import type { Cards } from './cards.js';
import type { Labels } from './labels.js';
import type { PairLists } from './label-pairs.js';
import type { Postings } from './postings.js';
import type { Place } from './rows.js';
import type { TextTable } from './text-table.js';

/** Texts that many samples share, numbered in the order they came. */
export interface Groups {
  /** Number of each. */
  numbers: Map<string, number>;
  samples: Postings;
}

/**
 * Samples as they were at one moment, numbered by popularity: number 0 was downloaded most. Flat memory
 * throughout, never changed.
 */
export interface Segment extends Labels {
  size: number;
  ids: TextTable;
  titles: TextTable;
  /** Different words of titles, and which titles have them. */
  words: TextTable;
  titlesOfWord: Postings;
  /** Titles of one word. */
  oneWord: Bitmap;
  packs: Groups;
  /** By the number of the pack. */
  packTitles: TextTable;
  packIds: string[];
  creators: Groups;
  creatorIds: string[];
  popularity: Uint32Array;
  publishedAtMs: Float64Array;
  /** The samples up to each tempo of the range. */
  atMostBpm: Bitmap[];
  /** What `listsByPair` found. */
  pairs: readonly PairLists[];
  /** What `Tallies` counted. */
  tallies: Uint32Array<ArrayBuffer>;
  cards: Cards;
}

/** The samples of a pack or creator; none when it has none. */
export function samplesOf({ numbers, samples }: Groups, id: string): Uint32Array {
  const number = numbers.get(id);
  return number === undefined ? new Uint32Array(0) : samples.of(number);
}

/** The number of the first sample that comes after a place in the order. */
export function firstAfter({ size, popularity, ids }: Segment, place: Place): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const downloads = popularity[middle] as number;
    const after =
      downloads < place.popularity || (downloads === place.popularity && ids.at(middle) > place.sampleId);
    if (after) high = middle;
    else low = middle + 1;
  }
  return low;
}
