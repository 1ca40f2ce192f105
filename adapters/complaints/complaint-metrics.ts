import { Gauge, type Registry } from 'prom-client';
import type { ComplaintCounts } from '../../application/complaints/contract.js';
import type { ComplaintQueries } from '../../application/complaints/queries.js';
import type { Clock } from '../../application/shared/clock.js';

const GAUGES: Record<string, [help: string, value: (counts: ComplaintCounts) => number]> = {
  complaints_waiting: ['Complaints and counter-notices that wait for an answer', ({ waiting }) => waiting],
  complaints_overdue: ['Those whose deadline is over', ({ overdue }) => overdue],
};

export function registerComplaintMetrics(
  { registry }: { registry: Registry },
  complaints: Pick<ComplaintQueries, 'counts'>,
  clock: Clock,
): void {
  for (const [name, [help, value]] of Object.entries(GAUGES))
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // The other metrics are still reported if the database does not answer.
        const counts = await complaints.counts(clock.now()).catch(() => undefined);
        // Removes the gauge: an unset gauge reports 0, but the count is unknown.
        if (counts) this.set(value(counts));
        else this.remove();
      },
    });
}
