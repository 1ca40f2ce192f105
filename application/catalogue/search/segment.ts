import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import { add, bitmapFor, has, unite, type Bitmap } from './bitmap.js';
import { FACETS, type Facet } from './facets.js';
import { GrowingNumbers } from './growing.js';
import { Postings } from './postings.js';
import type { CatalogueRow, FoundSample, Place } from './rows.js';
import { TextTable, TextTableBuilder } from './text-table.js';

/** Texts that many samples share, numbered in the order they came. */
interface Groups {
  /** Number of each. */
  numbers: Map<string, number>;
  samples: Postings;
}

/**
 * Samples as they were at one moment, numbered by popularity: number 0 was downloaded most. Flat memory
 * throughout, never changed.
 */
export interface Segment {
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
  popularity: Uint32Array;
  publishedAtMs: Float64Array;
  /** The samples with a label, for each kind of label. */
  labels: Record<Facet, Map<string, Bitmap>>;
  /** For kinds with one label a sample: the index of its label in `labels`, from 1 on; 0 without one. */
  codes: Record<SingleFacet, Uint16Array>;
  /** A bit for each instrument in the order of `labels`; absent when there are more than 32. */
  instrumentMasks: Uint32Array | undefined;
  /** The samples up to each tempo of the range. */
  atMostBpm: Bitmap[];
  /** What `Tallies` counted; absent where counting goes through the samples. */
  tallies?: Uint32Array<ArrayBuffer> | undefined;
}

/** Kinds of label of which a sample has at most one. */
export type SingleFacet = Exclude<Facet, 'instrument'>;
const MASK_BITS = 32;

/** Builds a segment from rows that come most downloaded first, of equals the smaller id. */
export class SegmentBuilder {
  private readonly ids = new TextTableBuilder();
  private readonly titles = new TextTableBuilder();
  private readonly words = new TextTableBuilder();
  private readonly wordNumbers = new Map<string, number>();
  private readonly wordsOfTitles = new GrowingNumbers();
  private readonly wordEnds: Uint32Array;
  private readonly oneWord: Bitmap;
  private readonly packTitles = new TextTableBuilder();
  private readonly packIds: string[] = [];
  private readonly packs: Grouping;
  private readonly creators: Grouping;
  private readonly popularity: Uint32Array;
  private readonly publishedAtMs: Float64Array;
  private readonly labels = Object.fromEntries(
    FACETS.map((facet) => [facet, new Map()]),
  ) as Segment['labels'];
  private readonly codes: Segment['codes'];
  private readonly instrumentMasks: Uint32Array;
  private readonly known = Object.fromEntries(FACETS.map((facet) => [facet, new Map()])) as Record<
    Facet,
    Map<string, { code: number; bits: Bitmap }>
  >;
  private readonly tempo: Bitmap[];
  private size = 0;

  /** @param capacity how many rows will come */
  constructor(private readonly capacity: number) {
    this.wordEnds = new Uint32Array(capacity);
    this.oneWord = bitmapFor(capacity);
    this.packs = new Grouping(capacity);
    this.creators = new Grouping(capacity);
    this.popularity = new Uint32Array(capacity);
    this.publishedAtMs = new Float64Array(capacity);
    const codes = () => new Uint16Array(capacity);
    this.instrumentMasks = new Uint32Array(capacity);
    this.codes = { key: codes(), mood: codes(), genre: codes() };
    this.tempo = Array.from({ length: TEMPO_RANGE_BPM.max + 1 }, () => bitmapFor(capacity));
  }

  add(row: CatalogueRow): void {
    const number = this.size++;
    this.ids.add(row.sampleId);
    this.titles.add(row.titleLower);
    for (const word of new Set(row.titleLower.split(' '))) this.wordsOfTitles.push(this.numberOfWord(word));
    if (!row.titleLower.includes(' ')) add(this.oneWord, number);
    this.wordEnds[number] = this.wordsOfTitles.length;
    if (this.packs.put(number, row.packId)) {
      this.packTitles.add(row.packLower);
      this.packIds.push(row.packId);
    }
    this.creators.put(number, row.creatorId);
    this.popularity[number] = row.popularity;
    this.publishedAtMs[number] = row.publishedAtMs;
    if (row.key !== null) this.codes.key[number] = this.label('key', row.key, number);
    this.codes.mood[number] = this.label('mood', row.mood, number);
    this.codes.genre[number] = this.label('genre', row.genre, number);
    for (const instrument of row.instruments) {
      const bit = 1 << (this.label('instrument', instrument, number) - 1);
      this.instrumentMasks[number] = (this.instrumentMasks[number] as number) | bit;
    }
    const tempo = this.tempo[row.bpm];
    if (tempo) add(tempo, number);
  }

  finish(): Segment {
    for (let bpm = 1; bpm < this.tempo.length; bpm++)
      unite(this.tempo[bpm] as Bitmap, this.tempo[bpm - 1] as Bitmap);
    const words = this.words.finish();
    return {
      size: this.size,
      ids: this.ids.finish(),
      titles: this.titles.finish(),
      words,
      titlesOfWord: Postings.of(this.wordsOfTitles.finish(), words.size, this.wordEnds),
      oneWord: this.oneWord,
      packs: this.packs.finish(),
      packTitles: this.packTitles.finish(),
      packIds: this.packIds,
      creators: this.creators.finish(),
      popularity: this.popularity,
      publishedAtMs: this.publishedAtMs,
      labels: this.labels,
      codes: this.codes,
      instrumentMasks: this.labels.instrument.size <= MASK_BITS ? this.instrumentMasks : undefined,
      atMostBpm: this.tempo,
    };
  }

  private numberOfWord(word: string): number {
    const known = this.wordNumbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.add(word);
    this.wordNumbers.set(word, number);
    return number;
  }

  /** @returns which label of its kind it is, from 1 on */
  private label(facet: Facet, label: string, number: number): number {
    let known = this.known[facet].get(label);
    if (!known) {
      known = { code: this.known[facet].size + 1, bits: bitmapFor(this.capacity) };
      this.known[facet].set(label, known);
      this.labels[facet].set(label, known.bits);
    }
    add(known.bits, number);
    return known.code;
  }
}

class Grouping {
  private readonly numbers = new Map<string, number>();
  private readonly groupOf: Uint32Array;

  constructor(capacity: number) {
    this.groupOf = new Uint32Array(capacity);
  }

  /** @returns whether the group is new */
  put(number: number, group: string): boolean {
    const known = this.numbers.get(group);
    this.groupOf[number] = known ?? this.numbers.size;
    if (known === undefined) this.numbers.set(group, this.numbers.size);
    return known === undefined;
  }

  finish(): Groups {
    return { numbers: this.numbers, samples: Postings.of(this.groupOf, this.numbers.size) };
  }
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

/** The labels of each kind by their codes, from 1 on. */
export type LabelNames = Record<Facet, readonly string[]>;

export const labelNames = ({ labels }: Segment): LabelNames => ({
  key: ['', ...labels.key.keys()],
  mood: ['', ...labels.mood.keys()],
  genre: ['', ...labels.genre.keys()],
  instrument: ['', ...labels.instrument.keys()],
});

/** Everything about one sample. */
export function sampleAt(
  segment: Segment,
  names: LabelNames,
  { number, popularity }: { number: number; popularity: number },
): FoundSample {
  const named = (facet: SingleFacet): string | undefined =>
    names[facet][segment.codes[facet][number] as number] || undefined;
  return {
    sampleId: segment.ids.at(number),
    titleLower: segment.titles.at(number),
    popularity,
    publishedAtMs: segment.publishedAtMs[number] as number,
    key: named('key') ?? null,
    mood: named('mood') as string,
    genre: named('genre') as string,
    instruments: instrumentsOf(segment, number).map((code) => names.instrument[code] as string),
  };
}

/** The codes of a sample's instruments. */
export function instrumentsOf({ instrumentMasks, labels }: Segment, number: number): number[] {
  const codes: number[] = [];
  if (instrumentMasks)
    for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1)
      codes.push(32 - Math.clz32(mask & -mask));
  else {
    let code = 0;
    for (const bits of labels.instrument.values()) {
      code += 1;
      if (has(bits, number)) codes.push(code);
    }
  }
  return codes;
}
