import { type SamplesRequest, samplesQuery } from '../../api/catalogue.js';
import { filtersFrom, requestOf } from '../../filters/filters.js';
import type { FirstQueries } from '../../page.js';

export function searchRequest(search: URLSearchParams): SamplesRequest {
  const q = search.get('q')?.trim() || undefined;
  return { q, mode: 'search', ...requestOf(filtersFrom(search)) };
}

export default (({ search }) => [samplesQuery(searchRequest(search))]) satisfies FirstQueries;
