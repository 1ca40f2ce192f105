import { useQuery } from '@tanstack/react-query';
import type { Margin } from '../../../../../application/ledger/reports/margin-contract.js';
import { marginQuery } from '../../../api/finance.js';
import { Awaited } from '../../../staff/awaited.js';
import { amountsOf } from '../parts/amounts.js';
import { DataTable } from '../parts/data-table.js';
import { monthName } from '../parts/dates.js';
import { planName } from './plan-name.js';

const COLUMNS: readonly [part: Exclude<keyof Margin, 'month' | 'plan' | 'marginMicroUsd'>, label: string][] =
  [
    ['recognisedMicroUsd', 'Credits spent'],
    ['forfeitedMicroUsd', 'Forfeited'],
    ['refundsMicroUsd', 'Refunds'],
    ['sharesMicroUsd', "Creators' shares"],
    ['feesMicroUsd', "Stripe's fees"],
    ['chargebacksMicroUsd', 'Chargebacks'],
    ['goodwillMicroUsd', 'Goodwill'],
    ['lossesMicroUsd', 'Creator losses'],
  ];

/** The margin as a percentage of the revenue. */
const percentOf = ({ recognisedMicroUsd, forfeitedMicroUsd, marginMicroUsd }: Margin): string => {
  const earned = recognisedMicroUsd + forfeitedMicroUsd;
  return earned > 0 ? `${((100 * marginMicroUsd) / earned).toFixed(1).replace('-', '\u2212')} %` : '';
};

export function Margins() {
  const query = useQuery(marginQuery);
  if (!query.data)
    return (
      <Awaited
        query={query}
        failure="The margin could not be loaded"
        loading="Loading the margin..."
        height={320}
      />
    );
  const { items } = query.data;
  const amount = amountsOf(items);
  return (
    <DataTable
      title="Gross margin by plan"
      note="Costs are negative. Each purchase counts for the plans that paid for its credits."
      file="margin-by-plan"
      className="fin-sticky"
      columns={[
        {
          label: 'Month',
          value: ({ month }) => month,
          cell: ({ month }) => <span className="whitespace-nowrap">{monthName(month)}</span>,
          total: 'Total',
        },
        { label: 'Plan', value: ({ plan }) => planName(plan) },
        ...COLUMNS.map(([part, label]) => amount(label, (row) => row[part])),
        amount('Margin', ({ marginMicroUsd }) => marginMicroUsd),
        { label: 'Of earned', value: percentOf, align: 'right' as const },
      ]}
      rows={items.toSorted((a, b) => b.month.localeCompare(a.month))}
      keyOf={({ month, plan }) => `${month} ${plan}`}
      empty="Nothing was earned and nothing spent."
    />
  );
}
