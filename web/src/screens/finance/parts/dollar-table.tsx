import { Check } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { TrialBalance } from '../../../../../application/ledger/contract.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Badge } from '../../../ui/badge.js';
import { Money } from '../../../staff/list/micro-money.js';
import { type Kind, growsOn, isOnWrongSide } from './sides.js';
import { moveBetweenRows } from '../../../staff/list/table-keys.js';

const KINDS = [
  ['asset', 'Assets'],
  ['liability', 'Liabilities'],
  ['equity', 'Equity'],
  ['income', 'Income'],
  ['expense', 'Expenses'],
] as const;

/** Every account with its balance on one side. @param kind the section of the chart of accounts */
function Rows({ balance, kind }: { balance: TrialBalance; kind: (typeof KINDS)[number][0] }) {
  return balance.accounts
    .filter((row) => row.kind === kind)
    .map(({ account, accounts, debitMicroUsd, creditMicroUsd }) => (
      <tr key={account}>
        <th scope="row" className="font-normal">
          <Link
            to={
              account.endsWith(':*') ? staffPaths.financeGroup(account) : staffPaths.financeAccount(account)
            }
            className="mono hover:underline"
          >
            {account}
          </Link>
          {account.endsWith(':*') && (
            <span className="ml-4 text-xs whitespace-nowrap text-faint">{accounts} open</span>
          )}
          {isOnWrongSide({ account, kind }, debitMicroUsd - creditMicroUsd) && (
            <span className="ml-4">
              <Badge tone="danger">on the wrong side</Badge>
            </span>
          )}
        </th>
        <td>{showsOn('debit', kind, debitMicroUsd, creditMicroUsd) && <Money microUsd={debitMicroUsd} />}</td>
        <td>
          {showsOn('credit', kind, creditMicroUsd, debitMicroUsd) && <Money microUsd={creditMicroUsd} />}
        </td>
      </tr>
    ));
}

/** An amount is on its side; a zero is on the side on which its kind of account grows. */
function showsOn(side: 'debit' | 'credit', kind: Kind, here: number, there: number): boolean {
  return here > 0 || (there === 0 && side === growsOn(kind));
}

/** The dollar accounts by section of the chart of accounts. */
export function DollarTable({ balance }: { balance: TrialBalance }) {
  const { debitMicroUsd, creditMicroUsd } = balance.totals;
  return (
    <table className="fin-table fin-sticky border-t border-line" aria-label="Trial balance in dollars">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Debit</th>
          <th scope="col">Credit</th>
        </tr>
      </thead>
      <tbody onKeyDown={moveBetweenRows}>
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
            <span className="ml-6 max-md:mt-1 max-md:ml-0 max-md:block">
              {debitMicroUsd === creditMicroUsd ? (
                <Badge tone="ok">
                  <Check size={13} className="stroke-2" /> Balanced
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
