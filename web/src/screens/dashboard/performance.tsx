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
export function Performance({ points }: { points: readonly SalesPoint[] }) {
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
