import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.js';
import { type KindOfJobs, StoredJobs } from './stored-jobs.js';

const GAUGES: Record<string, [help: string, value: (kind: KindOfJobs) => number]> = {
  jobs_waiting: ['Jobs that wait for their first or next attempt', ({ waiting }) => waiting],
  jobs_running: ['Jobs in progress', ({ running }) => running],
  jobs_oldest_seconds: ['Waiting time of the oldest job that is due', ({ oldestSeconds }) => oldestSeconds],
  jobs_dead: ['Jobs that failed for good and need an operator', ({ failed }) => failed],
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
