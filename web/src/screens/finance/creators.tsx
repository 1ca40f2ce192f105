import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { CreatorAccount, CreatorAccounts } from '../../../../application/payouts/contract.js';
import { creatorAccountsQuery } from '../../api/finance.js';
import { usePages } from '../../staff/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';
import { Money } from './micro-money.js';
import { AwaitedRows } from './parts/awaited-rows.js';
import { type Column, DataTable } from './parts/data-table.js';
import { PageHead } from './parts/page.js';

const AMOUNTS = [
  ['Earned', 'earnedMicroUsd', 1],
  ['Taken back', 'takenBackMicroUsd', -1],
  ['In transit', 'inTransitMicroUsd', -1],
  ['Paid', 'paidMicroUsd', -1],
  ['Written off', 'writtenOffMicroUsd', 1],
  ['Balance', 'balanceMicroUsd', 1],
] as const;

function columnsOf(totals: CreatorAccounts['totals'] | undefined): Column<CreatorAccount>[] {
  return [
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
      const signed = (account: CreatorAccounts['totals']) => account[name] * sign || 0;
      return {
        label,
        value: (account) => ({ microUsd: signed(account) }),
        // We paid for sales that were taken back later, so the creator owes us.
        ...(name === 'balanceMicroUsd' && {
          cell: (account: CreatorAccount) => (
            <span className={signed(account) < 0 ? 'text-danger' : undefined}>
              <Money microUsd={signed(account)} />
            </span>
          ),
        }),
        total: totals && { microUsd: signed(totals) },
      };
    }),
  ];
}

/** Every creator who ever earned, with the amount owed and its parts. */
export function CreatorsPage() {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const list = usePages(creatorAccountsQuery(search));
  const rows = list.data?.items ?? [];
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('search')).trim();
    setParameters(text ? { search: text } : {});
  };
  return (
    <>
      <PageHead
        title="Creators"
        note="What each creator earned, was paid and is owed. The amounts of a row add up to its balance."
      >
        <form key={search} className="flex gap-2 max-md:w-full" onSubmit={find}>
          <Input
            name="search"
            label="Name, handle or id"
            hideLabel
            placeholder="Name, handle or id"
            defaultValue={search}
            autoComplete="off"
            className="w-65 max-md:w-0 max-md:flex-1"
          />
          <Button
            type="submit"
            className="min-h-11!"
            icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
          >
            Find
          </Button>
        </form>
      </PageHead>
      <AwaitedRows
        query={list}
        what="creators"
        rows={rows}
        none={{
          title: 'No creators',
          text: search
            ? `No creator with earnings matches “${search}”.`
            : 'No creator has earned anything yet.',
        }}
      >
        <DataTable
          title="Accounts of creators"
          note={`${countOf(list.first?.total ?? 0, 'creator')}${search && ` matching “${search}”`}, the highest balances first`}
          file={search ? `creators-${search}` : 'creators'}
          className="fin-sticky"
          columns={columnsOf(list.first?.totals)}
          rows={rows}
          pages={list}
          more="More creators"
          keyOf={({ creatorId }) => creatorId}
          empty=""
        />
      </AwaitedRows>
    </>
  );
}
