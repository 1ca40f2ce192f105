import { waitingQuery } from '../../api/approvals.js';
import {
  accountMapQuery,
  ageingQuery,
  balancesOverTimeQuery,
  bookChecksQuery,
  claimsQuery,
  creatorAccountQuery,
  creatorAccountsQuery,
  creatorStatementsQuery,
  deferredQuery,
  eventsQuery,
  keptTieOutQuery,
  lateFactsQuery,
  monthlyRollforwardQuery,
  openItemsQuery,
  periodsQuery,
  proofQuery,
  providerBalancesQuery,
  rollforwardQuery,
  salesUnderReviewQuery,
  statementQuery,
  tieOutsQuery,
  trialBalanceQuery,
} from '../../api/finance.js';
import { exportsQuery } from '../../api/exports.js';
import type { FirstQueries, FirstQuery } from '../../page.js';
import { thisMonth } from '../../staff/dates.js';

/**
 * Keyed by the first part of the rest of the address. Each gets the second part, if any, and reads parameters of the
 * query. The reconciliation is not prefetched, because it adds up the books.
 */
const QUERIES: Record<string, (of: string, said: (name: string) => string) => readonly FirstQuery[]> = {
  '': () => [
    trialBalanceQuery('', true),
    balancesOverTimeQuery,
    rollforwardQuery(`${thisMonth()}-01`),
    bookChecksQuery,
    openItemsQuery,
    providerBalancesQuery,
    tieOutsQuery,
    eventsQuery({ stream: '', type: '', from: '' }),
  ],
  'trial-balance': (_, said) => [
    trialBalanceQuery(said('asOf'), true),
    providerBalancesQuery,
    tieOutsQuery,
    exportsQuery('finance'),
  ],
  stripe: (id) => [id ? keptTieOutQuery(id) : tieOutsQuery],
  approvals: () => [waitingQuery('finance')],
  accounts: (account) => [account ? statementQuery(account) : trialBalanceQuery('', false)],
  'roll-forward': (_, said) => [monthlyRollforwardQuery(said('user'))],
  creators: (id, said) =>
    id ? [creatorAccountQuery(id), creatorStatementsQuery(id)] : [creatorAccountsQuery(said('search'))],
  'sales-under-review': () => [salesUnderReviewQuery],
  claims: () => [claimsQuery],
  suspense: () => [openItemsQuery],
  periods: () => [balancesOverTimeQuery, periodsQuery, lateFactsQuery],
  reports: (_, said) => [deferredQuery, ageingQuery(said('asOf')), periodsQuery, accountMapQuery],
  proof: (userId) => (userId ? [proofQuery(userId)] : []),
  events: (_, said) => [eventsQuery({ stream: said('stream'), type: said('type'), from: said('from') })],
};

const queries: FirstQueries = ({ params, search }) => {
  const [page = '', of = ''] = (params['*'] ?? '').split('/');
  return QUERIES[page]?.(of, (name) => search.get(name) ?? '') ?? [];
};
export default queries;
