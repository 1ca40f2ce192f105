import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import type { TaxReport } from '../../../../../application/ledger/tax/tax-contract.js';
import { query } from '../../../api/api.js';
import { Awaited } from '../../../staff/awaited.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Input } from '../../../ui/forms/field.js';
import { amountsOf } from '../parts/amounts.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { daysOf, monthName } from '../parts/dates.js';
import { PageHead } from '../parts/page.js';

type Row = TaxReport['items'][number];
type Amount = Extract<keyof Row, `${string}MicroUsd`>;

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** "Germany (DE)", "United States (US), NY". */
export const placeName = ({ country, state }: Pick<Row, 'country' | 'state'>): string =>
  country === null
    ? 'Unknown place'
    : `${countries.of(country) ?? country} (${country})${state === null ? '' : `, ${state}`}`;

const accountOf = ({ country, state }: Row): string =>
  country === null ? 'tax' : `tax:${country}${state === null ? '' : `-${state}`}`;

const AMOUNTS: readonly [label: string, amount: Amount][] = [
  ['Sold, net', 'soldMicroUsd'],
  ['Given back, net', 'returnedMicroUsd'],
  ['Taxable', 'taxableMicroUsd'],
  ['Reverse charge', 'reverseChargeMicroUsd'],
  ['Tax collected', 'collectedMicroUsd'],
  ['Tax given back', 'givenBackMicroUsd'],
  ['Tax due', 'dueMicroUsd'],
];

const columnsOf = (rows: readonly Row[]): Column<Row>[] => [
  {
    label: 'Month',
    value: ({ month }) => month,
    total: 'Total',
    cell: ({ month }) => <span className="whitespace-nowrap">{monthName(month)}</span>,
  },
  {
    label: 'Place',
    value: placeName,
    cell: (row) => (
      <Link className="underlined" to={staffPaths.financeAccount(accountOf(row))}>
        {placeName(row)}
      </Link>
    ),
  },
  { label: 'Sales', value: ({ sales }) => sales, total: rows.reduce((sum, { sales }) => sum + sales, 0) },
  ...AMOUNTS.map(([label, amount]) => amountsOf(rows)(label, (row) => row[amount])),
];

export function TaxPage() {
  const [parameters, setParameters] = useSearchParams();
  const [first, last] = ['from', 'to'].map((end) => {
    const month = parameters.get(end) ?? '';
    return /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : '';
  }) as [string, string];
  const report = useQuery(
    query('GET /api/finance/tax', {
      query: { from: first && daysOf(first).from, to: last && daysOf(last).to },
    }),
  );
  const items = report.data?.items ?? [];
  const choose = (end: 'from' | 'to', month: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (month) next.set(end, month);
        else next.delete(end);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <PageHead
        title="Tax"
        note="Value-added and sales tax by country, and by state of the United States. Months are by UTC."
      >
        <Input
          type="month"
          label="From"
          value={first}
          max={last || undefined}
          onChange={(event) => choose('from', event.target.value)}
        />
        <Input
          type="month"
          label="To"
          value={last}
          min={first || undefined}
          onChange={(event) => choose('to', event.target.value)}
        />
      </PageHead>
      {report.data ? (
        <DataTable
          title="By month and place"
          file={['tax', first, last].filter(Boolean).join('-')}
          className="fin-sticky"
          columns={columnsOf(items)}
          rows={items}
          keyOf={({ month, country, state }) => `${month} ${country} ${state}`}
          searchable
          empty="Nothing was sold here whose tax is known."
        />
      ) : (
        <Awaited
          query={report}
          failure="The report of tax could not be loaded"
          loading="Loading the report of tax..."
          height={320}
        />
      )}
    </>
  );
}
