import type { ClientBase } from 'pg';
import { isOutage } from '../database/lost-connection.js';
import { queries, type Database } from '../database/database.js';
import type { PostgresEventStore } from '../event-log/postgres-event-store.js';
import { ParkedEvents, placeOf } from '../event-log/parked-events.js';
import { PROJECTED_COLUMNS, type ProjectedRow } from './projected-rows.js';
import type { Application, ProjectedEvent, Projection } from './projection.js';
import type { SubscriptionLog } from '../event-log/log-subscription.js';

export class CarefulProjection {
  private readonly parked: ParkedEvents;

  constructor(
    database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly log: SubscriptionLog,
  ) {
    this.parked = new ParkedEvents(database);
  }

  async apply(
    client: ClientBase,
    projection: Projection,
    events: readonly ProjectedEvent[],
    how: { parked: Set<string>; each: boolean },
  ): Promise<void> {
    const { parked, each } = how;
    if (!each && parked.size === 0)
      return events.length > 0 ? projection.apply(client, [...events]) : undefined;
    const free: ProjectedEvent[] = [];
    for (const event of events) {
      if (parked.has(event.stream)) await this.parked.park(projection.name, event, '', queries(client));
      else if (!each) free.push(event);
      else if (!(await this.isApplied(client, projection, event))) parked.add(event.stream);
    }
    if (free.length > 0) await projection.apply(client, free);
  }

  /** Retries due parked events. Returns the streams that must wait, and whether further events became due. */
  async retry(client: ClientBase, projection: Projection): Promise<{ parked: Set<string>; more: boolean }> {
    const parked = new Set<string>();
    let more = false;
    for (const { stream, position, isDue } of await this.parked.firsts(projection.name, queries(client))) {
      parked.add(stream);
      if (!isDue) continue;
      // Raw SQL for the columns that every projection reads.
      const { rows } = await client.query(`select ${PROJECTED_COLUMNS} from event where position = $1`, [
        position,
      ]);
      const event = this.eventStore.fromProjectedRow(rows[0] as ProjectedRow);
      if (!(await this.isApplied(client, projection, event, { late: true }))) continue;
      await this.parked.release(projection.name, event, queries(client));
      this.log.warn(`${projection.name} applied what it had set aside: ${placeOf(event)}`);
      more = true;
    }
    return { parked, more };
  }

  /** Deletes the projection's parked events, because a rebuild has applied every event. */
  async forget(client: ClientBase, projection: Projection): Promise<void> {
    await queries(client).deleteFrom('parked_event').where('follower', '=', projection.name).execute();
  }

  private async isApplied(
    client: ClientBase,
    projection: Projection,
    event: ProjectedEvent,
    how: Application = {},
  ): Promise<boolean> {
    await client.query('savepoint before_event');
    try {
      await projection.apply(client, [event], how);
      await client.query('release savepoint before_event');
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      const { message } = error as Error;
      await client.query('rollback to savepoint before_event');
      await this.parked.park(projection.name, event, message, queries(client));
      this.log.error(`${projection.name} set aside ${placeOf(event)}: ${message}`);
      return false;
    }
  }
}
