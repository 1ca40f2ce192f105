import { Check } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { TrialBalance } from '../../../../../application/ledger/contract.js';
import { Badge } from '../../../ui/badge.js';
import { Money } from '../../../staff/list/column.js';
import { growsOn, isOnWrongSide, pathOfAccount } from './chart-of-accounts.js';
import { moveBetweenRows } from '../../../staff/list/table-keys.js';

const KINDS = [
  ['asset', 'Assets'],
  ['liability', 'Liabilities'],
  ['equity', 'Equity'],
  ['income', 'Income'],
  ['expense', 'Expenses'],
] as const;

function Rows({ balance, kind }: { balance: TrialBalance; kind: (typeof KINDS)[number][0] }) {
  return balance.accounts
    .filter((row) => row.kind === kind)
    .map(({ account, accounts, debitMicroUsd, creditMicroUsd }) => {
      // A zero is on the side on which its kind of account grows.
      const isDebit = debitMicroUsd > 0 || (creditMicroUsd === 0 && growsOn(kind) === 'debit');
      return (
        <tr key={account}>
          <th scope="row" className="font-normal">
            <Link to={pathOfAccount(account)} className="mono hover:underline">
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
          <td>{isDebit && <Money microUsd={debitMicroUsd} />}</td>
          <td>{!isDebit && <Money microUsd={creditMicroUsd} />}</td>
        </tr>
      );
    });
}

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
