import type { ClientBase, Pool } from 'pg';
import type { Database } from '../database/database.js';

/** An event of the log, with what people need to find it. */
export interface EventPlace {
  position: number;
  stream: string;
  version: number;
  type: string;
}

/** An event that a subscription set aside. */
export interface ParkedEvent extends EventPlace {
  follower: string;
  /** Empty for an event that only waits behind another one of its stream. */
  error: string;
  attempts: number;
  parkedAt: Date;
  retryAt: Date;
}

export interface ParkedStream {
  stream: string;
  position: number;
  isDue: boolean;
}

/** After this many failed attempts in a row, a subscription goes on without the event and its stream. */
export const ATTEMPTS_IN_PLACE = 3;
const RETRY_SECONDS = [10, 60, 300, 1_800, 3_600];
const LONGEST_ERROR = 1_000;

const COLUMNS = `follower, position, stream, version, type, error, attempts, parked_at as "parkedAt", retry_at as "retryAt"`;

/**
 * Events that subscriptions of the log could not handle: each stream waits by itself and is retried from time to
 * time.
 */
export class ParkedEvents {
  constructor(private readonly database: Database) {}

  async list(): Promise<ParkedEvent[]> {
    const { rows } = await this.database.pool.query<ParkedEvent>(
      `select ${COLUMNS} from parked_event order by follower, position`,
    );
    return rows;
  }

  /** How many events each subscription has set aside. */
  async counts(): Promise<{ follower: string; events: number }[]> {
    const { rows } = await this.database.pool.query<{ follower: string; events: number }>(
      `select follower, count(*)::int as events from parked_event group by follower`,
    );
    return rows;
  }

  /** Makes them due now. @returns how many there are */
  async retry(follower: string, stream?: string): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `update parked_event set retry_at = now() where follower = $1 and ($2::text is null or stream = $2)`,
      [follower, stream ?? null],
    );
    return rowCount ?? 0;
  }

  /**
   * The streams that a subscription must not continue, each with its first parked event and whether that is due
   * now.
   */
  async firsts(
    follower: string,
    connection: ClientBase | Pool = this.database.pool,
  ): Promise<ParkedStream[]> {
    const { rows } = await connection.query<ParkedStream>(
      `select distinct on (stream) stream, position, retry_at <= now() as "isDue" from parked_event
        where follower = $1 order by stream, position`,
      [follower],
    );
    return rows;
  }

  async park(
    follower: string,
    { position, stream, version, type }: EventPlace,
    error: string,
    connection: ClientBase | Pool = this.database.pool,
  ): Promise<void> {
    await connection.query(
      `insert into parked_event as kept (follower, position, stream, version, type, error, attempts, parked_at, retry_at)
       values ($1, $2, $3, $4, $5, $6, $7, now(), now() + $8 * interval '1 second')
       on conflict (follower, position) do update set error = excluded.error, attempts = kept.attempts + 1,
         retry_at = now() + ($9::int[])[least(kept.attempts + 1, cardinality($9::int[]))] * interval '1 second'`,
      [
        follower,
        position,
        stream,
        version,
        type,
        error.replaceAll('\0', '').slice(0, LONGEST_ERROR),
        error === '' ? 0 : 1,
        RETRY_SECONDS[0],
        RETRY_SECONDS,
      ],
    );
  }

  /** It was handled at last; the next of its stream is due at once. */
  async release(
    follower: string,
    { position, stream }: EventPlace,
    connection: ClientBase | Pool = this.database.pool,
  ): Promise<void> {
    await connection.query(`delete from parked_event where follower = $1 and position = $2`, [
      follower,
      position,
    ]);
    await connection.query(`update parked_event set retry_at = now() where follower = $1 and stream = $2`, [
      follower,
      stream,
    ]);
  }
}

/** The name of an event in the log and for people. */
export const placeOf = ({ position, stream, version, type }: EventPlace): string =>
  `${type} at position ${position} (${stream}, version ${version})`;
