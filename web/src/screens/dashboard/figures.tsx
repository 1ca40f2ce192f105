import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import { LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';
import { RecentActivity } from './recent-activity.js';
import { StatCards } from './stat-cards.js';
import { useState } from 'react';
import type { SalesPoint } from '../../../../application/payouts/contract.js';
import { DASHBOARD_DAYS } from '../../../../application/payouts/values.js';
import { ChartPanel } from '../../charts/chart-panel.js';
import { type Measure, chartOfDays } from '../../charts/days.js';
import { Segmented } from '../../ui/tabs.js';

const MEASURES = [
  { value: 'downloads', label: 'Downloads' },
  { value: 'revenue', label: 'Revenue' },
] as const;
/** Low enough that a laptop's first screen includes the payouts below. */
const HEIGHT = 208;

/** The last `DASHBOARD_DAYS`, one bar per day. */
function Performance({ points }: { points: readonly SalesPoint[] }) {
  const [measure, setMeasure] = useState<Measure>('downloads');
  const { chart, table, empty } = chartOfDays(points.slice(-DASHBOARD_DAYS), measure);
  return (
    <ChartPanel
      title="Performance Analytics"
      note={`Last ${DASHBOARD_DAYS} days`}
      choice={<Segmented options={MEASURES} value={measure} onChange={setMeasure} label="Shown" />}
      chart={{ ...chart, height: HEIGHT }}
      table={table}
      empty={empty && <p className="grid h-52 place-items-center text-muted">No sales data yet</p>}
    />
  );
}

export function Figures() {
  const answer = useQuery(query('GET /api/creator/dashboard'));
  const { data, error } = answer;
  if (error && !data) return <QueryFailure of={answer} title="Your figures could not be loaded" />;
  if (!data) {
    return (
      <>
        <LoadingText>Loading your figures...</LoadingText>
        <Skeleton className="h-32.5" />
        <Skeleton className="h-75" />
      </>
    );
  }
  return (
    <>
      <StatCards figures={data} />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_360px]">
        <Performance points={data.points} />
        <RecentActivity activity={data.activity} />
      </div>
    </>
  );
}
