import { visitorSearch } from '../../filters/search-request.js';
import type { FirstQueries } from '../../page.js';

export default (({ search }) => [visitorSearch(search)]) satisfies FirstQueries;
