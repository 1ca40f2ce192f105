import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SalesPeriod } from '../../../../application/payouts/contract.js';
import { salesQuery } from '../../api/creator.js';
import { ChartPanel } from '../../charts/chart-panel.js';
import { chartOfDays } from '../../charts/days.js';
import { formatMicroUsd } from '../../ui/format.js';
import { LoadingText, Skeleton } from '../../ui/states.js';
import { Segmented } from '../../ui/tabs.js';
import { useLogged } from './use-logged.js';

const PERIODS = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: '3months', label: '3 Months' },
  { value: 'year', label: 'Year' },
] as const satisfies readonly { value: SalesPeriod; label: string }[];

export function SalesOverview() {
  const [period, setPeriod] = useState<SalesPeriod>('week');
  const { data, error } = useQuery(salesQuery(period));
  useLogged('Your sales', error);
  if (!data && !error) {
    return (
      <>
        <LoadingText>Loading your sales...</LoadingText>
        <Skeleton className="h-75" />
      </>
    );
  }
  const points = data?.points ?? [];
  const { chart, table, empty } = chartOfDays(points, 'revenue');
  const sum = points.reduce((total, { revenueMicroUsd }) => total + revenueMicroUsd, 0);
  return (
    <ChartPanel
      title="Sales Overview"
      note={
        points.length > 0 && (
          <>
            <b className="text-text">{formatMicroUsd(sum)}</b> in the last {points.length} days
          </>
        )
      }
      choice={<Segmented options={PERIODS} value={period} onChange={setPeriod} label="Period" />}
      chart={chart}
      table={table}
      empty={
        empty && <p className="grid h-56.5 place-items-center text-muted">No sales data for this period</p>
      }
    />
  );
}
