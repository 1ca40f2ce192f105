import { passesFilter, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { has, intersect, subtract, type Bitmap } from './bitmap.js';
import { countAll } from './count-all.js';
import type { Counts } from './facets.js';
import { filterBits } from './filter-bits.js';
import { LiveCatalogue } from './live-catalogue.js';
import { inScope, type CatalogueRow, type FoundSample, type Place, type Scope } from './rows.js';
import type { Segment } from './segment.js';
import { othersMatching, titlesContaining, titlesEqualTo } from './text-match.js';

const KEPT_COUNTS_LIMIT = 1_000;

/** Answers search, filters, counts and suggestions from memory, as the search table would. */
export class CatalogueIndex {
  private readonly live: LiveCatalogue;
  private readonly keptCounts = new Map<string, Counts>();

  /** @param position of the log, as far as it is followed */
  constructor(
    segment: Segment,
    public position: number,
  ) {
    this.live = new LiveCatalogue(segment);
  }

  get changes(): { rows: number; promoted: number } {
    return this.live.changes;
  }

  get size(): number {
    return this.live.segment.size;
  }

  replacePacks(packIds: readonly string[], rows: readonly CatalogueRow[]): void {
    this.keptCounts.clear();
    this.live.replacePacks(packIds, rows);
  }

  rank(samples: readonly (Place & { packId: string })[]): void {
    this.live.rank(samples);
  }

  /** @param text as `searchText` makes it, not empty; @param creatorIds artists whose name matches */
  matching(text: string, creatorIds: readonly string[] = []): TextMatches {
    return new TextMatches(this.live, text, creatorIds);
  }

  /** Everything the filter lets through, most downloaded first. */
  browse(filter: TrackFilter, scope: Scope, limit: number, after?: Place): FoundSample[] {
    const passes = (row: CatalogueRow): boolean => passesFilter(row, filter) && inScope(row, scope);
    return this.live.best(filterBits(this.live.segment, filter, scope), passes, limit, after);
  }

  /** How many samples pass, and the count of each option with its own kind of choice lifted. */
  counts(filter: TrackFilter, scope: Scope): Counts {
    const key = JSON.stringify([filter, scope]);
    const kept = this.keptCounts.get(key);
    if (kept) return kept;
    if (this.keptCounts.size >= KEPT_COUNTS_LIMIT) this.keptCounts.clear();
    const counted = countAll(this.live, filter, scope);
    this.keptCounts.set(key, counted);
    return counted;
  }

  /** Ids of published packs whose title contains a text: the title itself first, then the larger. */
  packsTitled(text: string, limit: number): string[] {
    const { segment, packs, alive } = this.live;
    const found = segment.packTitles.containing(text).map((number) => ({
      packId: segment.packIds[number] as string,
      title: segment.packTitles.at(number),
      samples: countOfPack(segment, alive, number),
    }));
    for (const [packId, rows] of packs)
      if (rows[0]?.packLower.includes(text))
        found.push({ packId, title: rows[0].packLower, samples: rows.length });
    return found
      .filter((pack) => pack.samples > 0)
      .sort(
        (a, b) =>
          Number(b.title === text) - Number(a.title === text) ||
          b.samples - a.samples ||
          (a.packId < b.packId ? -1 : 1),
      )
      .slice(0, limit)
      .map((pack) => pack.packId);
  }
}

/** A pack changes as a whole, so that its first sample speaks for all of them. */
function countOfPack(segment: Segment, alive: Bitmap, number: number): number {
  const [first] = segment.packs.samples.of(number);
  return first !== undefined && has(alive, first) ? segment.packs.samples.countOf(number) : 0;
}

/** What a text finds: the title itself, then titles containing it, then the rest. */
export class TextMatches {
  private readonly tiers: (Bitmap | undefined)[] = [];

  constructor(
    private readonly live: LiveCatalogue,
    private readonly text: string,
    private readonly creatorIds: readonly string[],
  ) {}

  /** The best, most downloaded first within each tier. @param tiers 3: all; 2: titles only */
  best(filter: TrackFilter, scope: Scope, limit: number, tiers = 3): FoundSample[] {
    const { segment } = this.live;
    const filtered = filterBits(segment, filter, scope);
    const found: FoundSample[] = [];
    for (let tier = 0; tier < tiers && found.length < limit; tier++) {
      const bits = this.bitsOf(tier);
      const within = filtered ? intersect(bits.slice(), filtered) : bits;
      const passes = (row: CatalogueRow): boolean =>
        this.tierOf(row) === tier && passesFilter(row, filter) && inScope(row, scope);
      found.push(...this.live.best(within, passes, limit - found.length));
    }
    return found;
  }

  /** Made when first needed: the fifty best titles often leave no room for the rest. */
  private bitsOf(tier: number): Bitmap {
    return (this.tiers[tier] ??= this.makeBits(tier));
  }

  private makeBits(tier: number): Bitmap {
    const { segment } = this.live;
    if (tier === 0) return titlesEqualTo(segment, this.text);
    if (tier === 1) return subtract(titlesContaining(segment, this.text), this.bitsOf(0));
    const others = othersMatching(segment, this.text, this.creatorIds);
    return subtract(subtract(others, this.bitsOf(0)), this.bitsOf(1));
  }

  private tierOf(row: CatalogueRow): number | undefined {
    const { text } = this;
    if (row.titleLower === text) return 0;
    if (row.titleLower.includes(text)) return 1;
    const labels = [row.packLower, row.genre, row.mood, ...row.instruments];
    return labels.some((label) => label.toLowerCase().includes(text)) ||
      this.creatorIds.includes(row.creatorId)
      ? 2
      : undefined;
  }
}
