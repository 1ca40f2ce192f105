import {
  applicationsQuery,
  deferredReturnsQuery,
  everyCollectionQuery,
  featuredCollectionsQuery,
  jobsQuery,
  mailboxQuery,
  mailsQuery,
  reportsQuery,
} from '../../api/admin.js';
import { complaintsQuery } from '../../api/admin-complaints.js';
import { copiesQuery, copyCountsQuery } from '../../api/copies.js';
import type { FirstQueries, FirstQuery } from '../../page.js';

/** Keyed by the rest of the address. */
const QUERIES: Record<string, readonly FirstQuery[]> = {
  '': [applicationsQuery('applied')],
  collections: [featuredCollectionsQuery, everyCollectionQuery],
  complaints: [complaintsQuery('waiting')],
  copies: [copiesQuery('open'), copyCountsQuery],
  credits: [],
  jobs: [jobsQuery],
  mails: [mailboxQuery, mailsQuery('')],
  refunds: [],
  reports: [reportsQuery],
  sessions: [],
  takedowns: [deferredReturnsQuery],
};

const queries: FirstQueries = ({ params }) => QUERIES[params['*'] ?? ''] ?? [];
export default queries;
