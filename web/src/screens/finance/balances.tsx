import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import { ChartColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import type { BalancesOverTime } from '../../../../application/ledger/contract.js';
import { LineChart } from '../../charts/line-chart.js';
import { IconButton } from '../../ui/button.js';
import { formatMicroUsd } from '../../ui/format.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { monthName, shortMonthName, thisMonth } from '../../staff/dates.js';
import { BarPanel, Missing, Panel } from '../../staff/page-parts.js';

const MICRO_PER_CENT = 10_000;

type Month = BalancesOverTime['items'][number];
const LINES = [
  ['Cash', 'cashMicroUsd', 'var(--c1)'],
  ['Deferred', 'deferredMicroUsd', 'var(--c2)'],
  ['Creators', 'creatorsMicroUsd', 'var(--c3)'],
] as const;
const BALANCE_COLUMNS: Column<Month>[] = [
  { label: 'End of', value: ({ month }) => month, kind: kinds.month },
  ...LINES.map(([label, name]) => ({ label, value: (row: Month) => ({ microUsd: row[name] }) })),
];

function tickOf(microUsd: number): string {
  const dollars = Math.abs(microUsd) / 1_000_000;
  const text =
    dollars >= 1_000 ? `${Number((dollars / 1_000).toFixed(1))}k` : String(Number(dollars.toFixed(2)));
  return `${microUsd < 0 ? '\u2212' : ''}$${text}`;
}

/** Cash, and the part of it that we owe, at the end of each month: a chart, or the same figures as a table. */
export function Balances() {
  const { data, error } = useQuery(query('GET /api/finance/balances-over-time'));
  const [asTable, setAsTable] = useState(false);
  const title = 'Cash, deferred and creators';
  const months = data?.items ?? [];
  const moved = months.some((month) => LINES.some(([, of]) => month[of] !== 0));
  if (!moved)
    return (
      <Panel title={title}>
        {data ? (
          <p className="text-muted">No money has moved yet.</p>
        ) : (
          <Missing error={error} loading="Loading balances..." height={286} />
        )}
      </Panel>
    );
  const Icon = asTable ? ChartColumn : Table2;
  const toggle = (
    <IconButton
      label={`Show ${title} as a ${asTable ? 'chart' : 'table'}`}
      onClick={() => setAsTable(!asTable)}
    >
      <Icon size={17} />
    </IconButton>
  );
  if (asTable)
    return (
      <List
        title={title}
        file="balances-over-time"
        actions={toggle}
        columns={BALANCE_COLUMNS}
        of={months.toReversed()}
        keyOf={({ month }) => month}
      />
    );
  return (
    <BarPanel title={title} note="At the end of each month" actions={toggle}>
      <div className="border-t border-line p-5 max-md:p-4">
        <LineChart
          title={title}
          unit={MICRO_PER_CENT}
          formatTick={tickOf}
          formatValue={formatMicroUsd}
          points={months.map(({ month }) => ({
            id: month,
            label: shortMonthName(month),
            when: month === thisMonth() ? 'Today' : `End of ${monthName(month)}`,
          }))}
          lines={LINES.map(([name, of, colour]) => ({
            name,
            colour,
            values: months.map((month) => month[of]),
          }))}
        />
      </div>
    </BarPanel>
  );
}
