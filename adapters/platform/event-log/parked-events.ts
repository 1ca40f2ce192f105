import { sql } from 'kysely';
import { DatabaseAdapter, type Queries } from '../database/database.js';

export interface EventPlace {
  position: number;
  stream: string;
  version: number;
  type: string;
}

export interface ParkedEvent extends EventPlace {
  follower: string;
  /** Empty if the event only waits behind another parked event of its stream. */
  error: string;
  attempts: number;
  parkedAt: Date;
  retryAt: Date;
}

/** After this many failed attempts in a row, a subscription parks the event and continues without its stream. */
export const ATTEMPTS_IN_PLACE = 3;
const RETRY_SECONDS = [10, 60, 300, 1_800, 3_600];
const LONGEST_ERROR = 1_000;

const NOW = sql<Date>`now()`;
const inSeconds = (seconds: unknown) => sql<Date>`now() + ${seconds} * interval '1 second'`;

/** Events that subscriptions failed to handle. Only the stream of the event waits. Retries follow growing pauses. */
export class ParkedEvents extends DatabaseAdapter {
  list(): Promise<ParkedEvent[]> {
    return this.database.db
      .selectFrom('parked_event')
      .select(['follower', 'position', 'stream', 'version', 'type', 'error', 'attempts'])
      .select(['parked_at as parkedAt', 'retry_at as retryAt'])
      .orderBy('follower')
      .orderBy('position')
      .execute();
  }

  counts(): Promise<{ follower: string; events: number }[]> {
    return this.database.db
      .selectFrom('parked_event')
      .select(({ fn }) => ['follower', fn.countAll<number>().as('events')])
      .groupBy('follower')
      .execute();
  }

  async retry(follower: string, stream?: string): Promise<number> {
    const { numUpdatedRows } = await this.database.db
      .updateTable('parked_event')
      .set({ retry_at: NOW })
      .where('follower', '=', follower)
      .$if(stream !== undefined, (events) => events.where('stream', '=', stream as string))
      .executeTakeFirstOrThrow();
    await this.wake();
    return Number(numUpdatedRows);
  }

  /** Returns the streams whose events a subscription must not handle now, each with its first parked event. */
  firsts(follower: string, db: Queries = this.database.db) {
    return db
      .selectFrom('parked_event')
      .distinctOn('stream')
      .select(({ eb }) => ['stream', 'position', eb('retry_at', '<=', NOW).$castTo<boolean>().as('isDue')])
      .where('follower', '=', follower)
      .orderBy('stream')
      .orderBy('position')
      .execute();
  }

  async park(
    follower: string,
    { position, stream, version, type }: EventPlace,
    failure: string,
    db: Queries = this.database.db,
  ): Promise<void> {
    const error = failure.replaceAll('\0', '').slice(0, LONGEST_ERROR);
    const attempts = error === '' ? 0 : 1;
    await db
      .insertInto('parked_event')
      .values({
        follower,
        position,
        stream,
        version,
        type,
        error,
        attempts,
        parked_at: NOW,
        retry_at: inSeconds(RETRY_SECONDS[0]),
      })
      .onConflict((conflict) =>
        conflict.columns(['follower', 'position']).doUpdateSet(({ eb }) => {
          const again = eb('parked_event.attempts', '+', 1);
          const pauses = sql`${RETRY_SECONDS}::int[]`;
          return {
            error,
            attempts: again,
            retry_at: inSeconds(sql`(${pauses})[least(${again}, cardinality(${pauses}))]`),
          };
        }),
      )
      .execute();
  }

  /** Removes an event that will never be handled. The next event of its stream is due at once. */
  async skip(follower: string, event: EventPlace): Promise<void> {
    await this.release(follower, event);
    await this.wake();
  }

  /** An empty notification makes every subscription check for waiting events. */
  private async wake(): Promise<void> {
    await this.database.pool.query(`select pg_notify('event_appended', '')`);
  }

  /** Removes an event that a retry has handled. The next event of its stream is due at once. */
  async release(
    follower: string,
    { position, stream }: EventPlace,
    db: Queries = this.database.db,
  ): Promise<void> {
    await db
      .deleteFrom('parked_event')
      .where('follower', '=', follower)
      .where('position', '=', position)
      .execute();
    await db
      .updateTable('parked_event')
      .set({ retry_at: NOW })
      .where('follower', '=', follower)
      .where('stream', '=', stream)
      .execute();
  }
}

export const placeOf = ({ position, stream, version, type }: EventPlace): string =>
  `${type} at position ${position} (${stream}, version ${version})`;
