import type { Bitmap } from './bitmap.js';
import type { Cards } from './cards.js';
import type { Labels } from './labels.js';
import type { PairLists } from './label-pairs.js';
import type { Groups, Postings } from './postings.js';
import type { Place } from './rows.js';
import type { SoundVectors } from './sound-clusters.js';
import type { TextTable } from './text-table.js';

/** A snapshot of the samples in flat memory, numbered by popularity: number 0 has the most downloads. */
export interface Segment extends Labels {
  size: number;
  ids: TextTable;
  titles: TextTable;
  /** Distinct words of titles. `titlesOfWord` lists the samples with each word in their title. */
  words: TextTable;
  titlesOfWord: Postings;
  oneWord: Bitmap;
  bpms: { at: (number: number) => number };
  packs: Groups;
  packTitles: TextTable;
  packIds: string[];
  creators: Groups;
  creatorIds: string[];
  popularity: Uint32Array;
  publishedAtMs: Float64Array;
  /** For each tempo up to the highest of `TEMPO_RANGE_BPM`, the samples with this or a lower tempo. */
  atMostBpm: Bitmap[];
  pairs: readonly PairLists[];
  tallies: Uint32Array<ArrayBuffer>;
  cards: Cards;
  sounds: SoundVectors;
  /** Id of the newest sound description in the segment. */
  describedId: number;
}

/** Returns the number of the first sample that comes after `place` in the order of popularity. */
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
