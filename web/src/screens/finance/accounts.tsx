import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { AccountStatement } from '../../../../application/finance/contract.js';
import { statementQuery, trialBalanceQuery } from '../../api/finance.js';
import { messageOf } from '../../api/http.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { formatShortDay, formatTime } from '../../ui/format.js';
import { EmptyState, ErrorPanel, LoadingText } from '../../ui/states.js';
import { EventDetail } from './event-detail.js';
import { Money } from './money.js';

type Entry = AccountStatement['entries'][number];

/** A line of a statement; pressing it shows the event that it comes from. */
function EntryRows({ entry, inCredits }: { entry: Entry; inCredits: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <Fragment>
      <tr>
        <td className="whitespace-nowrap text-muted">
          {formatShortDay(entry.at)}, {formatTime(entry.at)}
        </td>
        <td>
          <button
            type="button"
            className="underlined text-left"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {entry.event.type}
          </button>
          <span className="ml-3 text-[12px] text-faint">{entry.position.toLocaleString('en')}</span>
        </td>
        <td>
          {inCredits ? (
            entry.deltaCredits.toLocaleString('en').replace('-', '\u2212')
          ) : (
            <Money microUsd={entry.deltaMicroUsd} signed />
          )}
        </td>
        <td>
          {inCredits ? (
            entry.balanceCredits.toLocaleString('en').replace('-', '\u2212')
          ) : (
            <Money microUsd={entry.balanceMicroUsd} />
          )}
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={4} className="fin-detail">
            <EventDetail event={entry.event} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** One account, line by line, oldest first. Debits are above zero. */
export function StatementPage() {
  const { account = '' } = useParams();
  const { data, error, refetch, isRefetching, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(statementQuery(account));
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const closing = data?.pages.at(-1);
  const inCredits = /^(user:|frozen:|issued$|spent$|revoked$)/.test(account);
  return (
    <>
      <p className="text-[13px] text-muted">
        <Link to={paths.finance}>Trial balance</Link> / account
      </p>
      <h1 className="mono mt-2 text-[20px]! break-all">{account}</h1>
      {closing && (
        <p className="mt-3 text-[17px]">
          Balance{' '}
          <strong>
            {inCredits ? (
              `${closing.balanceCredits.toLocaleString('en')} credits`
            ) : (
              <Money microUsd={closing.balanceMicroUsd} />
            )}
          </strong>
        </p>
      )}
      {error && !data && (
        <ErrorPanel
          title="The account could not be loaded"
          onRetry={() => void refetch()}
          retrying={isRefetching}
        >
          {messageOf(error)}
        </ErrorPanel>
      )}
      {!data && !error && <LoadingText>Loading the account...</LoadingText>}
      {data && entries.length === 0 && (
        <EmptyState title="No entries yet">Nothing was posted to this account.</EmptyState>
      )}
      {entries.length > 0 && (
        <section className="panel mt-5 overflow-x-auto" aria-label="Entries">
          <table className="fin-table fin-statement">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Event</th>
                <th scope="col">Debit (+) or credit ({'\u2212'})</th>
                <th scope="col">Balance</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <EntryRows key={entry.position} entry={entry} inCredits={inCredits} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasNextPage && (
        <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Later entries
        </Button>
      )}
    </>
  );
}

/** The accounts that one line of the trial balance stands for. */
export function GroupPage() {
  const [parameters] = useSearchParams();
  const group = parameters.get('group') ?? 'creator:*';
  const { data, error } = useQuery(trialBalanceQuery('', false));
  const rows = data?.accounts.filter(({ account }) => account.startsWith(group.replace('*', ''))) ?? [];
  return (
    <>
      <p className="text-[13px] text-muted">
        <Link to={paths.finance}>Trial balance</Link> / accounts
      </p>
      <h1 className="mono mt-2 text-[20px]!">{group}</h1>
      {error && !data && <ErrorPanel title="The accounts could not be loaded">{messageOf(error)}</ErrorPanel>}
      {!data && !error && <LoadingText>Loading the accounts...</LoadingText>}
      {data && rows.length === 0 && (
        <EmptyState title="No accounts">None of these has a balance now.</EmptyState>
      )}
      {rows.length > 0 && (
        <section className="panel mt-5 overflow-x-auto" aria-label="Accounts">
          <table className="fin-table">
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">Debit</th>
                <th scope="col">Credit</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ account, debitMicroUsd, creditMicroUsd }) => (
                <tr key={account}>
                  <th scope="row" className="font-normal">
                    <Link to={paths.financeAccount(account)} className="mono hover:underline">
                      {account}
                    </Link>
                  </th>
                  <td>{debitMicroUsd > 0 && <Money microUsd={debitMicroUsd} />}</td>
                  <td>{creditMicroUsd > 0 && <Money microUsd={creditMicroUsd} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
