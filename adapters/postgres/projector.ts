import type { ClientBase } from 'pg';
import { copyRows } from './added-rows.js';
import type { Database } from './database.js';
import { PROJECTED_COLUMNS, type PostgresEventStore, type ProjectedRow } from './event-store.js';
import type { AsyncProjection, ProjectedEvent, Projection } from './projection.js';
import { createIndexes, createShadow, differingRows } from './shadow-tables.js';

const PAGE_EVENTS = 1_000;
const BULK_PAGE_EVENTS = 2_500;

interface Page {
  events: ProjectedEvent[];
  /** What lies behind it is read. */
  until: number;
  more: boolean;
}

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
    if (checkpoint.version < projection.version) return this.rebuildOnce(projection);
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

  /** Of several workers that find an old version, one rebuilds; the others wait for it. */
  private async rebuildOnce(projection: AsyncProjection): Promise<'busy' | 'behind'> {
    const client = await this.database.pool.connect();
    const name = `rebuild ${projection.name}`;
    let locked = false;
    try {
      const asked = await client.query(`select pg_try_advisory_lock(hashtextextended($1, 0)) as locked`, [
        name,
      ]);
      ({ locked } = asked.rows[0] as { locked: boolean });
      if (!locked) return 'busy';
      // Another may have been faster than the look at its version.
      if ((await this.ensureCheckpoint(projection)).version < projection.version)
        await this.rebuild(projection);
      return 'behind';
    } finally {
      if (locked) await client.query(`select pg_advisory_unlock(hashtextextended($1, 0))`, [name]);
      client.release();
    }
  }

  /**
   * Fills shadow tables from the first event while the live ones keep answering, then swaps them in one
   * transaction in which nobody appends.
   * @returns events applied
   */
  async rebuild(projection: Projection): Promise<number> {
    const schema = `rebuild_${projection.name.replaceAll('-', '_')}`;
    const { pool } = this.database;
    await pool.query(`drop schema if exists ${schema} cascade`);
    await createShadow(pool, schema, projection.tables, { bare: projection.adds !== undefined });
    let applied = 0;
    let position = 0;
    for await (const page of this.pages(pool, projection.types)) {
      await this.database.transaction(async (client) => {
        // Lost in a crash, it is all begun anew.
        await client.query(`set local synchronous_commit = off`);
        await client.query(`set local search_path = ${schema}, public`);
        await fill(client, projection, page.events);
      });
      applied += page.events.length;
      position = page.until;
    }
    if (projection.adds) for (const table of projection.tables) await createIndexes(pool, schema, table);
    await this.database.transaction(async (client) => {
      await client.query(`select 1 from log_head for update`);
      await client.query(`set local search_path = ${schema}, public`);
      for (let more = true; more;) {
        const page = await this.readPage(client, position, projection.types);
        if (page.events.length > 0) await projection.apply(client, page.events);
        applied += page.events.length;
        ({ until: position, more } = page);
      }
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
      await createShadow(client, schema, projection.tables, { bare: projection.adds !== undefined });
      // An async projection is compared as of its checkpoint, an inline one as of the head.
      const found = await client.query(
        projection.lifecycle === 'async'
          ? `select position from checkpoint where name = '${projection.name}'`
          : `select position from log_head`,
      );
      const until = (found.rows[0] as { position: number } | undefined)?.position ?? 0;
      await client.query(`set local search_path = ${schema}, public`);
      // On this connection too: whoever holds one and waits for another can wait for ever.
      for await (const page of this.pages(client, projection.types, until))
        await fill(client, projection, page.events);
      const differences: { table: string; rows: number }[] = [];
      for (const table of projection.tables)
        differences.push({ table, rows: await differingRows(client, schema, table) });
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

  /**
   * The log from its first event on, in large pages, the next one read while one is worked on. What is up to
   * `until` never changes, so it may be read on any connection; without `until`, it ends at the head.
   */
  private async *pages(
    connection: ClientBase | Database['pool'],
    types: readonly string[],
    until?: number,
  ): AsyncGenerator<Page> {
    const read = (after: number): Promise<Page> =>
      this.readPage(connection, after, types, { limit: BULK_PAGE_EVENTS, until });
    let next: Promise<Page> | undefined = read(0);
    while (next) {
      const page: Page = await next;
      next = page.more ? read(page.until) : undefined;
      // Awaited in its turn; until then nobody else hears of its failure.
      next?.catch(() => {});
      yield page;
    }
  }

  private async readPage(
    connection: ClientBase | Database['pool'],
    after: number,
    types: readonly string[],
    { limit = PAGE_EVENTS, until: given }: { limit?: number; until?: number | undefined } = {},
  ): Promise<Page> {
    const until =
      given ??
      ((await connection.query(`select position from log_head`)).rows[0] as { position: number }).position;
    const found = await connection.query({
      name: 'read-page',
      text: `select ${PROJECTED_COLUMNS} from event where position > $1 and position <= $2 and type = any($3) order by position limit $4`,
      values: [after, until, types, limit],
    });
    const events = found.rows.map((row) => this.eventStore.fromProjectedRow(row as ProjectedRow));
    const more = events.length === limit;
    return { events, until: more ? (events.at(-1) as ProjectedEvent).position : until, more };
  }
}

/** Into tables that have nothing of these events yet. */
async function fill(client: ClientBase, projection: Projection, events: ProjectedEvent[]): Promise<void> {
  if (events.length === 0) return;
  if (!projection.adds) return projection.apply(client, events);
  for (const added of projection.adds) await copyRows(client, added, events);
}
