import type { SoundHistograms } from '../../../application/catalogue/contract.js';
import type { Project } from '../../../domain/catalogue/fit.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { alikeSamples, type Alike, type AlikeQuery } from './alike-samples.js';
import { has, type Bitmap } from './bitmap.js';
import { countAll, FEW, type Counted } from './count-all.js';
import type { Counts } from './labels.js';
import { LiveCatalogue } from './live-catalogue.js';
import type { CatalogueRow, ChangedPlace, Listed, Place, SampleCard, Scope } from './rows.js';
import type { Segment } from './segment.js';
import { hasText } from './search-words.js';
import { FilteredSamples } from './filtered-samples.js';
import { soundHistograms } from './passing-sounds.js';
import { TextMatches, type NamedWord } from './text-matches.js';

const KEPT_COUNTS_LIMIT = 1_000;

export class CatalogueIndex {
  private readonly live: LiveCatalogue;
  private readonly keptCounts = new Map<string, Counted>();
  /** Id of the newest sound description that the index contains. */
  describedId: number;

  constructor(
    segment: Segment,
    public position: number,
  ) {
    this.live = new LiveCatalogue(segment);
    this.describedId = segment.describedId;
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

  matching(text: string, words: readonly NamedWord[] = []): TextMatches {
    return new TextMatches(this.live, text, words);
  }

  browse(filter: TrackFilter, scope: Scope, limit: number, after?: Place): (Place & Listed)[] {
    const rows = this.live.changed.firstPassing(filter, scope, limit, after);
    const sieve = new FilteredSamples(this.live.segment, filter, scope);
    const counted = this.count(filter, scope);
    const few = counted.few ?? (counted.total < FEW ? this.live.passing(filter, scope).numbers : undefined);
    const best = this.live.best(sieve, rows, limit, { after, few });
    return best.map((each) => ({ ...each, card: () => this.live.cardOf(each) }));
  }

  /** Like `browse`, but the samples that a project changes least come first. */
  leastChanged(
    asked: { filter: TrackFilter; scope: Scope; project: Project },
    limit: number,
    after?: ChangedPlace,
  ): (ChangedPlace & Listed)[] {
    const best = this.live.leastChanged(asked, limit, after);
    return best.map((each) => ({ ...each, card: () => this.live.cardOf(each) }));
  }

  /** Returns samples that sound alike, nearest first: at most two of one creator among the first ten. */
  alike(query: AlikeQuery, filter: TrackFilter, scope: Scope): Alike[] {
    return alikeSamples(this.live, query, filter, scope);
  }

  soundHistograms(filter: TrackFilter, scope: Scope, matches?: TextMatches): SoundHistograms {
    return soundHistograms(this.live, filter, scope, matches);
  }

  card(packId: string, sampleId: string): SampleCard | undefined {
    return this.live.cardIn(packId, sampleId);
  }

  counts(filter: TrackFilter, scope: Scope): Counts {
    const { total, facets } = this.count(filter, scope);
    return { total, facets };
  }

  private count(filter: TrackFilter, scope: Scope): Counted {
    // Do not cache: the samples that a viewer owns change with each purchase.
    if (scope.owned) return countAll(this.live, filter, scope);
    const key = JSON.stringify([filter, scope]);
    const kept = this.keptCounts.get(key);
    if (kept) return kept;
    if (this.keptCounts.size >= KEPT_COUNTS_LIMIT) this.keptCounts.clear();
    const counted = countAll(this.live, filter, scope);
    this.keptCounts.set(key, counted);
    return counted;
  }

  /** Returns ids of published packs whose title contains a text: exact titles first, then larger packs. */
  packsTitled(text: string, limit: number): string[] {
    const { segment, changed, alive } = this.live;
    const found = segment.packTitles.having(text).map((number) => ({
      packId: segment.packIds[number] as string,
      title: segment.packTitles.at(number),
      samples: countOfPack(segment, alive, number),
    }));
    for (const [packId, rows] of changed.packs)
      if (rows[0] && hasText(rows[0].packLower, text, false))
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

/** Returns how many samples a pack has, or 0 if it left the segment. Packs leave as a whole, so checks one sample. */
function countOfPack(segment: Segment, alive: Bitmap, number: number): number {
  const [first] = segment.packs.samples.of(number);
  return first !== undefined && has(alive, first) ? segment.packs.samples.countOf(number) : 0;
}
