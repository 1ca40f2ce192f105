/** Raw SQL: one statement counts all facets, each over its own set. */
import { FACETS, lifted, noFacets, type Counts, type Facet } from '../../platform/search/facets.js';
import type { Scope } from '../../platform/search/rows.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Database } from '../../platform/database/database.js';
import { filterConditions } from './sample-filter.js';
import { scopeConditions } from './sample-search.js';

/** Returns the number of samples that pass the filter, and the counts of each facet. */
export async function countsOfBrowse(database: Database, filter: TrackFilter, scope: Scope): Promise<Counts> {
  const values: unknown[] = [];
  const where = (each: TrackFilter): string => {
    const conditions = [...filterConditions(each, values), ...scopeConditions(scope, values)];
    return conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  };
  const count = (facet: Facet): string => {
    const value = facet === 'instrument' ? 'unnest(instruments)' : facet;
    return `select '${facet}' as facet, value, count(*)::int as count
              from (select ${value} as value from catalogue_sample ${where(lifted(filter, facet))}) as each
             where value is not null group by value`;
  };
  const { rows } = await database.pool.query<{ facet: Facet | 'total'; value: string; count: number }>(
    `select 'total' as facet, '' as value, count(*)::int as count from catalogue_sample ${where(filter)}
     union all ${FACETS.map(count).join(' union all ')}`,
    values,
  );
  const facets = noFacets();
  let total = 0;
  for (const row of rows) {
    if (row.facet === 'total') total = row.count;
    else facets[row.facet][row.value] = row.count;
  }
  return { total, facets };
}
