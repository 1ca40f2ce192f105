import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { TrialBalance } from '../../../../application/ledger/contract.js';
import { inCurrency } from '../../../../application/ledger/values.js';
import { api } from '../../api/api.js';
import { invalidate } from '../../api/query-client.js';
import { trialBalanceQuery } from '../../api/finance.js';
import { PreparedFiles } from '../../downloads/prepared-files.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { type Filters, FilterFields, useFilters } from '../../staff/list/filters.js';
import { Button } from '../../ui/button.js';
import { notifyError } from '../../ui/overlays/toast.js';
import type { Column } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { DollarTable } from './parts/dollar-table.js';
import { ProviderPanel } from './parts/provider-panel.js';
import type { Sheet } from '../../staff/list/sheet.js';
import { SheetButtons } from '../../staff/list/sheet-buttons.js';
import { Awaited, PageHead } from '../../staff/page-parts.js';

const FORMATS = ['hledger', 'beancount', 'csv', 'json'] as const;

const FILTERS = { asOf: { type: 'date', label: 'As of the end of (UTC)' } } satisfies Filters;

type CreditRow = TrialBalance['credits']['accounts'][number];

/** The second commodity, and movements at the provider in currencies in which we sell nothing. */
function Credits({ balance: { credits, otherCurrencies } }: { balance: TrialBalance }) {
  const columns: Column<CreditRow>[] = [
    {
      label: 'Account',
      value: ({ account }) => account,
      total: 'Total',
      cell: ({ account, accounts }) =>
        account.endsWith(':*') ? (
          <>
            <span className="mono">{account}</span>
            <span className="ml-4 text-xs whitespace-nowrap text-faint">{accounts} open</span>
          </>
        ) : (
          <Link className="mono hover:underline" to={staffPaths.financeAccount(account)}>
            {account}
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
            { label: 'Account', value: ({ account }) => account },
            { label: 'Balance', value: ({ amount }) => amount },
          ]}
          of={others}
          keyOf={({ account }) => account}
        />
      )}
    </div>
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

/** Orders the whole journal as a file, which may take long. */
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
        note={`USD, to the micro-dollar${data ? `, to event ${data.position.toLocaleString('en')}` : ''}`}
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
            <div className="fin-bar">
              <h2 className="mr-auto text-lg font-semibold">Dollars</h2>
              <SheetButtons title="Dollars" file="trial-balance" sheet={() => sheetOf(data)} />
            </div>
          )}
          {data && <DollarTable balance={data} />}
          {!data && <Awaited query={query} what="trial balance" height={720} />}
        </section>
        {data && <Credits balance={data} />}
      </div>
    </>
  );
}
