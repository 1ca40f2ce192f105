import { Gauge } from 'prom-client';
import type pg from 'pg';
import type { Database } from '../database/database.js';
import type { Metrics } from './metrics.js';

/** Registers the metrics of this node's connections to PostgreSQL. They need no query. */
export function registerPoolMetrics(
  { registry }: Metrics,
  { database, catalogueDatabase }: { database: Database; catalogueDatabase: Database },
): void {
  const pools = new Map<string, pg.Pool>([
    ['requests', database.pool],
    ['purchases', database.pipelines],
    ['long', database.long],
    ...(catalogueDatabase === database ? [] : [['replica', catalogueDatabase.pool] as const]),
  ]);
  const registers = [registry];
  new Gauge({
    name: 'database_connections',
    help: 'Connections of a pool that are used or idle',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of pools) {
        this.set({ pool, state: 'used' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'database_waiting',
    help: 'Requests that wait for a free connection of a pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
    },
  });
}
