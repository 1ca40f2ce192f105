import { SEARCH_LIMIT } from '../../../application/catalogue/contract.js';
import {
  FACETS,
  chosen,
  facetsOf,
  lifted,
  type Counts,
  type Facet,
  type Facets,
} from '../../../application/catalogue/search/facets.js';
import type { FoundSample, Scope } from '../../../application/catalogue/search/rows.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Database } from '../../platform/database/database.js';
import { BrowseCounts } from './browse-counts.js';
import { SampleFinder, type FoundPage, type PageQuery } from './sample-finder.js';
import { browse, findByText } from './sample-search.js';
import { likeLiteral } from '../../platform/database/json-shapes.js';

/** Finds by asking the search table: always possible, and what the index in memory is held against. */
export class SqlFinder extends SampleFinder {
  private readonly counts: BrowseCounts;

  constructor(private readonly database: Database) {
    super();
    this.counts = new BrowseCounts(database);
  }

  override async byText(
    text: string,
    filter: TrackFilter,
    scope: Scope,
  ): Promise<{ found: FoundSample[]; facets: Facets }> {
    const find = (each: TrackFilter) => findByText(this.database, text, each, scope, SEARCH_LIMIT);
    const found = await find(filter);
    const perFacet = {} as Record<Facet, FoundSample[]>;
    for (const facet of FACETS)
      perFacet[facet] = chosen(filter, facet) ? await find(lifted(filter, facet)) : found;
    return { found, facets: facetsOf(perFacet) };
  }

  override async browse(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage & Counts> {
    const [page, counts] = await Promise.all([
      browse(this.database, query, filter, scope),
      this.counts.of(filter, scope),
    ]);
    return { ...page, ...counts };
  }

  override async samplesTitled(text: string, limit: number): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ sample_id: string }>(
      `select sample_id from catalogue_sample where title_lower like $1
        order by title_lower = $2 desc, popularity desc, sample_id limit $3`,
      [`%${likeLiteral(text)}%`, text, limit],
    );
    return rows.map((row) => row.sample_id);
  }

  override async packsTitled(text: string, limit: number): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ pack_id: string }>(
      `select pack_id from pack where status = 'published' and sample_count > 0 and title_lower like $1
        order by title_lower = $2 desc, sample_count desc, pack_id limit $3`,
      [`%${likeLiteral(text)}%`, text, limit],
    );
    return rows.map((row) => row.pack_id);
  }
}
