import type { Counts } from '../../platform/search/facets.js';
import type { Scope } from '../../platform/search/rows.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Database } from '../../platform/database/database.js';
import { countsOfBrowse } from './sample-facets.js';

const KEPT_LIMIT = 1_000;

/**
 * Caches exact counts over the whole catalogue until it changes. A count costs a scan, and reads are far more
 * frequent than changes.
 */
export class BrowseCounts {
  private readonly kept = new Map<string, Promise<Counts>>();
  private keptFor = -1;

  constructor(private readonly database: Database) {}

  async of(filter: TrackFilter, scope: Scope): Promise<Counts> {
    const change = await this.lastChange();
    if (change === undefined) return countsOfBrowse(this.database, filter, scope);
    if (change !== this.keptFor || this.kept.size >= KEPT_LIMIT) this.kept.clear();
    this.keptFor = change;
    const key = JSON.stringify([filter, scope]);
    const kept = this.kept.get(key);
    if (kept) return kept;
    const counting = countsOfBrowse(this.database, filter, scope);
    this.kept.set(key, counting);
    counting.catch(() => this.kept.delete(key));
    return counting;
  }

  /** The position of the last change to any pack. Undefined while the search lags behind it. */
  private async lastChange(): Promise<number | undefined> {
    const { changed, followed } = await this.database.db
      .selectNoFrom(({ selectFrom }) => [
        selectFrom('pack')
          .select(({ fn }) => fn.max<number | null>('position').as('position'))
          .as('changed'),
        selectFrom('checkpoint').select('position').where('name', '=', 'catalogue-search').as('followed'),
      ])
      .executeTakeFirstOrThrow();
    return changed !== null && followed !== null && followed >= changed ? changed : undefined;
  }
}
