import { query } from '../../api/api.js';
import { creatorQuery, exportsQuery, ledgerQuery } from '../../api/account.js';
import type { FirstQueries } from '../../page.js';

/** The number of lines that the list of credit movements shows at first. */
export const LATEST = 10;
/** The number of credit movements to fetch. The list shows all movements of one pack's purchase as one line. */
export const ALL = 100;

export const TABS = [
  { id: 'account', label: 'Account' },
  { id: 'credits', label: 'Subscription & Credits' },
  { id: 'security', label: 'Security' },
] as const;

export function tabOf(search: URLSearchParams): (typeof TABS)[number]['id'] {
  // The payment page returns to an address that has `checkout` but no `tab`.
  if (search.has('checkout')) return 'credits';
  return TABS.find(({ id }) => id === search.get('tab'))?.id ?? 'account';
}

export default (({ search }) =>
  ({
    account: [
      creatorQuery,
      exportsQuery('me'),
      query('GET /api/notifications'),
      query('GET /api/library/file-names'),
    ],
    credits: [
      query('GET /api/credits'),
      query('GET /api/plans'),
      query('GET /api/subscription'),
      ledgerQuery(ALL),
    ],
    security: [query('GET /api/me/factors'), query('GET /api/me/sessions')],
  })[tabOf(search)]) satisfies FirstQueries;
