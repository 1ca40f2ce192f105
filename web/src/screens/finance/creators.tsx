import { Link } from 'react-router-dom';
import type { CreatorAccount, CreatorAccounts } from '../../../../application/payouts/contract.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { creatorAccountsQuery } from '../../api/finance.js';
import { type Column, Money } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';
import { countOf } from '../../ui/format.js';

/** The amounts that add up to the balance, with their signs. */
export const AMOUNTS = [
  ['Earned', 'earnedMicroUsd', 1],
  ['Taken back', 'takenBackMicroUsd', -1],
  ['In transit', 'inTransitMicroUsd', -1],
  ['Paid', 'paidMicroUsd', -1],
  ['Written off', 'writtenOffMicroUsd', 1],
] as const;

const columnsOf = (totals: CreatorAccounts['totals'] | undefined): Column<CreatorAccount>[] => [
  {
    label: 'Creator',
    value: ({ displayName }) => displayName,
    total: 'Total',
    cell: ({ creatorId, displayName, handle }) => (
      <>
        <Link className="font-semibold hover:underline" to={staffPaths.financeCreator(creatorId)}>
          {displayName}
        </Link>
        {handle && <span className="ml-2 text-xs text-faint max-md:block max-md:ml-0">{handle}</span>}
      </>
    ),
  },
  ...AMOUNTS.map(([label, name, sign]): Column<CreatorAccount> => {
    const signed = (account: CreatorAccounts['totals']) => ({ microUsd: account[name] * sign || 0 });
    return { label, value: signed, total: totals && signed(totals) };
  }),
  {
    label: 'Balance',
    value: ({ balanceMicroUsd }) => ({ microUsd: balanceMicroUsd }),
    // We paid for sales that were taken back later, so the creator owes us.
    cell: ({ balanceMicroUsd }) => (
      <span className={balanceMicroUsd < 0 ? 'text-danger' : undefined}>
        <Money microUsd={balanceMicroUsd} />
      </span>
    ),
    total: totals && { microUsd: totals.balanceMicroUsd },
  },
];

export const CreatorsPage = listPage({
  heading: 'Creators',
  about: 'What each creator earned, was paid and is owed. The amounts of a row add up to its balance.',
  filters: {
    search: {
      label: 'Name, handle or id',
      hideLabel: true,
      placeholder: 'Name, handle or id',
      className: 'w-65 max-md:w-0 max-md:flex-1',
    },
  },
  useRows: ({ search }) => usePages(creatorAccountsQuery(search)),
  list: ({ first }, { search }) => ({
    what: 'creators',
    title: 'Accounts of creators',
    note: `${countOf(first?.total ?? 0, 'creator')}${search && ` matching “${search}”`}, the highest balances first`,
    file: search ? `creators-${search}` : 'creators',
    sideways: true,
    columns: columnsOf(first?.totals),
    more: 'More creators',
    keyOf: ({ creatorId }) => creatorId,
    empty: {
      title: 'No creators',
      text: search ? `No creator with earnings matches “${search}”.` : 'No creator has earned anything yet.',
    },
  }),
});
