import type { Kind } from '../../../domain/shared/kind.js';
import type { Origin } from '../../../domain/shared/origin.js';
import { changeOf, fitOf, type Project } from '../../../domain/catalogue/fit.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Sample } from '../../../application/catalogue/contract.js';
import { fullBitmap, has, remove, type Bitmap } from './bitmap.js';
import { cardAt, cardOf, factsAt, packOf, type PackCard } from './cards.js';
import { ChangedSamples } from './changed-samples.js';
import { MatchingSamples } from './matching-samples.js';
import { ProjectChanges } from './passing-facts.js';
import {
  byChange,
  byPopularity,
  type CatalogueRow,
  type ChangedPlace,
  type FoundSample,
  type Place,
  type SampleCard,
  type Scope,
} from './rows.js';
import { instrumentsOf, labelNames, type LabelNames } from './labels.js';
import { firstAfter, type Segment } from './segment.js';
import { samplesOf } from './postings.js';
import { FilteredSamples } from './filtered-samples.js';
import { Tallies } from './tallies.js';

interface Promoted extends Place {
  number: number;
}

/** A ranked sample: either `number` in the segment, or `row` of a changed pack. */
interface Ranked extends Place {
  number?: number;
  row?: CatalogueRow;
}

/** A segment and the changes since it was built. Changed packs become rows outside it; downloads only change ranks. */
export class LiveCatalogue {
  readonly alive: Bitmap;
  readonly changed = new ChangedSamples();
  /** Samples of the segment with new downloads, whose rank may differ from their number. Sorted by rank. */
  private readonly promoted: Promoted[] = [];
  private readonly promotedByNumber = new Map<number, Promoted>();

  /** Cache of parsed cards of packs, by the number of the pack. */
  private readonly packCards: (PackCard | undefined)[] = [];
  private scratch: Uint32Array | undefined;
  readonly names: LabelNames;
  readonly tallies: Tallies;

  constructor(readonly segment: Segment) {
    this.alive = fullBitmap(segment.size);
    this.names = labelNames(segment);
    this.tallies = Tallies.of(segment);
  }

  get changes(): { rows: number; promoted: number } {
    return { rows: this.changed.rows.length, promoted: this.promoted.length };
  }

  replacePacks(packIds: readonly string[], rows: readonly CatalogueRow[]): void {
    for (const packId of packIds) {
      for (const number of samplesOf(this.segment.packs, packId)) {
        if (has(this.alive, number)) this.tallies.remove(number);
        remove(this.alive, number);
      }
    }
    this.changed.replace(packIds, rows);
  }

  rank(samples: readonly (Place & { packId: string })[]): void {
    let isHere = false;
    for (const { packId, ...place } of samples)
      if (this.changed.rank(packId, place)) isHere = true;
      else this.promote(packId, place);
    // The list is nearly sorted already, so sorting is cheap.
    this.promoted.sort(byPopularity);
    if (isHere) this.changed.sort();
  }

  /**
   * Returns the most downloaded samples that pass.
   * @param sieve filter for samples of the segment
   * @param rows passing samples of packs that changed since the segment was built, unordered
   * @param options.within restricts the samples of the segment
   * @param options.few all passing samples of the segment, unordered, if there are few
   */
  best(
    sieve: FilteredSamples,
    rows: readonly CatalogueRow[],
    limit: number,
    {
      within = this.alive,
      after,
      few,
    }: { within?: Bitmap; after?: Place | undefined; few?: Uint32Array | undefined } = {},
  ): Ranked[] {
    const wanted = (number: number): boolean =>
      has(this.alive, number) && has(within, number) && sieve.has(number);
    const isAfter = (place: Place): boolean => !after || byPopularity(after, place) < 0;
    const { segment } = this;
    const found: Ranked[] = [];
    const from = after ? firstAfter(segment, after) : 0;
    const ranked = few ? this.rankedOf(few, limit, from) : this.ranked(sieve, within, limit, from);
    for (const number of ranked)
      found.push({
        number,
        popularity: segment.popularity[number] as number,
        sampleId: segment.ids.at(number),
      });
    found.push(...take(this.promoted, limit, (each) => wanted(each.number) && isAfter(each)));
    for (const row of firstOf(rows, limit, byPopularity, isAfter))
      found.push({ row, popularity: row.popularity, sampleId: row.sampleId });
    return found.sort(byPopularity).slice(0, limit);
  }

  /** Returns the passing samples that a project changes least, the most downloaded first among equals. */
  leastChanged(
    { filter, scope, project }: { filter: TrackFilter; scope: Scope; project: Project },
    limit: number,
    after?: ChangedPlace,
  ): (Ranked & ChangedPlace)[] {
    const { segment, promotedByNumber } = this;
    const changes = new ProjectChanges(segment, project);
    const from = after ? firstAfter(segment, after) : 0;
    const isLater = (number: number): boolean => {
      if (promotedByNumber.has(number)) return false;
      const change = changes.of(number);
      return !after || change > after.change || (change === after.change && number >= from);
    };
    const byNumber = (a: number, b: number): number => changes.of(a) - changes.of(b) || a - b;
    const passing = this.passing(filter, scope).numbers;
    const found: (Ranked & ChangedPlace)[] = firstOf(passing, limit, byNumber, isLater).map((number) => ({
      number,
      change: changes.of(number),
      popularity: segment.popularity[number] as number,
      sampleId: segment.ids.at(number),
    }));
    const sieve = new FilteredSamples(segment, filter, scope);
    for (const { number, ...place } of this.promoted)
      if (has(this.alive, number) && sieve.has(number))
        found.push({ number, ...place, change: changes.of(number) });
    for (const row of this.changed.rowsPassing(filter, scope))
      found.push({
        row,
        change: changeOf(fitOf(row, project)),
        popularity: row.popularity,
        sampleId: row.sampleId,
      });
    return found
      .filter((each) => !after || byChange(after, each) < 0)
      .sort(byChange)
      .slice(0, limit);
  }

  sampleOf(ranked: Ranked): FoundSample {
    const { row, number = 0, popularity, sampleId } = ranked;
    const card = () => this.cardOf(ranked);
    if (row) return { ...row, card };
    const { segment, names } = this;
    return {
      sampleId,
      titleLower: segment.titles.at(number),
      popularity,
      publishedAtMs: segment.publishedAtMs[number] as number,
      ...this.labelsOf(number),
      ...factsAt(segment.cards, number),
      instruments: instrumentsOf(segment, number).map((code) => names.instrument[code] as string),
      card,
    };
  }

  cardOf({ number = 0, row, sampleId }: Omit<Ranked, 'popularity'>): SampleCard {
    if (row) return cardOf(row);
    const { segment, names } = this;
    const packNumber = packOf(segment.cards, number);
    const { title, slug, artworkUrl, creator: creatorNumber } = this.packAt(packNumber);
    const by = (creator: Sample['creator']): Sample => {
      const card = cardAt(segment.cards, number);
      return {
        // The card comes first, because a literal that begins with a spread is built fastest.
        ...card,
        ...this.labelsOf(number),
        id: sampleId,
        creator,
        pack: { id: segment.packIds[packNumber] as string, title, slug },
        artworkUrl,
        instruments: card.instruments.map((code) => names.instrument[code] as string),
      };
    };
    return { creatorId: segment.creatorIds[creatorNumber] as string, by };
  }

  cardIn(packId: string, sampleId: string): SampleCard | undefined {
    const row = this.changed.find(packId, sampleId);
    if (row) return cardOf(row);
    const number = this.numberIn(packId, sampleId);
    return number !== undefined && has(this.alive, number) ? this.cardOf({ number, sampleId }) : undefined;
  }

  private labelsOf(number: number): Pick<Sample, 'key' | 'mood' | 'genre' | 'kind' | 'origin'> {
    const { names } = this;
    const { codes } = this.segment;
    return {
      key: names.key[codes.key[number] as number] || null,
      mood: names.mood[codes.mood[number] as number] as string,
      genre: names.genre[codes.genre[number] as number] as string,
      kind: names.kind[codes.kind[number] as number] as Kind,
      origin: (names.origin[codes.origin[number] as number] || null) as Origin | null,
    };
  }

  private packAt(number: number): PackCard {
    return (this.packCards[number] ??= JSON.parse(this.segment.cards.packs.at(number)) as PackCard);
  }

  private numberIn(packId: string, sampleId: string): number | undefined {
    const { segment } = this;
    return samplesOf(segment.packs, packId).find((each) => segment.ids.at(each) === sampleId);
  }

  /** Returns the samples of the segment that pass. The result is valid until the next call reuses its memory. */
  passing(filter: TrackFilter, scope: Scope): MatchingSamples {
    this.scratch ??= new Uint32Array(this.segment.size);
    return new MatchingSamples(this.segment, this.names, { filter, scope, alive: this.alive }, this.scratch);
  }

  /** Returns the first passing samples, from number `from`, that are not in `promoted`. */
  private ranked(sieve: FilteredSamples, within: Bitmap, limit: number, from: number): number[] {
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

  /** Like `ranked`, for a few samples that are known to pass. */
  private rankedOf(few: Uint32Array, limit: number, from: number): number[] {
    const isRanked = (number: number) => number >= from && !this.promotedByNumber.has(number);
    return firstOf(few, limit, (a, b) => a - b, isRanked);
  }

  private promote(packId: string, place: Place): void {
    const number = this.numberIn(packId, place.sampleId);
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

/** Returns the first `limit` wanted items in the order of `compare`, without sorting all items. */
function firstOf<Item>(
  items: ArrayLike<Item>,
  limit: number,
  compare: (a: Item, b: Item) => number,
  wanted: (item: Item) => boolean,
): Item[] {
  const first: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item;
    const isFull = first.length === limit;
    if ((isFull && compare(item, first[limit - 1] as Item) > 0) || !wanted(item)) continue;
    let place = isFull ? limit - 1 : first.length;
    for (; place > 0 && compare(first[place - 1] as Item, item) > 0; place--)
      first[place] = first[place - 1] as Item;
    first[place] = item;
  }
  return first;
}
