import { creatorQuery, creditsQuery, ledgerQuery, plansQuery, subscriptionQuery } from '../../api/account.js';
import { exportsQuery } from '../../api/exports.js';
import { factorsQuery, sessionsQuery } from '../../api/security.js';
import type { FirstQueries } from '../../page.js';

/** Number of credit movements that are shown at first. */
export const LATEST = 10;
/** Number of movements that are fetched: a pack is one line for all its samples. */
export const ALL = 100;

export const TABS = [
  { id: 'account', label: 'Account' },
  { id: 'credits', label: 'Subscription & Credits' },
  { id: 'security', label: 'Security' },
] as const;

/** The tab in an address, `account` by default. */
export function tabOf(search: URLSearchParams): (typeof TABS)[number]['id'] {
  // The payment page returns to the address without a tab.
  if (search.has('checkout')) return 'credits';
  return TABS.find(({ id }) => id === search.get('tab'))?.id ?? 'account';
}

const queries: FirstQueries = ({ search }) =>
  ({
    account: [creatorQuery, exportsQuery('me')],
    credits: [creditsQuery, plansQuery, subscriptionQuery, ledgerQuery(ALL)],
    security: [factorsQuery, sessionsQuery],
  })[tabOf(search)];
export default queries;
