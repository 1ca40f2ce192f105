import { query } from '../../api/api.js';
import type { FirstQueries } from '../../page.js';

export default (({ params: { id = '' } }) => [
  query('GET /api/collections/own/:id', { params: { id } }),
]) satisfies FirstQueries;
