import {
  adjustmentsQuery,
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
import { copyCountsQuery, openCopiesQuery } from '../../api/copies.js';
import type { FirstQueries, FirstQuery } from '../../page.js';

/** By the rest of the address. */
const QUERIES: Record<string, readonly FirstQuery[]> = {
  '': [applicationsQuery('applied')],
  collections: [featuredCollectionsQuery, everyCollectionQuery],
  complaints: [complaintsQuery('waiting')],
  copies: [openCopiesQuery, copyCountsQuery],
  credits: [adjustmentsQuery],
  jobs: [jobsQuery],
  mails: [mailboxQuery, mailsQuery('')],
  refunds: [],
  reports: [reportsQuery],
  sessions: [],
  takedowns: [deferredReturnsQuery],
};

const queries: FirstQueries = ({ params }) => QUERIES[params['*'] ?? ''] ?? [];
export default queries;
