import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import type { EarningsMonth } from '../../../../application/payouts/contract.js';
import { query } from '../../api/api.js';
import { apiAddress } from '../../api/transport/backend.js';
import { buttonClass } from '../../ui/button.js';
import { Select } from '../../ui/forms/field.js';
import { RoundedMoney } from '../../ui/money.js';
import { useLogged } from './use-logged.js';

/**
 * The columns with their signs: in each row, the columns before the last add up to the last. The first and the last
 * are balances.
 */
const COLUMNS = [
  ['openingMicroUsd', 'Before', 1, true],
  ['earnedMicroUsd', 'Earned', 1, false],
  ['takenBackMicroUsd', 'Taken back', -1, true],
  ['withdrawnMicroUsd', 'Withdrawn', -1, false],
  ['writtenOffMicroUsd', 'Written off', 1, true],
  ['closingMicroUsd', 'Balance', 1, false],
] as const satisfies readonly (readonly [keyof EarningsMonth, string, 1 | -1, isDetail: boolean])[];

const NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A link to the monthly statements further down the page; renders nothing before the first sale. */
export function MonthsLink() {
  const { data } = useQuery(query('GET /api/creator/monthly-statements'));
  if (!data?.items.length) return null;
  return (
    <a href="#months-title" className={buttonClass({})}>
      <FileText size={16} /> Statements
    </a>
  );
}

/** Links to files with the figures of a whole year, for the creator's tax return. */
function YearFiles({ years }: { years: readonly string[] }) {
  const [year, setYear] = useState(years[0] ?? '');
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label="Year"
        value={year}
        options={years.map((each) => [each, each])}
        onChange={({ target }) => setYear(target.value)}
      />
      {(['pdf', 'csv'] as const).map((type) => (
        <a
          key={type}
          href={apiAddress(`/api/creator/years/${year}.${type}`)}
          download
          className={buttonClass({}, 'min-h-11!')}
        >
          <Download size={16} /> {year} as {type.toUpperCase()}
        </a>
      ))}
    </div>
  );
}

/** The creator's balances, earnings and withdrawals by month; renders nothing before the first sale. */
export function Months() {
  const { data, error } = useQuery(query('GET /api/creator/monthly-statements'));
  useLogged('Your monthly statements', error);
  if (!data?.items.length) return null;
  const hasWrittenOff = data.items.some(({ writtenOffMicroUsd }) => writtenOffMicroUsd !== 0);
  const columns = COLUMNS.filter(([name]) => name !== 'writtenOffMicroUsd' || hasWrittenOff);
  return (
    <section aria-labelledby="months-title" className="panel min-w-0 p-5 max-md:p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id="months-title" className="text-lg font-semibold">
          Monthly statements
        </h2>
        <a
          href={apiAddress('/api/creator/monthly-statements.csv')}
          download
          className={buttonClass({ size: 'small' })}
        >
          <Download size={16} /> Months as CSV
        </a>
      </div>
      <YearFiles years={[...new Set(data.items.map(({ month }) => month.slice(0, 4)))]} />
      <p className="my-3 text-sm text-muted">
        A year has gross sales, fees, returns, your share and payouts, for your tax return. Months by UTC.
        {/* Phones show some of the columns only. */}
        <span className="max-md:hidden">
          {' '}
          Each row adds up to its balance; the exact amount appears when the pointer rests on it.
        </span>
      </p>
      <div className="overflow-x-auto" role="region" aria-label="All months" tabIndex={0}>
        <table className="figures" aria-labelledby="months-title">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col" className="text-right max-md:hidden">
                Sales
              </th>
              {columns.map(([name, label, , isDetail]) => (
                <th key={name} scope="col" className={clsx('text-right', isDetail && 'max-md:hidden')}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.items.map((month) => (
              <tr key={month.month}>
                <th scope="row">{NAME.format(new Date(`${month.month}-01`))}</th>
                <td className="text-right max-md:hidden">{month.sales.toLocaleString('en')}</td>
                {columns.map(([name, , sign, isDetail]) => (
                  <td key={name} className={clsx('text-right', isDetail && 'max-md:hidden')}>
                    <RoundedMoney
                      microUsd={sign * month[name] || 0}
                      className={name === 'closingMicroUsd' ? 'font-semibold' : ''}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
