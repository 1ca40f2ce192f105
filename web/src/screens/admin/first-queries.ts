import { query } from '../../api/api.js';
import {
  applicationsQuery,
  deferredReturnsQuery,
  everyCollectionQuery,
  mailsQuery,
  reportsQuery,
} from '../../api/admin.js';
import { complaintsQuery } from '../../api/admin-complaints.js';
import { copiesQuery } from '../../api/copies.js';
import type { FirstQueries, FirstQuery } from '../../page.js';

/** The queries that each page needs first, by the part of its address after `/admin/`. */
const QUERIES: Record<string, readonly FirstQuery[]> = {
  '': [applicationsQuery('applied')],
  collections: [query('GET /api/admin/featured-collections'), everyCollectionQuery],
  complaints: [complaintsQuery('waiting')],
  copies: [copiesQuery('open'), query('GET /api/admin/copies/counts')],
  jobs: [query('GET /api/admin/jobs')],
  mails: [query('GET /dev/info'), mailsQuery('')],
  reports: [reportsQuery],
  takedowns: [deferredReturnsQuery],
};

const queries: FirstQueries = ({ params }) => QUERIES[params['*'] ?? ''] ?? [];
export default queries;
