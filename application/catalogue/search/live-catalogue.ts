import { fullBitmap, has, remove, type Bitmap } from './bitmap.js';
import { byPopularity, type CatalogueRow, type FoundSample, type Place } from './rows.js';
import { firstAfter, labelNames, sampleAt, samplesOf, type LabelNames, type Segment } from './segment.js';
import type { Sieve } from './sieve.js';
import { Tallies } from './tallies.js';

interface Promoted extends Place {
  number: number;
}

/**
 * A segment and what changed since it was built: packs that changed are taken out of it and kept as rows; a sample
 * that was only downloaded keeps its number and gets another rank.
 */
export class LiveCatalogue {
  /** The part of the segment that is still valid. */
  readonly alive: Bitmap;
  /** Samples of packs that changed, in order. */
  rows: CatalogueRow[] = [];
  /** The same by pack; a pack without rows is no longer listed. */
  readonly packs = new Map<string, CatalogueRow[]>();
  /** Samples of the segment whose rank is no longer their number, in order. */
  private readonly promoted: Promoted[] = [];
  private readonly promotedByNumber = new Map<number, Promoted>();

  private scratch: Uint32Array | undefined;
  readonly names: LabelNames;
  /** Of the part that is still valid. */
  readonly tallies: Tallies | undefined;

  constructor(readonly segment: Segment) {
    this.alive = fullBitmap(segment.size);
    this.names = labelNames(segment);
    this.tallies = Tallies.of(segment);
  }

  /** How much has changed since the segment was built. */
  get changes(): { rows: number; promoted: number } {
    return { rows: this.rows.length, promoted: this.promoted.length };
  }

  /** Replaces packs by their present rows; a pack without rows is no longer listed. */
  replacePacks(packIds: readonly string[], rows: readonly CatalogueRow[]): void {
    for (const packId of packIds) {
      for (const number of samplesOf(this.segment.packs, packId)) {
        if (has(this.alive, number)) this.tallies?.remove(number);
        remove(this.alive, number);
      }
      this.packs.set(packId, []);
    }
    for (const row of rows) this.packs.get(row.packId)?.push(row);
    this.rows = [...this.packs.values()].flat().sort(byPopularity);
  }

  /** Sets the present number of downloads. */
  rank(samples: readonly (Place & { packId: string })[]): void {
    for (const { packId, sampleId, popularity } of samples) {
      const row = this.packs.get(packId)?.find((each) => each.sampleId === sampleId);
      if (row) row.popularity = popularity;
      else this.promote(packId, { sampleId, popularity });
    }
    // Nearly in order already, which makes sorting cheap.
    this.promoted.sort(byPopularity);
    this.rows.sort(byPopularity);
  }

  /**
   * The most downloaded of some samples.
   * @param sieve what those of the segment pass
   * @param passes of the rows
   * @param options.within of the segment, only these
   */
  best(
    sieve: Sieve,
    passes: (row: CatalogueRow) => boolean,
    limit: number,
    { within = this.alive, after }: { within?: Bitmap; after?: Place | undefined } = {},
  ): FoundSample[] {
    const wanted = (number: number): boolean =>
      has(this.alive, number) && has(within, number) && sieve.has(number);
    const isAfter = (place: Place): boolean => !after || byPopularity(after, place) < 0;
    const { segment, names } = this;
    const found: (Place & { number?: number; row?: CatalogueRow })[] = [];
    for (const number of this.ranked(sieve, within, limit, after ? firstAfter(segment, after) : 0))
      found.push({
        number,
        popularity: segment.popularity[number] as number,
        sampleId: segment.ids.at(number),
      });
    found.push(...take(this.promoted, limit, (each) => wanted(each.number) && isAfter(each)));
    for (const row of take(this.rows, limit, (each) => isAfter(each) && passes(each)))
      found.push({ row, popularity: row.popularity, sampleId: row.sampleId });
    return found
      .sort(byPopularity)
      .slice(0, limit)
      .map(
        ({ number, row, popularity }) =>
          row ?? sampleAt(segment, names, { number: number as number, popularity }),
      );
  }

  /** The numbers that are in all five. Valid until the next call. */
  numbersOf(a: Bitmap, b: Bitmap, c: Bitmap, d: Bitmap, e: Bitmap): Uint32Array {
    const numbers = (this.scratch ??= new Uint32Array(this.segment.size));
    let found = 0;
    for (let at = 0; at < a.length; at++) {
      let word =
        (a[at] as number) & (b[at] as number) & (c[at] as number) & (d[at] as number) & (e[at] as number);
      for (; word !== 0; word &= word - 1) numbers[found++] = (at << 5) + 31 - Math.clz32(word & -word);
    }
    return numbers.subarray(0, found);
  }

  /** The first that pass among those whose rank is their number. */
  private ranked(sieve: Sieve, within: Bitmap, limit: number, from: number): number[] {
    const { alive, promotedByNumber } = this;
    const found: number[] = [];
    for (let at = from >>> 5; at < alive.length && found.length < limit; at++) {
      let word = (alive[at] as number) & (within[at] as number);
      if (at === from >>> 5) word &= -1 << (from & 31);
      if (word !== 0) word &= sieve.word(at);
      for (; word !== 0 && found.length < limit; word &= word - 1) {
        const number = (at << 5) + 31 - Math.clz32(word & -word);
        if (!promotedByNumber.has(number)) found.push(number);
      }
    }
    return found;
  }

  private promote(packId: string, place: Place): void {
    const { segment } = this;
    const number = samplesOf(segment.packs, packId).find((each) => segment.ids.at(each) === place.sampleId);
    if (number === undefined || !has(this.alive, number)) return;
    const known = this.promotedByNumber.get(number);
    if (known) known.popularity = place.popularity;
    else {
      const promoted = { ...place, number };
      this.promotedByNumber.set(number, promoted);
      this.promoted.push(promoted);
    }
  }
}

function take<Item>(items: readonly Item[], limit: number, wanted: (item: Item) => boolean): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length >= limit) break;
    if (wanted(item)) taken.push(item);
  }
  return taken;
}
