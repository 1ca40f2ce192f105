import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.js';
import { StoredJobs, type KindOfJobs } from './stored-jobs.js';

const GAUGES: Record<string, [help: string, value: (kind: KindOfJobs) => number]> = {
  jobs_waiting: ['Jobs that wait to be begun or to be repeated', ({ waiting }) => waiting],
  jobs_running: ['Jobs that workers are at', ({ running }) => running],
  jobs_oldest_seconds: [
    'How long the first of the jobs that can be begun has waited',
    ({ oldestSeconds }) => oldestSeconds,
  ],
  jobs_dead: ['Jobs that failed for good and wait for somebody', ({ failed }) => failed],
};

/** Registers the metrics of jobs. Each scrape queries the database once. */
export function registerJobMetrics({ registry }: { registry: Registry }, database: Database): void {
  const stored = new StoredJobs(database);
  let asked: Promise<KindOfJobs[]> | undefined;
  const kinds = () =>
    // During an outage of the database, all other metrics are still reported.
    (asked ??= stored
      .kinds()
      .catch(() => [])
      .finally(() => (asked = undefined)));
  for (const [name, [help, value]] of Object.entries(GAUGES))
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      async collect() {
        const found = await kinds();
        this.reset();
        for (const kind of found) this.set({ kind: kind.kind }, value(kind));
      },
    });
}
