import { firstDealQuery } from '../../api/catalogue.js';
import type { FirstQueries } from '../../page.js';

const queries: FirstQueries = () => [firstDealQuery];
export default queries;
