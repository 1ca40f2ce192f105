import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';
import type { Database } from '../database/database.js';
import { Checkpoints, MOST_COUNTED } from '../event-log/checkpoints.js';
import { ParkedEvents } from '../event-log/parked-events.js';

/** Registers the metrics of the log's followers. Each scrape queries the database. */
export function registerLogMetrics({ registry }: Metrics, { database }: { database: Database }): void {
  const registers = [registry];
  const labelNames = ['follower'];
  const ask = async (gauge: Gauge, values: () => Promise<{ follower: string; value: number }[]>) => {
    gauge.reset();
    // During an outage of the database, all other metrics are still reported.
    for (const { follower, value } of await values().catch(() => [])) gauge.set({ follower }, value);
  };
  new Gauge({
    name: 'log_follower_behind_events',
    help: `Events that a read model or reactor follows and has not looked at yet, at most ${MOST_COUNTED}`,
    labelNames,
    registers,
    collect() {
      return ask(this, async () => {
        const followers = await new Checkpoints(database).list();
        return followers
          .filter(({ types }) => types?.length !== 0)
          .map(({ name, behind }) => ({ follower: name, value: behind }));
      });
    },
  });
  new Gauge({
    name: 'log_follower_parked_events',
    help: 'Events that a projection or reactor parked because it failed to handle them',
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
