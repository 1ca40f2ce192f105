import type { SamplePage } from '../../../application/catalogue/contract.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Database } from '../database.js';
import { filterConditions } from './sample-filter.js';
import { findByText, scopeConditions, type FoundSample, type Scope } from './sample-search.js';

type Facets = SamplePage['facets'];
type Facet = keyof Facets;

/** The filter without one kind of choice: what the other options of that kind would find. */
const lifted = (filter: TrackFilter, facet: Facet): TrackFilter => ({
  ...filter,
  ...{ key: { key: undefined }, mood: { moods: [] }, genre: { genres: [] }, instrument: { instruments: [] } }[facet],
}); // prettier-ignore

const chosen = (filter: TrackFilter, facet: Facet): boolean =>
  ({ key: filter.key !== undefined, mood: filter.moods.length > 0, genre: filter.genres.length > 0, instrument: filter.instruments.length > 0 })[facet]; // prettier-ignore

const valuesOf = (row: FoundSample, facet: Facet): string[] =>
  facet === 'instrument'
    ? row.instruments
    : facet === 'key'
      ? row.key === null
        ? []
        : [row.key]
      : [row[facet]];

const FACETS: Facet[] = ['key', 'mood', 'genre', 'instrument'];

/** Counts for each option, its own kind of choice lifted, among what a text finds. */
export async function facetsOfText(
  database: Database,
  text: string,
  filter: TrackFilter,
  scope: Scope,
  found: readonly FoundSample[],
): Promise<Facets> {
  const facets: Facets = { key: {}, mood: {}, genre: {}, instrument: {} };
  for (const facet of FACETS) {
    const rows = chosen(filter, facet)
      ? await findByText(database, text, lifted(filter, facet), scope)
      : found;
    for (const value of rows.flatMap((row) => valuesOf(row, facet)))
      facets[facet][value] = (facets[facet][value] ?? 0) + 1;
  }
  return facets;
}

/** How many samples pass, and the same counts over all of them. */
export async function countsOfBrowse(
  database: Database,
  filter: TrackFilter,
  scope: Scope,
): Promise<{ total: number; facets: Facets }> {
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
  const facets: Facets = { key: {}, mood: {}, genre: {}, instrument: {} };
  let total = 0;
  for (const row of rows) {
    if (row.facet === 'total') total = row.count;
    else facets[row.facet][row.value] = row.count;
  }
  return { total, facets };
}
