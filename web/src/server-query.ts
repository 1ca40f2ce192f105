import { visitorSearch } from './filters/search-request.js';
import type { Address, FirstQuery, Page } from './page.js';
import { PAGES } from './pages.js';

/**
 * The query that the server asks before it renders a page. The query of the search is made here instead of in the
 * page's `load`, so that other pages do not load the code of the filters.
 */
export const serverQuery = (page: Page, address: Address): FirstQuery | undefined =>
  page === PAGES.search ? visitorSearch(address.search) : page.load?.(address);
