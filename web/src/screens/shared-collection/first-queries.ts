import { query } from '../../api/api.js';
import type { FirstQueries } from '../../page.js';

export default (({ params: { token = '' } }) => [
  query('GET /api/collections/shared/:token', { params: { token } }),
]) satisfies FirstQueries;
