import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';
import type { Database } from '../database/database.js';
import { ParkedEvents } from '../event-log/parked-events.js';
import { Projector } from '../projections/projector.js';
import type { PostgresEventStore } from '../event-log/postgres-event-store.js';

/** What monitoring learns of those who follow the log, asked of the database whenever it looks. */
export function registerLogMetrics(
  { registry }: Metrics,
  { database, eventStore }: { database: Database; eventStore: PostgresEventStore },
): void {
  const registers = [registry];
  const labelNames = ['follower'];
  const ask = async (gauge: Gauge, values: () => Promise<{ follower: string; value: number }[]>) => {
    gauge.reset();
    // Without the database everything else is told all the same.
    for (const { follower, value } of await values().catch(() => [])) gauge.set({ follower }, value);
  };
  new Gauge({
    name: 'log_follower_behind_events',
    help: 'Events of the log that a read model or reactor has not looked at yet',
    labelNames,
    registers,
    collect() {
      return ask(this, async () => {
        const { position } = await eventStore.head();
        const checkpoints = await new Projector(database, eventStore).checkpoints();
        return checkpoints.map((at) => ({ follower: at.name, value: Math.max(0, position - at.position) }));
      });
    },
  });
  new Gauge({
    name: 'log_follower_parked_events',
    help: 'Events that a read model or reactor set aside because it could not handle them',
    labelNames,
    registers,
    collect() {
      return ask(this, async () =>
        (await new ParkedEvents(database).counts()).map(({ follower, events }) => ({
          follower,
          value: events,
        })),
      );
    },
  });
}
