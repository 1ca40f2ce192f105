import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { AccountStatement, TrialBalance } from '../../../../application/ledger/contract.js';
import { statementQuery, trialBalanceQuery } from '../../api/finance.js';
import { usePagesOf } from '../../staff/list/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { countOf } from '../../ui/format.js';
import type { CellValue } from '../../staff/list/sheet.js';
import { type Column, kinds, Money } from '../../staff/list/column.js';
import { List, rowsOf } from '../../staff/list/list.js';
import { accountLabel } from '../../../../application/ledger/values.js';
import { monthName } from '../../staff/dates.js';
import { AccountName, eventName, actor, actorOf, CopyId } from './parts/named.js';
import { isOnWrongSide } from './parts/chart-of-accounts.js';
import { EventDetail, tracedEvent } from './trace/explained-id.js';

type Entry = AccountStatement['entries'][number];
type AccountRow = TrialBalance['accounts'][number];

/** @param props.name the name of the account's owner */
function Head(props: { trail: string; account: string; name?: string | undefined; children?: ReactNode }) {
  const { trail, account, name, children } = props;
  return (
    <div className="mb-5">
      <p className="text-sm text-muted">
        <Link to={staffPaths.financeTrialBalance}>Trial balance</Link> / {trail}
      </p>
      <h1 className="display mt-2 text-5xl">{name ?? accountLabel(account)}</h1>
      <p className="mt-2 text-muted">
        {name && `${accountLabel(account)} `}
        <CopyId text={account} of="account" short={50} />
      </p>
      {children}
    </div>
  );
}

function Elsewhere({ account }: { account: string }) {
  const [, kind, id = ''] = /^(user|frozen|creator):(.+)$/.exec(account) ?? [];
  if (!kind) return null;
  const isCreator = kind === 'creator';
  return (
    <Link className="underlined" to={isCreator ? staffPaths.financeCreator(id) : staffPaths.financeProof(id)}>
      {isCreator ? 'Statements of this creator' : 'Prove this balance'}
    </Link>
  );
}

function entryColumns(inCredits: boolean): Column<Entry>[] {
  const amount = (microUsd: number, credits: number): CellValue => (inCredits ? credits : { microUsd });
  return [
    { label: 'When (UTC)', value: ({ at }) => at, kind: kinds.quietTime },
    { label: 'Position', value: ({ position }) => position },
    { label: 'Event', value: ({ event }) => event.type, kind: eventName, opens: () => true },
    { label: 'By', value: ({ event }) => actorOf(event), kind: actor },
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

export function AccountPage() {
  const { account = '' } = useParams();
  const [search] = useSearchParams();
  const month = search.get('month') ?? '';
  const list = usePagesOf(statementQuery(account, month), entriesOf);
  const entries = list.data?.items ?? [];
  const closing = list.first;
  const inCredits = /^(user:|frozen:|issued$|spent$|revoked$)/.test(account);
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
      <List
        of={list}
        what="account"
        title={month ? `Entries of ${monthName(month)}` : 'Entries'}
        note={
          list.hasNextPage ? 'The newest entries. More follow.' : countOf(entries.length, 'entry', 'entries')
        }
        file={`account-${account.replaceAll(':', '-')}`}
        searchable
        columns={entryColumns(inCredits)}
        more="Earlier entries"
        keyOf={({ position }) => String(position)}
        detail={({ event }) => <EventDetail event={event} />}
        empty={{ title: 'No entries yet', text: 'Nothing was posted to this account.' }}
      />
    </>
  );
}

const ACCOUNTS: Column<AccountRow>[] = [
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
  { label: 'Last event', value: ({ position }) => position, kind: tracedEvent },
  { label: 'Debit', value: ({ debitMicroUsd }) => ({ microUsd: debitMicroUsd }), sum: true },
  { label: 'Credit', value: ({ creditMicroUsd }) => ({ microUsd: creditMicroUsd }), sum: true },
];

export function GroupPage() {
  const [parameters] = useSearchParams();
  const group = parameters.get('group') ?? 'creator:*';
  const query = useQuery(trialBalanceQuery('', false));
  const accounts = rowsOf(query, (balance) =>
    balance.accounts
      .filter(({ account }) => account.startsWith(group.replace('*', '')))
      .sort((a, b) => b.position - a.position),
  );
  return (
    <>
      <Head trail="accounts" account={group} />
      <List
        of={accounts}
        what="accounts"
        title="Accounts"
        note={`${countOf(accounts.data?.items.length ?? 0, 'account')}, the last moved first`}
        file={`accounts-${group.replace(':*', '')}`}
        searchable
        columns={ACCOUNTS}
        keyOf={({ account }) => account}
        empty={{ title: 'No accounts', text: 'None of these has a balance now.' }}
      />
    </>
  );
}
