import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../application/ports/event-store.js';
import type { Database } from './database.js';
import { COLUMNS, type EventRow, type PostgresEventStore } from './event-store.js';
import type { AsyncProjection, Projection } from './projection.js';

const PAGE_EVENTS = 1_000;

/** Where a follower stands. */
export interface Checkpoint {
  name: string;
  version: number;
  position: number;
}

/** Applies events to projections from their checkpoints, and rebuilds projections beside the live ones. */
export class Projector {
  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
  ) {}

  /**
   * Applies the next page. Rows and checkpoint are committed together; the checkpoint's row lock is the lease,
   * so any number of workers may try.
   * @returns `busy` when another worker holds it, else whether more events wait
   */
  async advance(projection: AsyncProjection): Promise<'busy' | 'behind' | 'caught-up'> {
    const checkpoint = await this.ensureCheckpoint(projection);
    if (checkpoint.version < projection.version) {
      await this.rebuild(projection);
      return 'behind';
    }
    return this.database.transaction(async (client) => {
      const lease = await client.query(
        `select position from checkpoint where name = $1 for update skip locked`,
        [projection.name],
      );
      if (lease.rowCount === 0) return 'busy';
      const { position } = lease.rows[0] as { position: number };
      const page = await this.readPage(client, position, projection.types);
      if (page.until === position) return 'caught-up';
      if (page.events.length > 0) await projection.apply(client, page.events);
      await client.query(`update checkpoint set position = $2 where name = $1`, [
        projection.name,
        page.until,
      ]);
      return page.more ? 'behind' : 'caught-up';
    });
  }

  /**
   * Fills shadow tables from the first event while the live ones keep answering, then swaps them in one
   * transaction in which nobody appends.
   * @returns events applied
   */
  async rebuild(projection: Projection): Promise<number> {
    const schema = `rebuild_${projection.name.replaceAll('-', '_')}`;
    await this.database.pool.query(`drop schema if exists ${schema} cascade`);
    await this.database.pool.query(`create schema ${schema}`);
    for (const table of projection.tables) {
      await this.database.pool.query(`create table ${schema}.${table} (like public.${table} including all)`);
    }
    let applied = 0;
    let position = 0;
    const fill = async (client: ClientBase): Promise<boolean> => {
      await client.query(`set local search_path = ${schema}, public`);
      const page = await this.readPage(client, position, projection.types);
      if (page.events.length > 0) await projection.apply(client, page.events);
      applied += page.events.length;
      position = page.until;
      return page.more;
    };
    while (await this.database.transaction(fill));
    await this.database.transaction(async (client) => {
      await client.query(`select 1 from log_head for update`);
      while (await fill(client));
      for (const table of projection.tables) {
        await client.query(`drop table public.${table}`);
        await client.query(`alter table ${schema}.${table} set schema public`);
      }
      await client.query(
        `insert into checkpoint (name, version, position) values ($1, $2, $3)
         on conflict (name) do update set version = excluded.version, position = excluded.position`,
        [projection.name, projection.version, position],
      );
      await client.query(`drop schema ${schema} cascade`);
    });
    return applied;
  }

  /** The rows a refold of the log would have, against the rows there are: how many differ in each table. */
  async drift(projection: Projection): Promise<{ table: string; rows: number }[]> {
    const schema = `refold_${projection.name.replaceAll('-', '_')}`;
    return this.database.transaction(async (client) => {
      // One moment of the database, so that nobody has to stop appending while the log is refolded.
      await client.query('set transaction isolation level repeatable read');
      await client.query(`create schema ${schema}`);
      for (const table of projection.tables) {
        await client.query(`create table ${schema}.${table} (like public.${table} including all)`);
      }
      // An async projection is compared as of its checkpoint, an inline one as of the head.
      const found = await client.query(
        projection.lifecycle === 'async'
          ? `select position from checkpoint where name = '${projection.name}'`
          : `select position from log_head`,
      );
      const until = (found.rows[0] as { position: number } | undefined)?.position ?? 0;
      await client.query(`set local search_path = ${schema}, public`);
      for (let position = 0; position < until;) {
        const page = await this.readPage(client, position, projection.types, until);
        if (page.events.length > 0) await projection.apply(client, page.events);
        position = page.until;
      }
      const differences: { table: string; rows: number }[] = [];
      for (const table of projection.tables) {
        const counted = await client.query(
          `select count(*)::int as rows from (
             (select t::text from public.${table} t except all select t::text from ${schema}.${table} t)
             union all
             (select t::text from ${schema}.${table} t except all select t::text from public.${table} t)) as d`,
        );
        differences.push({ table, rows: (counted.rows[0] as { rows: number }).rows });
      }
      await client.query(`drop schema ${schema} cascade`);
      return differences;
    });
  }

  async checkpoints(): Promise<Checkpoint[]> {
    return (await this.database.pool.query(`select name, version, position from checkpoint order by name`))
      .rows as Checkpoint[];
  }

  private async ensureCheckpoint(projection: Projection): Promise<Checkpoint> {
    const found = await this.database.pool.query({
      name: 'ensure-checkpoint',
      text: `with made as (insert into checkpoint (name, version, position) values ($1, $2, 0) on conflict do nothing returning *)
             select * from made union all select * from checkpoint where name = $1 limit 1`,
      values: [projection.name, projection.version],
    });
    return found.rows[0] as Checkpoint;
  }

  private async readPage(
    client: ClientBase,
    after: number,
    types: readonly string[],
    limitPosition?: number,
  ): Promise<{ events: RecordedEvent[]; until: number; more: boolean }> {
    const head =
      limitPosition ??
      ((await client.query(`select position from log_head`)).rows[0] as { position: number }).position;
    const found = await client.query({
      name: 'read-page',
      text: `select ${COLUMNS} from event where position > $1 and position <= $2 and type = any($3) order by position limit $4`,
      values: [after, head, types, PAGE_EVENTS],
    });
    const events = found.rows.map((row) => this.eventStore.fromRow(row as EventRow));
    const more = events.length === PAGE_EVENTS;
    return { events, until: more ? (events.at(-1) as RecordedEvent).position : head, more };
  }
}
