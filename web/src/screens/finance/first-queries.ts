import { query } from '../../api/api.js';
import { waitingQuery } from '../../api/approvals.js';
import {
  ageingQuery,
  creatorAccountQuery,
  creatorAccountsQuery,
  creatorStatementsQuery,
  eventsQuery,
  keptTieOutQuery,
  lateFactsQuery,
  missingFactsQuery,
  monthlyRollforwardQuery,
  proofQuery,
  rollforwardQuery,
  salesUnderReviewQuery,
  statementOfMonthQuery,
  statementQuery,
  trialBalanceQuery,
} from '../../api/finance.js';
import { exportsQuery } from '../../api/account.js';
import type { FirstQueries, FirstQuery } from '../../page.js';
import { thisMonth } from '../../staff/dates.js';

/**
 * The queries that each page needs first, by the part of its address after `/finance/`. `of` is the next part of the
 * address, if any; `said` reads a query parameter. The reconciliation is not prefetched, because the server checks
 * every rule of the books for each request.
 */
const QUERIES: Record<string, (of: string, said: (name: string) => string) => readonly FirstQuery[]> = {
  '': () => [
    trialBalanceQuery('', true),
    query('GET /api/finance/balances-over-time'),
    rollforwardQuery(`${thisMonth()}-01`),
    query('GET /api/finance/checks'),
    query('GET /api/finance/open-items'),
    query('GET /api/finance/provider-balances'),
    query('GET /api/finance/tie-outs'),
    query('GET /api/finance/materiality'),
    eventsQuery({ stream: '', type: '', from: '' }),
  ],
  'trial-balance': (_, said) => [
    trialBalanceQuery(said('asOf'), true),
    query('GET /api/finance/provider-balances'),
    query('GET /api/finance/tie-outs'),
    exportsQuery('finance'),
  ],
  stripe: (id) =>
    id ? [keptTieOutQuery(id)] : [query('GET /api/finance/tie-outs'), query('GET /api/finance/materiality')],
  approvals: () => [waitingQuery('finance')],
  accounts: (account, said) => [
    account ? statementQuery(account, said('month')) : trialBalanceQuery('', false),
  ],
  'roll-forward': (_, said) => [monthlyRollforwardQuery(said('user'))],
  creators: (id, said) =>
    id ? [creatorAccountQuery(id), creatorStatementsQuery(id)] : [creatorAccountsQuery(said('search'))],
  'sales-under-review': () => [salesUnderReviewQuery],
  claims: () => [query('GET /api/finance/claims')],
  suspense: () => [query('GET /api/finance/open-items'), query('GET /api/finance/materiality')],
  periods: () => [
    query('GET /api/finance/balances-over-time'),
    query('GET /api/finance/periods'),
    lateFactsQuery,
  ],
  statement: (_, said) => [
    query('GET /api/finance/balances-over-time'),
    ...(said('month') ? [statementOfMonthQuery(said('month'))] : []),
  ],
  reports: (_, said) => [
    query('GET /api/finance/reports/deferred'),
    ageingQuery(said('asOf')),
    query('GET /api/finance/periods'),
    query('GET /api/finance/account-map'),
  ],
  'creator-taxes': (_, said) =>
    said('year')
      ? [query('GET /api/finance/reports/creator-taxes/:year', { params: { year: said('year') } })]
      : [],
  proof: (userId) => (userId ? [proofQuery(userId)] : []),
  restore: (_, said) => (said('since') ? [missingFactsQuery(said('since'))] : []),
  events: (_, said) => [eventsQuery({ stream: said('stream'), type: said('type'), from: said('from') })],
};

const queries: FirstQueries = ({ params, search }) => {
  const [page = '', of = ''] = (params['*'] ?? '').split('/');
  return QUERIES[page]?.(of, (name) => search.get(name) ?? '') ?? [];
};
export default queries;
