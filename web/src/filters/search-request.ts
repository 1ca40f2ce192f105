import type { Project } from '../../../application/catalogue/values.js';
import { type SamplesRequest, samplesQuery } from '../api/catalogue.js';
import { projectParameter } from '../project/project.js';
import { type Filters, filtersFrom, requestOf } from './filters.js';

/** The sort orders, in the order in which the screen offers them. */
export const SORTS = ['relevance', 'fits', 'new', 'popular', 'tempo', 'length'] as const;

type Sort = (typeof SORTS)[number];

/**
 * Returns the sort order in an address. `usual` is the default: by relevance if there is a search text, else by fit to
 * the open project if there is one, else by popularity.
 */
export function sortOf(search: URLSearchParams, project: Project | null): { sort: Sort; usual: Sort } {
  const hasText = Boolean(search.get('q')?.trim());
  const usual = hasText ? 'relevance' : project ? 'fits' : 'popular';
  const asked = SORTS.find((each) => each === search.get('sort'));
  const isPossible = asked && (asked !== 'relevance' || hasText) && (asked !== 'fits' || project !== null);
  return { sort: isPossible ? asked : usual, usual };
}

/** Converts an address to a request. @param project the open project; null if none is open, and on the server */
export function searchRequest(
  search: URLSearchParams,
  filters: Filters,
  project: Project | null,
): SamplesRequest {
  const q = search.get('q')?.trim() || undefined;
  const { sort } = sortOf(search, project);
  return {
    q,
    // Omits the order if it is the default of the server.
    sort: sort === (q ? 'relevance' : 'popular') ? undefined : sort,
    project: sort === 'fits' && project ? projectParameter(project) : undefined,
    mode: 'search',
    ...requestOf(filters, project),
  };
}

/** The query for the search in an address, for a guest without a project, as the server renders the page. */
export const visitorSearch = (search: URLSearchParams) =>
  samplesQuery(searchRequest(search, { ...filtersFrom(search), owned: null }, null));
