import { Gauge, type Registry } from 'prom-client';
import type pg from 'pg';
import type { Database } from '../database/database.js';
import { Checkpoints, MOST_COUNTED } from '../event-log/checkpoints.js';
import { ParkedEvents } from '../event-log/parked-events.js';
import { StoredJobs, type KindOfJobs } from '../jobs/stored-jobs.js';

export interface Registered {
  registry: Registry;
}
export type Labelled = [labels: Record<string, string | number>, value: number];

/** @param read returns the value, or a value for each set of labels; undefined if it is unknown */
export function gauge(
  { registry }: Registered,
  [name, help, ...labelNames]: readonly [name: string, help: string, ...labelNames: string[]],
  read: () => Promise<Labelled[] | number | undefined>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      // A failed read must not fail the scrape: during an outage of the database, other metrics are still reported.
      const found = (await read().catch(() => undefined)) ?? [];
      this.reset();
      // After `reset`, a gauge without labels would report 0 although its value may be unknown.
      if (labelNames.length === 0) this.remove();
      for (const [labels, value] of typeof found === 'number' ? [[{}, found] as const] : found)
        this.set(labels, value);
    },
  });
}

export function registerLogMetrics(metrics: Registered, { database }: { database: Database }): void {
  gauge(
    metrics,
    [
      'log_follower_behind_events',
      `Events that a read model or reactor follows and has not looked at yet, at most ${MOST_COUNTED}`,
      'follower',
    ],
    async () =>
      (await new Checkpoints(database).list()).flatMap(({ name: follower, types, behind }): Labelled[] =>
        types?.length === 0 ? [] : [[{ follower }, behind]],
      ),
  );
  gauge(
    metrics,
    [
      'log_follower_parked_events',
      'Events that a projection or reactor parked because it failed to handle them',
      'follower',
    ],
    async () =>
      (await new ParkedEvents(database).counts()).map(({ follower, events }) => [{ follower }, events]),
  );
}

export function registerPoolMetrics(
  metrics: Registered,
  { database, catalogueDatabase }: { database: Database; catalogueDatabase: Database },
): void {
  const pools: [string, pg.Pool][] = [
    ['requests', database.pool],
    ['purchases', database.pipelines],
    ['long', database.long],
  ];
  if (catalogueDatabase !== database) pools.push(['replica', catalogueDatabase.pool]);
  gauge(
    metrics,
    ['database_connections', 'Connections of a pool that are used or idle', 'pool', 'state'],
    async () =>
      pools.flatMap(([pool, { totalCount, idleCount }]): Labelled[] => [
        [{ pool, state: 'used' }, totalCount - idleCount],
        [{ pool, state: 'idle' }, idleCount],
      ]),
  );
  gauge(
    metrics,
    ['database_waiting', 'Requests that wait for a free connection of a pool', 'pool'],
    async () => pools.map(([pool, { waitingCount }]) => [{ pool }, waitingCount]),
  );
}

const JOB_GAUGES: Record<string, [help: string, value: (kind: KindOfJobs) => number]> = {
  jobs_waiting: ['Jobs that wait for their first or next attempt', ({ waiting }) => waiting],
  jobs_running: ['Jobs in progress', ({ running }) => running],
  jobs_oldest_seconds: ['Waiting time of the oldest job that is due', ({ oldestSeconds }) => oldestSeconds],
  jobs_dead: ['Jobs that failed for good and need an operator', ({ failed }) => failed],
};

/** Registers the metrics of jobs. Each scrape queries the database once. */
export function registerJobMetrics(metrics: Registered, database: Database): void {
  const stored = new StoredJobs(database);
  let asked: Promise<KindOfJobs[]> | undefined;
  const kinds = () => (asked ??= stored.kinds().finally(() => (asked = undefined)));
  for (const [name, [help, value]] of Object.entries(JOB_GAUGES))
    gauge(metrics, [name, help, 'kind'], async () =>
      (await kinds()).map((kind) => [{ kind: kind.kind }, value(kind)]),
    );
}
