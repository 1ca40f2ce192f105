import type { ComplaintCounts } from '../../application/complaints/contract.js';
import type { ComplaintQueries } from '../../application/complaints/queries.js';
import type { Clock } from '../../application/shared/clock.js';
import { gauge, type Registered } from '../platform/observability/gauges.js';

const GAUGES: Record<string, [help: string, value: (counts: ComplaintCounts) => number]> = {
  complaints_waiting: ['Complaints and counter-notices that wait for an answer', ({ waiting }) => waiting],
  complaints_overdue: ['Those whose deadline is over', ({ overdue }) => overdue],
};

export function registerComplaintMetrics(
  metrics: Registered,
  complaints: Pick<ComplaintQueries, 'counts'>,
  clock: Clock,
): void {
  for (const [name, [help, value]] of Object.entries(GAUGES))
    gauge(metrics, [name, help], async () => value(await complaints.counts(clock.now())));
}
