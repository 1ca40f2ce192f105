/** Raw SQL: named statements for frequent queries. They look up each event type separately in its index. */
import type { ClientBase, Pool } from 'pg';
import { DatabaseAdapter, prepared } from '../database/database.js';
import { LOG_END } from './log-writer.js';

export interface Checkpoint {
  name: string;
  version: number;
  position: number;
  /**
   * Null if an earlier version wrote the checkpoint: then events of every type count as
   * waiting. Empty for inline projections.
   */
  types: readonly string[] | null;
}

export type Progress = Checkpoint & { behind: number };

export const MOST_COUNTED = 100_000;

/**
 * Selects positions of events of `types` after a position, in order. Each type is looked up separately. The cost
 * therefore depends neither on the position nor on how rare the types are.
 */
export const positionsAfter = (types: string, after: string, limit: string | number): string => `
  select next.position from unnest(${types}) as wanted(type),
         lateral (select event.position from event where event.type = wanted.type and event.position > ${after}
                   order by event.type, event.position limit ${limit}) as next
   order by next.position limit ${limit}`;

export const eventAt = (columns: string, position: string): string =>
  `lateral (select ${columns} from event where event.position = ${position} limit 1) as event`;

const HEAD = `head as materialized (${LOG_END})`;
const WAITS = `case when c.types is null then c.position < head.position
                    else exists (${positionsAfter('c.types', 'c.position', 1)}) end`;

/** Creates the checkpoint, or updates its types. Does not change the checkpoint of another version. */
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

export class Checkpoints extends DatabaseAdapter {
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
   * Moves each checkpoint for which no events wait to the end of the
   * log, so that a search for the next event is short.
   * @returns the names of checkpoints with waiting events, or with a parked event that is due
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
