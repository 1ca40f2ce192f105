import type { Bitmap } from './bitmap.js';
import type { Cards } from './cards.js';
import type { Labels } from './labels.js';
import type { PairLists } from './label-pairs.js';
import type { Postings } from './postings.js';
import type { Place } from './rows.js';
import type { TextTable } from './text-table.js';

/** Values that many samples share, such as pack ids, numbered in order of first appearance. */
export interface Groups {
  /** The number of each value. */
  numbers: Map<string, number>;
  samples: Postings;
}

/**
 * An immutable snapshot of the samples in flat memory, numbered by popularity: number 0 has the most downloads.
 */
export interface Segment extends Labels {
  size: number;
  ids: TextTable;
  titles: TextTable;
  /** Distinct words of titles; `titlesOfWord` has the titles of each word. */
  words: TextTable;
  titlesOfWord: Postings;
  /** Samples whose title is one word. */
  oneWord: Bitmap;
  packs: Groups;
  /** Indexed by pack number. */
  packTitles: TextTable;
  packIds: string[];
  creators: Groups;
  creatorIds: string[];
  popularity: Uint32Array;
  publishedAtMs: Float64Array;
  /** For each tempo of the range, the samples at or below it. */
  atMostBpm: Bitmap[];
  /** Result of `listsByPair`. */
  pairs: readonly PairLists[];
  /** Result of `Tallies.countedIn`. */
  tallies: Uint32Array<ArrayBuffer>;
  cards: Cards;
}

/** Returns the samples of a pack or creator; empty if the id is unknown. */
export function samplesOf({ numbers, samples }: Groups, id: string): Uint32Array {
  const number = numbers.get(id);
  return number === undefined ? new Uint32Array(0) : samples.of(number);
}

/** Returns the number of the first sample after a place in the order. */
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
