import { downloadsQuery, savedQuery } from '../../api/account.js';
import type { FirstQueries } from '../../page.js';

const queries: FirstQueries = () => [savedQuery, downloadsQuery];
export default queries;
