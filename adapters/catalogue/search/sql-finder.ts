import { SEARCH_LIMIT } from '../../../application/catalogue/values.js';
import { FACETS, chosen, facetsOf, lifted, type Counts, type Facet } from '../../platform/search/facets.js';
import type { FoundSample, Scope } from '../../platform/search/rows.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Database } from '../../platform/database/database.js';
import { BrowseCounts } from './browse-counts.js';
import { SampleFinder, type FoundByText, type FoundPage, type PageQuery } from './sample-finder.js';
import { browse, searchByText, wordPattern } from './sample-search.js';
import { likeLiteral } from '../../platform/database/json-shapes.js';

/** Searches the search table. It always works, and is the reference for the index in memory. */
export class SqlFinder implements SampleFinder {
  private readonly counts: BrowseCounts;

  constructor(private readonly database: Database) {
    this.counts = new BrowseCounts(database);
  }

  async byText(text: string, filter: TrackFilter, scope: Scope): Promise<FoundByText> {
    const { find, dropped } = await searchByText(this.database, text, filter, scope, SEARCH_LIMIT);
    const found = await find(filter);
    const perFacet = {} as Record<Facet, FoundSample[]>;
    for (const facet of FACETS)
      perFacet[facet] = chosen(filter, facet) ? await find(lifted(filter, facet)) : found;
    return { found, dropped, facets: facetsOf(perFacet) };
  }

  async browse(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage & Counts> {
    const [page, counts] = await Promise.all([
      browse(this.database, query, filter, scope),
      this.counts.of(filter, scope),
    ]);
    return { ...page, ...counts };
  }

  async samplesTitled(text: string, limit: number): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('catalogue_sample')
      .select('sample_id')
      .where('title_lower', 'like', `%${likeLiteral(text)}%`)
      .where('title_lower', '~', wordPattern(text))
      .orderBy(({ eb }) => eb('title_lower', '=', text), 'desc')
      .orderBy('popularity', 'desc')
      .orderBy('sample_id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.sample_id);
  }

  async packsTitled(text: string, limit: number): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('pack')
      .select('pack_id')
      .where('listed', '=', true)
      .where('title_lower', 'like', `%${likeLiteral(text)}%`)
      .where('title_lower', '~', wordPattern(text))
      .orderBy(({ eb }) => eb('title_lower', '=', text), 'desc')
      .orderBy('sample_count', 'desc')
      .orderBy('pack_id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.pack_id);
  }
}
