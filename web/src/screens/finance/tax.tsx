import { useQuery } from '@tanstack/react-query';
import type { TaxReport } from '../../../../application/ledger/tax/tax-contract.js';
import { query } from '../../api/api.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { daysOf } from '../../staff/dates.js';

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

const COLUMNS: Column<Row>[] = [
  { label: 'Month', value: ({ month }) => month, total: 'Total', kind: kinds.month },
  { label: 'Place', value: placeName, to: (row) => staffPaths.financeAccount(accountOf(row)) },
  { label: 'Sales', value: ({ sales }) => sales, sum: true },
  ...AMOUNTS.map(([label, amount]): Column<Row> => ({
    label,
    value: (row) => ({ microUsd: row[amount] }),
    sum: true,
  })),
];

export const TaxPage = listPage({
  heading: 'Tax',
  about: 'Value-added and sales tax by country, and by state of the United States. Months are by UTC.',
  filters: { from: { type: 'month', label: 'From' }, to: { type: 'month', label: 'To' } },
  useRows: ({ from, to }) =>
    useQuery(
      query('GET /api/finance/tax', {
        query: { from: from && daysOf(from).from, to: to && daysOf(to).to },
      }),
    ),
  list: (_, { from, to }) => ({
    what: 'report of tax',
    title: 'By month and place',
    file: ['tax', from, to].filter(Boolean).join('-'),
    sideways: true,
    columns: COLUMNS,
    keyOf: ({ month, country, state }) => `${month} ${country} ${state}`,
    searchable: true,
    empty: 'Nothing was sold here whose tax is known.',
  }),
});
