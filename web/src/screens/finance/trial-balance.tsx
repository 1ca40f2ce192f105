import { useQuery } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { Fragment } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { TrialBalance } from '../../../../application/finance/contract.js';
import { trialBalanceQuery } from '../../api/finance.js';
import { messageOf } from '../../api/http.js';
import { paths } from '../../paths.js';
import { Badge } from '../../ui/badge.js';
import { buttonClass } from '../../ui/button.js';
import { Input } from '../../ui/field.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';
import { Health } from './health.js';
import { Money } from './money.js';

const KINDS = [
  ['asset', 'Assets'],
  ['liability', 'Liabilities'],
  ['income', 'Income'],
  ['expense', 'Expenses'],
] as const;
const FORMATS = ['hledger', 'csv', 'json'] as const;

/** Every account with its balance on one side. @param kind its part of the chart */
function Rows({ balance, kind }: { balance: TrialBalance; kind: (typeof KINDS)[number][0] }) {
  return balance.accounts
    .filter((row) => row.kind === kind)
    .map(({ account, accounts, debitMicroUsd, creditMicroUsd }) => (
      <tr key={account}>
        <th scope="row" className="font-normal">
          <Link
            to={account.endsWith(':*') ? paths.financeGroup(account) : paths.financeAccount(account)}
            className="mono hover:underline"
          >
            {account}
          </Link>
          {account.endsWith(':*') && <span className="ml-4 text-[12px] text-faint">{accounts} open</span>}
        </th>
        <td>{showsOn('debit', kind, debitMicroUsd, creditMicroUsd) && <Money microUsd={debitMicroUsd} />}</td>
        <td>
          {showsOn('credit', kind, creditMicroUsd, debitMicroUsd) && <Money microUsd={creditMicroUsd} />}
        </td>
      </tr>
    ));
}

/** An amount shows on its side; a zero on the side where that kind of account grows. */
function showsOn(side: 'debit' | 'credit', kind: string, here: number, there: number): boolean {
  const growsOn = kind === 'asset' || kind === 'expense' ? 'debit' : 'credit';
  return here > 0 || (there === 0 && side === growsOn);
}

function Table({ balance }: { balance: TrialBalance }) {
  const { debitMicroUsd, creditMicroUsd } = balance.totals;
  return (
    <table className="fin-table">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Debit</th>
          <th scope="col">Credit</th>
        </tr>
      </thead>
      <tbody>
        {KINDS.map(([kind, label]) => (
          <Fragment key={kind}>
            <tr className="fin-kind">
              <th scope="rowgroup" colSpan={3}>
                {label}
              </th>
            </tr>
            <Rows balance={balance} kind={kind} />
          </Fragment>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            Total
            <span className="ml-6">
              {debitMicroUsd === creditMicroUsd ? (
                <Badge tone="ok">
                  <Check size={13} aria-hidden="true" /> Balanced
                </Badge>
              ) : (
                <Badge tone="danger">Not balanced</Badge>
              )}
            </span>
          </th>
          <td>
            <Money microUsd={debitMicroUsd} />
          </td>
          <td>
            <Money microUsd={creditMicroUsd} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** What every account holds at an instant, beside the health of the books. */
export function TrialBalancePage() {
  const [parameters, setParameters] = useSearchParams();
  const asOf = parameters.get('asOf') ?? '';
  const { data, error, refetch, isRefetching } = useQuery(trialBalanceQuery(asOf, true));
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="display text-[36px]">Trial balance</h1>
          <p className="mt-2 text-muted">
            USD, to the micro-dollar{data ? `, to event ${data.position.toLocaleString('en')}` : ''}
          </p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <Input
            type="date"
            label="As of the end of (UTC)"
            value={asOf}
            onChange={({ target }) =>
              setParameters(target.value ? { asOf: target.value } : {}, { replace: true })
            }
          />
          {FORMATS.map((format) => (
            <a
              key={format}
              className={buttonClass({})}
              href={`/api/finance/export?format=${format}`}
              download
            >
              <Download size={16} strokeWidth={1.75} aria-hidden="true" />
              {format === 'hledger' ? 'hledger' : format.toUpperCase()}
            </a>
          ))}
        </div>
      </div>
      <div className="fin-columns mt-5">
        <section className="panel overflow-x-auto" aria-label="Accounts">
          {data && <Table balance={data} />}
          {!data && !error && (
            <>
              <LoadingText>Loading the trial balance...</LoadingText>
              <Skeleton className="h-[720px]" />
            </>
          )}
          {error && !data && (
            <ErrorPanel
              title="The trial balance could not be loaded"
              onRetry={() => void refetch()}
              retrying={isRefetching}
            >
              {messageOf(error)}
            </ErrorPanel>
          )}
        </section>
        <Health />
      </div>
    </>
  );
}
