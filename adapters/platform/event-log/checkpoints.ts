/** Raw SQL: asked again and again, in named statements that look each type up in its index by itself. */
import type { ClientBase, Pool } from 'pg';
import type { Database } from '../database/database.js';
import { prepared } from '../database/prepared.js';
import { LOG_END } from './log-writer.js';

/** The progress of a subscription of the log: everything of its types up to `position` is handled or set aside. */
export interface Checkpoint {
  name: string;
  version: number;
  position: number;
  /** Null where a version before wrote it: then every event counts. Empty for what is written with the events. */
  types: readonly string[] | null;
}

/** A checkpoint, and how many events of its types come after it: at most `MOST_COUNTED`. */
export type Progress = Checkpoint & { behind: number };

export const MOST_COUNTED = 100_000;

/**
 * Selects positions of events of `types` after a position, in order. Each type is looked up by itself, so that it costs
 * the same wherever in the log the position is and however rare the types are.
 */
export const positionsAfter = (types: string, after: string, limit: string | number): string => `
  select next.position from unnest(${types}) as wanted(type),
         lateral (select event.position from event where event.type = wanted.type and event.position > ${after}
                   order by event.type, event.position limit ${limit}) as next
   order by next.position limit ${limit}`;

/** Selects the event at a position that another part of the statement gives. */
export const eventAt = (columns: string, position: string): string =>
  `lateral (select ${columns} from event where event.position = ${position} limit 1) as event`;

const HEAD = `head as materialized (${LOG_END})`;
/** Whether an event waits that the subscription of checkpoint `c` follows. */
const WAITS = `case when c.types is null then c.position < head.position
                    else exists (${positionsAfter('c.types', 'c.position', 1)}) end`;

/** Begins it, and notes its types. One of another version is left alone. */
export async function ensureCheckpoint(
  on: ClientBase | Pool,
  { name, version, types }: Omit<Checkpoint, 'position'>,
): Promise<void> {
  await on.query(
    `insert into checkpoint (name, version, position, types)
     select $1::text, $2::int, 0, $3::text[]
      where not exists (select from checkpoint where name = $1 and (version <> $2 or types is not distinct from $3))
         on conflict (name) do update set types = excluded.types where checkpoint.version = excluded.version`,
    [name, version, types],
  );
}

/** Where the subscriptions of the log stand. */
export class Checkpoints {
  constructor(private readonly database: Database) {}

  async list(): Promise<Progress[]> {
    const { rows } = await this.database.pool.query<Progress>(
      prepared(
        'checkpoints',
        `with ${HEAD}
         select c.name, c.version, c.position, c.types,
                (case when c.types is null then head.position - c.position
                      else (select count(*) from (${positionsAfter('c.types', 'c.position', MOST_COUNTED)}) as after) end)::int as behind
           from checkpoint c, head order by c.name`,
      ),
    );
    return rows;
  }

  /** Whether each of those named has handled all events of its types up to that position. */
  async haveReached(position: number, names: readonly string[]): Promise<boolean> {
    const { rows } = await this.database.pool.query<{ reached: number }>(
      prepared(
        'checkpoints-reached',
        `select count(*)::int as reached from checkpoint c
          where c.name = any($1)
            and (c.position >= $2
                 or (c.types is not null and coalesce((${positionsAfter('c.types', 'c.position', 1)}), $2 + 1) > $2))`,
        [names, position],
      ),
    );
    return rows[0]?.reached === new Set(names).size;
  }

  /**
   * Moves those of the named to the end of the log for which nothing waits, so that none has a long way when something
   * comes. @returns the others, and those with a parked event that is due
   */
  async settle(names: readonly string[]): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ name: string }>(
      prepared(
        'settle-checkpoints',
        `with ${HEAD}, state as materialized (
           select c.name, c.position, ${WAITS} as waits,
                  exists (select from parked_event p where p.follower = c.name and p.retry_at <= now()) as is_due
             from checkpoint c, head where c.name = any($1)
         ), idle as (
           select checkpoint.name from checkpoint join state using (name), head
            where not state.waits and state.position < head.position and checkpoint.types is not null
              for update of checkpoint skip locked
         ), settled as (
           update checkpoint set position = head.position from idle, head
            where checkpoint.name = idle.name and checkpoint.position < head.position
         )
         select name from state where waits or is_due`,
        [names],
      ),
    );
    return rows.map(({ name }) => name);
  }
}
