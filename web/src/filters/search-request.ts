import { type SamplesRequest, samplesQuery } from '../api/catalogue.js';
import { type Filters, filtersFrom, requestOf } from './filters.js';

/** The sort orders, in the order in which the screen offers them. */
export const SORTS = ['relevance', 'new', 'popular', 'tempo', 'length'] as const;

export function searchRequest(search: URLSearchParams, filters: Filters): SamplesRequest {
  const q = search.get('q')?.trim() || undefined;
  const sort = SORTS.find((each) => each === search.get('sort'));
  return { q, sort, mode: 'search', ...requestOf(filters) };
}

/** The search of an address, as a visitor makes it who is not signed in. */
export const visitorSearch = (search: URLSearchParams) =>
  samplesQuery(searchRequest(search, { ...filtersFrom(search), owned: null }));
