import { fullBitmap, has, remove, visitEach, type Bitmap } from './bitmap.js';
import { byPopularity, type CatalogueRow, type FoundSample, type Place } from './rows.js';
import { firstAfter, sampleAt, samplesOf, type Segment } from './segment.js';

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

  constructor(readonly segment: Segment) {
    this.alive = fullBitmap(segment.size);
  }

  /** How much has changed since the segment was built. */
  get changes(): { rows: number; promoted: number } {
    return { rows: this.rows.length, promoted: this.promoted.length };
  }

  /** Replaces packs by their present rows; a pack without rows is no longer listed. */
  replacePacks(packIds: readonly string[], rows: readonly CatalogueRow[]): void {
    for (const packId of packIds) {
      for (const number of samplesOf(this.segment.packs, packId)) remove(this.alive, number);
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
   * @param within of the segment; undefined: all of it
   * @param passes of the rows
   */
  best(
    within: Bitmap | undefined,
    passes: (row: CatalogueRow) => boolean,
    limit: number,
    after?: Place,
  ): FoundSample[] {
    const wanted = (number: number): boolean => has(this.alive, number) && (!within || has(within, number));
    const isAfter = (place: Place): boolean => !after || byPopularity(after, place) < 0;
    const { segment } = this;
    const found: (Place & { number?: number; row?: CatalogueRow })[] = [];
    visitEach(
      within ?? this.alive,
      (number) => {
        if (wanted(number) && !this.promotedByNumber.has(number))
          found.push({
            number,
            popularity: segment.popularity[number] as number,
            sampleId: segment.ids.at(number),
          });
        return found.length < limit;
      },
      after ? firstAfter(segment, after) : 0,
    );
    found.push(...take(this.promoted, limit, (each) => wanted(each.number) && isAfter(each)));
    for (const row of take(this.rows, limit, (each) => isAfter(each) && passes(each)))
      found.push({ row, popularity: row.popularity, sampleId: row.sampleId });
    return found
      .sort(byPopularity)
      .slice(0, limit)
      .map(({ number, row, popularity }) => row ?? sampleAt(segment, number as number, popularity));
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
