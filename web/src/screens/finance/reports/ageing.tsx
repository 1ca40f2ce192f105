import { useQuery } from '@tanstack/react-query';
import { ageingQuery } from '../../../api/finance.js';
import { Awaited } from '../../../staff/awaited.js';
import { amountsOf } from '../parts/amounts.js';
import { DataTable } from '../parts/data-table.js';
import { utcTime } from '../parts/dates.js';

/** The value of unspent credits by age. @param asOf a day; empty: now */
export function Ageing({ asOf }: { asOf: string }) {
  const query = useQuery(ageingQuery(asOf));
  if (!query.data)
    return (
      <Awaited
        query={query}
        failure="The ages could not be loaded"
        loading="Loading the ages..."
        height={240}
      />
    );
  const { items } = query.data;
  const amount = amountsOf(items);
  return (
    <DataTable
      title="Age of what is deferred"
      note={`${utcTime(query.data.asOf)} UTC. Credits that came back keep their first date.`}
      file={asOf ? `ageing-${asOf}` : 'ageing'}
      columns={[
        {
          label: 'Days',
          value: ({ age }) => age,
          cell: ({ age }) => <span className="whitespace-nowrap">{age}</span>,
          total: 'Total',
        },
        { label: 'Lots', value: ({ lots }) => lots, total: items.reduce((sum, { lots }) => sum + lots, 0) },
        amount('Paid', ({ paidMicroUsd }) => paidMicroUsd),
        amount('Promotional', ({ promotionalMicroUsd }) => promotionalMicroUsd),
        amount('Together', ({ totalMicroUsd }) => totalMicroUsd),
      ]}
      rows={items}
      keyOf={({ age }) => age}
      empty="Nothing is deferred."
    />
  );
}
