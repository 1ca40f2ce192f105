import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { AccountStatement, TrialBalance } from '../../../../application/ledger/contract.js';
import { statementQuery, trialBalanceQuery } from '../../api/finance.js';
import { usePagesOf } from '../../staff/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { countOf } from '../../ui/format.js';
import { EventDetail } from './event-detail.js';
import { Money } from './micro-money.js';
import { AwaitedRows } from './parts/awaited-rows.js';
import { CopyId } from './parts/copy-id.js';
import type { CellValue } from './parts/sheet.js';
import { amountsOf } from './parts/amounts.js';
import { type Column, DataTable } from './parts/data-table.js';
import { utcTime } from './parts/dates.js';
import { AccountName, By, actorOf } from './parts/named.js';
import { isOnWrongSide } from './parts/sides.js';
import { ExplainedPosition } from './trace/explained-id.js';

type Entry = AccountStatement['entries'][number];
type AccountRow = TrialBalance['accounts'][number];

interface HeadProps {
  trail: string;
  account: string;
  /** The name of the account's owner. */
  name?: string | undefined;
  children?: ReactNode;
}

function Head({ trail, account, name, children }: HeadProps) {
  return (
    <div className="mb-5">
      <p className="text-sm text-muted">
        <Link to={staffPaths.financeTrialBalance}>Trial balance</Link> / {trail}
      </p>
      <h1 className={name ? 'display mt-2 text-5xl' : 'mono mt-2 text-xl! break-all'}>{name ?? account}</h1>
      {name && (
        <p className="mt-2 text-muted">
          <CopyId text={account} of="account" short={50} />
        </p>
      )}
      {children}
    </div>
  );
}

/** The owner of an account, and a link to another page about them. */
function Elsewhere({ account }: { account: string }) {
  const [, kind, id = ''] = /^(user|frozen|creator):(.+)$/.exec(account) ?? [];
  if (!kind) return null;
  return (
    <span className="flex flex-wrap items-baseline gap-x-6">
      {kind === 'creator' ? (
        <Link className="underlined" to={staffPaths.financeCreator(id)}>
          Statements of this creator
        </Link>
      ) : (
        <Link className="underlined" to={staffPaths.financeProof(id)}>
          Prove this balance
        </Link>
      )}
    </span>
  );
}

function entryColumns(
  inCredits: boolean,
  open: number | undefined,
  setOpen: (position: number | undefined) => void,
): Column<Entry>[] {
  const amount = (microUsd: number, credits: number): CellValue => (inCredits ? credits : { microUsd });
  return [
    {
      label: 'When (UTC)',
      value: ({ at }) => at,
      cell: ({ at }) => <span className="whitespace-nowrap text-muted">{utcTime(at)}</span>,
    },
    { label: 'Position', value: ({ position }) => position },
    {
      label: 'Event',
      value: ({ event }) => event.type,
      cell: ({ event, position }) => (
        <button
          type="button"
          className="underlined text-left"
          aria-expanded={open === position}
          onClick={() => setOpen(open === position ? undefined : position)}
        >
          {event.type}
        </button>
      ),
    },
    {
      label: 'By',
      value: ({ event }) => actorOf(event),
      cell: ({ event }) => <By id={actorOf(event)} />,
    },
    {
      label: 'Debit (+) or credit (\u2212)',
      value: ({ deltaMicroUsd, deltaCredits }) => amount(deltaMicroUsd, deltaCredits),
      cell: ({ deltaMicroUsd, deltaCredits }) =>
        inCredits ? (
          deltaCredits.toLocaleString('en').replace('-', '\u2212')
        ) : (
          <Money microUsd={deltaMicroUsd} signed />
        ),
    },
    {
      label: 'Balance',
      value: ({ balanceMicroUsd, balanceCredits }) => amount(balanceMicroUsd, balanceCredits),
    },
  ];
}

const entriesOf = ({ entries }: AccountStatement): Entry[] => entries;

/** One account, line by line, newest first. Debits are positive. */
export function StatementPage() {
  const { account = '' } = useParams();
  const [open, setOpen] = useState<number>();
  const list = usePagesOf(statementQuery(account), entriesOf);
  const entries = list.data?.items ?? [];
  const closing = list.first;
  const inCredits = /^(user:|frozen:|issued$|spent$|revoked$)/.test(account);
  const columns = entryColumns(inCredits, open, setOpen);
  return (
    <>
      <Head trail="account" account={account} name={closing?.name}>
        {closing && (
          <p className="mt-3 flex flex-wrap items-baseline gap-x-6 text-lg">
            <span>
              Balance{' '}
              <strong>
                {inCredits ? (
                  countOf(closing.balanceCredits, 'credit')
                ) : (
                  <span
                    className={isOnWrongSide(closing, closing.balanceMicroUsd) ? 'text-danger' : undefined}
                  >
                    <Money microUsd={closing.balanceMicroUsd} />
                  </span>
                )}
              </strong>
            </span>
            <span className="text-base">
              <Elsewhere account={account} />
            </span>
          </p>
        )}
      </Head>
      <AwaitedRows
        query={list}
        what="account"
        rows={entries}
        none={{ title: 'No entries yet', text: 'Nothing was posted to this account.' }}
      >
        <DataTable
          title="Entries"
          note={
            list.hasNextPage
              ? 'The newest entries. More follow.'
              : countOf(entries.length, 'entry', 'entries')
          }
          file={`account-${account.replaceAll(':', '-')}`}
          searchable
          columns={columns}
          rows={entries}
          pages={list}
          more="Earlier entries"
          keyOf={({ position }) => String(position)}
          detail={({ event, position }) => open === position && <EventDetail event={event} />}
          empty=""
        />
      </AwaitedRows>
    </>
  );
}

const accountColumns = (rows: readonly AccountRow[]): Column<AccountRow>[] => [
  {
    label: 'Account',
    value: ({ account, name }) => (name ? `${account} ${name}` : account),
    total: 'Total',
    cell: ({ account, name }) => (
      <Link to={staffPaths.financeAccount(account)} className="hover:underline">
        <AccountName account={account} name={name} />
      </Link>
    ),
  },
  {
    label: 'Last event',
    value: ({ position }) => position,
    cell: ({ position }) => <ExplainedPosition position={position} />,
  },
  amountsOf(rows)('Debit', ({ debitMicroUsd }) => debitMicroUsd),
  amountsOf(rows)('Credit', ({ creditMicroUsd }) => creditMicroUsd),
];

/** The accounts behind one line of the trial balance. */
export function GroupPage() {
  const [parameters] = useSearchParams();
  const group = parameters.get('group') ?? 'creator:*';
  const query = useQuery(trialBalanceQuery('', false));
  const rows = (query.data?.accounts ?? [])
    .filter(({ account }) => account.startsWith(group.replace('*', '')))
    .sort((a, b) => b.position - a.position);
  return (
    <>
      <Head trail="accounts" account={group} />
      <AwaitedRows
        query={query}
        what="accounts"
        rows={rows}
        none={{ title: 'No accounts', text: 'None of these has a balance now.' }}
      >
        <DataTable
          title="Accounts"
          note={`${countOf(rows.length, 'account')}, the last moved first`}
          file={`accounts-${group.replace(':*', '')}`}
          searchable
          columns={accountColumns(rows)}
          rows={rows}
          keyOf={({ account }) => account}
          empty=""
        />
      </AwaitedRows>
    </>
  );
}
