import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { TrialBalance } from '../../../../application/ledger/contract.js';
import { inCurrency } from '../../../../application/ledger/values.js';
import { AccountName, accountName } from './parts/named.js';
import { api } from '../../api/api.js';
import { invalidate } from '../../api/query-client.js';
import { trialBalanceQuery } from '../../api/finance.js';
import { PreparedFiles } from '../../downloads/prepared-files.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { type Filters, FilterFields, useFilters } from '../../staff/list/list-page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { notifyError } from '../../ui/overlays/toast.js';
import { type Column, CUT_OFF, Money, moveBetweenRows } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { growsOn, isOnWrongSide, pathOfAccount } from './parts/chart-of-accounts.js';
import { ProviderPanel } from './parts/provider-panel.js';
import { type Sheet, SheetButtons } from '../../staff/list/sheet.js';
import { Awaited, PageHead, PanelBar } from '../../staff/page-parts.js';

const FORMATS = ['hledger', 'beancount', 'csv', 'json'] as const;

const FILTERS = { asOf: { type: 'date', label: 'As of the end of (UTC)' } } satisfies Filters;

type CreditRow = TrialBalance['credits']['accounts'][number];

/**
 * Shows the reconciliation with Stripe, the accounts that count credits instead of dollars, and the accounts in
 * currencies in which we sell nothing.
 */
function Credits({ balance: { credits, otherCurrencies } }: { balance: TrialBalance }) {
  const columns: Column<CreditRow>[] = [
    {
      label: 'Account',
      value: ({ account }) => account,
      total: 'Total',
      cell: ({ account, accounts }) =>
        account.endsWith(':*') ? (
          <>
            <AccountName account={account} />
            <span className="ml-4 text-xs whitespace-nowrap text-faint">{accounts} open</span>
          </>
        ) : (
          <Link className="hover:underline" to={staffPaths.financeAccount(account)}>
            <AccountName account={account} />
          </Link>
        ),
    },
    { label: 'Debit', value: ({ debitCredits }) => debitCredits, total: credits.totals.debitCredits },
    { label: 'Credit', value: ({ creditCredits }) => creditCredits, total: credits.totals.creditCredits },
  ];
  const others = otherCurrencies.flatMap(({ currency, accounts }) =>
    accounts.map(({ account, balanceMicro }) => ({ account, amount: inCurrency(balanceMicro, currency) })),
  );
  return (
    <div className="grid content-start gap-4">
      <ProviderPanel />
      <List
        title="Credits"
        note="The second commodity, in the same journal"
        file="trial-balance-credits"
        columns={columns}
        of={credits.accounts}
        keyOf={({ account }) => account}
        empty="No credits were ever issued."
      />
      {others.length > 0 && (
        <List
          title="Other currencies"
          note="We sell nothing in these currencies. Find out what moved"
          file="trial-balance-currencies"
          columns={[
            { label: 'Account', value: ({ account }) => account, kind: accountName },
            { label: 'Balance', value: ({ amount }) => amount },
          ]}
          of={others}
          keyOf={({ account }) => account}
        />
      )}
    </div>
  );
}

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
      // A balance of zero is shown on the side on which accounts of this kind grow.
      const isDebit = debitMicroUsd > 0 || (creditMicroUsd === 0 && growsOn(kind) === 'debit');
      return (
        <tr key={account}>
          <th scope="row" className="font-normal">
            <Link to={pathOfAccount(account)} className="hover:underline">
              <AccountName account={account} />
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

function DollarTable({ balance }: { balance: TrialBalance }) {
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
            <tr>
              <th scope="rowgroup" colSpan={3} className="h-9 align-bottom font-semibold">
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

const sheetOf = ({ accounts, totals }: TrialBalance): Sheet => ({
  columns: ['Account', 'Kind', 'Debit', 'Credit'],
  rows: [
    ...accounts.map(({ account, kind, debitMicroUsd, creditMicroUsd }) => [
      account,
      kind,
      { microUsd: debitMicroUsd },
      { microUsd: creditMicroUsd },
    ]),
    ['Total', '', { microUsd: totals.debitMicroUsd }, { microUsd: totals.creditMicroUsd }],
  ],
});

/** Requests a file of the whole journal. The server prepares it in the background, because that may take long. */
function OrderButton({ format }: { format: (typeof FORMATS)[number] }) {
  const order = useMutation({
    mutationFn: () => api('POST /api/finance/exports', { body: { format } }),
    onSuccess: () => invalidate('GET /api/finance/exports'),
    onError: notifyError,
  });
  return (
    <Button busy={order.isPending} onClick={() => order.mutate()} icon={<Download size={16} />}>
      <span className="sr-only">The journal as </span>
      {format.length > 4 ? format : format.toUpperCase()}
    </Button>
  );
}

export function TrialBalancePage() {
  const { asOf } = useFilters(FILTERS);
  const query = useQuery(trialBalanceQuery(asOf, true));
  const { data } = query;
  return (
    <>
      <PageHead
        title="Trial balance"
        note={`USD${data ? `, to event ${data.position.toLocaleString('en')}` : ''}. ${CUT_OFF}`}
      >
        <FilterFields filters={FILTERS} />
        {FORMATS.map((format) => (
          <OrderButton key={format} format={format} />
        ))}
      </PageHead>
      <PreparedFiles of="finance" />
      <div className="fin-columns mt-5">
        <section className="panel min-w-0 self-start overflow-x-auto" aria-label="Accounts">
          {data && (
            <>
              <PanelBar
                title="Dollars"
                actions={<SheetButtons title="Dollars" file="trial-balance" sheet={() => sheetOf(data)} />}
              />
              <DollarTable balance={data} />
            </>
          )}
          {!data && <Awaited query={query} what="trial balance" height={720} />}
        </section>
        {data && <Credits balance={data} />}
      </div>
    </>
  );
}
