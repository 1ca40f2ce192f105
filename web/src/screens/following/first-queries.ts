import { feedQuery } from '../../api/account.js';
import { query } from '../../api/api.js';
import type { FirstQueries } from '../../page.js';

export default (() => [feedQuery, query('GET /api/following')]) satisfies FirstQueries;
