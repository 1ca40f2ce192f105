import { type SamplesRequest, samplesQuery } from '../../api/catalogue.js';
import { type Filters, filtersFrom, requestOf } from '../../filters/filters.js';
import type { FirstQueries } from '../../page.js';

/** The sort orders, in the order in which the screen offers them. */
export const SORTS = ['relevance', 'new', 'popular', 'tempo', 'length'] as const;

export function searchRequest(search: URLSearchParams, filters: Filters): SamplesRequest {
  const q = search.get('q')?.trim() || undefined;
  const sort = SORTS.find((each) => each === search.get('sort'));
  return { q, sort, mode: 'search', ...requestOf(filters) };
}

export default (({ search }) => [
  samplesQuery(searchRequest(search, { ...filtersFrom(search), owned: null })),
]) satisfies FirstQueries;
