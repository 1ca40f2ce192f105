/** Raw SQL for schemas and settings of a rebuild, and for pages of the log, which every projection reads. */
import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { isOutage } from '../database/lost-connection.js';
import { bulkOf } from './added-rows.js';
import { CarefulProjection } from './careful-projection.js';
import { queries, prepared, type Database } from '../database/database.js';
import { grantsOn, ownsTables } from '../database/grants.js';
import type { PostgresEventStore } from '../event-log/postgres-event-store.js';
import { holdHead, LOG_END } from '../event-log/log-writer.js';
import { ensureCheckpoint, eventAt, positionsAfter } from '../event-log/checkpoints.js';
import { ATTEMPTS_IN_PLACE } from '../event-log/parked-events.js';
import type { Step, SubscriptionLog } from '../event-log/log-subscription.js';
import { PROJECTED_COLUMNS, readProjectedPage, type ProjectedRow } from './projected-rows.js';
import type { AsyncProjection, ProjectedEvent, Projection } from './projection.js';
import { createIndexes, createShadow, differingRows, OWN_SESSION } from './shadow-tables.js';

const PAGE_EVENTS = 1_000;
const BULK_PAGE_EVENTS = 2_500;
const SWAP_ATTEMPTS = 5;
const DEADLOCK = '40P01';

interface Page {
  events: ProjectedEvent[];
  until: number;
  more: boolean;
}

export class Projector {
  private readonly careful: CarefulProjection;
  private readonly begun = new WeakSet<Projection>();
  private readonly failures = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    log: SubscriptionLog = new Logger('LogSubscriptions'),
  ) {
    this.careful = new CarefulProjection(database, eventStore, log);
  }

  /**
   * Applies the next page. Commits rows and checkpoint together. The row lock on the checkpoint is the lease, so any
   * number of workers may try. An older worker leaves rows of a newer version unchanged. A page that keeps failing is
   * applied event by event, and failing events are parked.
   * @returns undefined while another worker holds the lease
   */
  async step(projection: AsyncProjection): Promise<Step | undefined> {
    const { name, version } = projection;
    if (!this.begun.has(projection)) await ensureCheckpoint(this.database.pool, projection);
    this.begun.add(projection);
    try {
      const each = (this.failures.get(name) ?? 0) >= ATTEMPTS_IN_PLACE - 1;
      const taken = await this.database.transaction((client) => this.applyPage(client, projection, each));
      this.failures.delete(name);
      if (!taken || taken.version > version) return undefined;
      if (taken.version >= version) return taken.step;
      return (await this.rebuildOlder(projection)) ? { reached: 0, more: true } : undefined;
    } catch (error) {
      if (!isOutage(error)) this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
      throw error;
    }
  }

  /** Like `step`; `busy` while another worker holds the lease. */
  async advance(projection: AsyncProjection): Promise<'busy' | 'behind' | 'caught-up'> {
    const step = await this.step(projection);
    if (!step) return 'busy';
    return step.more ? 'behind' : 'caught-up';
  }

  private async applyPage(
    client: ClientBase,
    projection: AsyncProjection,
    each: boolean,
  ): Promise<{ version: number; step?: Step } | undefined> {
    const { name, types } = projection;
    const lease = await client.query<{ version: number; position: number }>(
      prepared(
        'lease-checkpoint',
        'select version, position from checkpoint where name = $1 for update skip locked',
        [name],
      ),
    );
    const [held] = lease.rows;
    if (!held || held.version !== projection.version) return held;
    const { version, position } = held;
    // Read these values while holding the lease: the process that held it before may have parked an event.
    const now = await client.query<{ head: number; has_parked: boolean }>(
      prepared(
        'log-and-parked',
        `select position as head, exists (select from parked_event where follower = $1) as has_parked
           from (${LOG_END}) as newest`,
        [name],
      ),
    );
    const { head, has_parked } = now.rows[0] as { head: number; has_parked: boolean };
    const { parked, more } = has_parked
      ? await this.careful.retry(client, projection)
      : { parked: new Set<string>(), more: false };
    if (head <= position) return { version, step: { reached: position, more } };
    const page = await this.readPage(client, position, head, types);
    await this.careful.apply(client, projection, page.events, { parked, each });
    await client.query(
      prepared('move-checkpoint', 'update checkpoint set position = $2 where name = $1', [name, page.until]),
    );
    return { version, step: { reached: page.until, more: page.more || more } };
  }

  /** Rebuilds the projection unless it is current. Returns false while another process rebuilds it. */
  async rebuildOlder(projection: Projection): Promise<boolean> {
    const { name, version, tables } = projection;
    return this.alone(projection, async (client) => {
      // Another process may have rebuilt the projection after the caller read its version.
      const known = await checkpointOf(client, name);
      if (known && known.version >= version) return;
      if (!(await ownsTables(client, tables)))
        throw new Error(
          `${name} is of an older version: run "offcut projections rebuild ${name}" with the role that owns its tables`,
        );
      await this.rebuild(projection);
    });
  }

  async rebuildAlone(projection: Projection): Promise<number | undefined> {
    let applied: number | undefined;
    await this.alone(projection, async () => void (applied = await this.rebuild(projection)));
    return applied;
  }

  private async alone(
    { name: projection }: Projection,
    work: (client: ClientBase) => Promise<void>,
  ): Promise<boolean> {
    const name = `rebuild ${projection}`;
    return this.database.connected(async (client) => {
      const asked = await client.query<{ locked: boolean }>(
        `select pg_try_advisory_lock(hashtextextended($1, 0)) as locked`,
        [name],
      );
      if (!asked.rows[0]?.locked) return false;
      try {
        await work(client);
      } finally {
        await client.query(`select pg_advisory_unlock(hashtextextended($1, 0))`, [name]);
      }
      return true;
    });
  }

  /** Fills shadow tables while the live tables stay in use, then swaps them in a transaction that blocks appends. */
  async rebuild(projection: Projection): Promise<number> {
    const schema = `rebuild_${projection.name.replaceAll('-', '_')}`;
    const { long } = this.database;
    await long.query(`drop schema if exists ${schema} cascade`);
    await createShadow(long, schema, projection.tables, { bare: projection.adds !== undefined });
    let applied = 0;
    let position = 0;
    let filled = Promise.resolve();
    for await (const page of this.pages(projection)) {
      const fill = filling(projection, page.events);
      await filled;
      filled = this.database.longTransaction(async (client) => {
        // After a crash the rebuild starts from the beginning, so nothing needs to be durable before the swap.
        await client.query(`set local synchronous_commit = off; set local search_path = ${schema}, public`);
        await fill(client);
      });
      // `filled` is awaited later. Until then, this prevents an unhandled rejection.
      filled.catch(() => {});
      applied += page.events.length;
      position = page.until;
    }
    await filled;
    if (projection.adds) for (const table of projection.tables) await createIndexes(long, schema, table);
    for (let attempt = 1; ; attempt += 1)
      try {
        return applied + (await this.swap(projection, schema, position));
      } catch (error) {
        // Try again if another transaction locked two of the tables in the opposite order.
        if (attempt === SWAP_ATTEMPTS || (error as { code?: string }).code !== DEADLOCK) throw error;
      }
  }

  /** Applies the events after position `from`, then swaps the tables. Returns the number of events applied. */
  private swap(projection: Projection, schema: string, from: number): Promise<number> {
    return this.database.longTransaction(async (client) => {
      if (projection.lifecycle === 'inline' && projection.beforeHead)
        await client.query(`lock table ${projection.tables.map((table) => `public.${table}`).join(', ')}`);
      await holdHead(client);
      await client.query(`set local search_path = ${schema}, public`);
      let applied = 0;
      let position = from;
      for (let more = true; more;) {
        const page = await this.readPage(client, position, await headOf(client), projection.types);
        if (page.events.length > 0) await projection.apply(client, page.events);
        applied += page.events.length;
        ({ until: position, more } = page);
      }
      for (const table of projection.tables) {
        const grants = await grantsOn(client, table);
        await client.query(`drop table public.${table}`);
        await client.query(`alter table ${schema}.${table} set schema public`);
        for (const grant of grants) await client.query(grant);
      }
      const reached = { version: projection.version, position, types: followedTypes(projection) };
      await queries(client)
        .insertInto('checkpoint')
        .values({ name: projection.name, ...reached })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(reached))
        .execute();
      await this.careful.forget(client, projection);
      await client.query(`drop schema ${schema} cascade`);
      return applied;
    });
  }

  /**
   * Replays the log and counts the rows that differ, for each table. Each page of events has its own transaction:
   * during a single long transaction, PostgreSQL could not remove old row versions anywhere in the database. Only
   * events that arrive during the replay are applied in the transaction that compares.
   */
  async drift(projection: Projection): Promise<{ table: string; rows: number }[]> {
    return this.database.connected(async (client) => {
      // With the default of 8 MB, the server would read an index of millions of rows from the disk repeatedly.
      await client.query(`set temp_buffers = '128MB'`);
      await createShadow(client, OWN_SESSION, projection.tables, { bare: projection.adds !== undefined });
      await client.query(`set search_path = ${OWN_SESSION}, public`);
      const reached = await reachedBy(client, projection);
      for await (const page of this.pages(projection, { client, until: reached }))
        await within(client, 'read committed', () => filling(projection, page.events)(client));
      const differences = await within(client, 'repeatable read', async () => {
        const until = await reachedBy(client, projection);
        if (until < reached) throw new Error(`${projection.name} was rebuilt in the meantime`);
        for await (const page of this.pages(projection, { client, after: reached, until }))
          await filling(projection, page.events)(client);
        const counted: { table: string; rows: number }[] = [];
        for (const table of projection.tables)
          counted.push({ table, rows: await differingRows(client, OWN_SESSION, table) });
        return counted;
      });
      // Only after success: after a failure, closing the connection drops its temporary tables.
      for (const table of projection.tables) await client.query(`drop table ${OWN_SESSION}.${table}`);
      await client.query('reset search_path');
      return differences;
    });
  }

  /**
   * Yields the log after `after` in large pages. Reads the next page while the caller applies one. Events never change,
   * so any connection may read them. Without `until`, the last page ends at the head.
   */
  private async *pages(
    { types, prepare }: Pick<Projection, 'types' | 'prepare'>,
    { client, after = 0, until }: { client?: ClientBase; after?: number; until?: number } = {},
  ): AsyncGenerator<Page> {
    const readOn = async (connection: ClientBase, from: number): Promise<Page> => {
      const page = await this.readBulkPage(connection, from, types, until);
      return prepare ? { ...page, events: await prepare(connection, page.events) } : page;
    };
    const read = (from: number): Promise<Page> =>
      client ? readOn(client, from) : this.database.connected((any) => readOn(any, from));
    let next: Promise<Page> | undefined = read(after);
    while (next) {
      const page: Page = await next;
      next = page.more ? read(page.until) : undefined;
      // `next` is awaited later. Until then, this prevents an unhandled rejection.
      next?.catch(() => {});
      yield page;
    }
  }

  private async readPage(
    client: ClientBase,
    after: number,
    until: number,
    types: readonly string[],
  ): Promise<Page> {
    const found = await client.query({
      name: 'read-page',
      text: `select event.* from (${positionsAfter('$3::text[]', '$1', PAGE_EVENTS)}) as next,
                    ${eventAt(PROJECTED_COLUMNS, 'next.position')} where event.position <= $2 order by event.position`,
      values: [after, until, types],
    });
    return this.pageOf(found.rows as ProjectedRow[], until, PAGE_EVENTS);
  }

  private async readBulkPage(
    client: ClientBase,
    after: number,
    types: readonly string[],
    given?: number,
  ): Promise<Page> {
    const until = given ?? (await headOf(client));
    const range = { after, until, types, limit: BULK_PAGE_EVENTS };
    return this.pageOf(await readProjectedPage(client, range), until, BULK_PAGE_EVENTS);
  }

  private pageOf(rows: readonly ProjectedRow[], until: number, limit: number): Page {
    const events = rows.map((row) => this.eventStore.fromProjectedRow(row));
    const more = events.length === limit;
    return { events, until: more ? (events.at(-1) as ProjectedEvent).position : until, more };
  }
}

/** Inline projections subscribe to no events. */
const followedTypes = ({ lifecycle, types }: Projection): string[] =>
  lifecycle === 'async' ? [...types] : [];

async function checkpointOf(
  client: ClientBase,
  name: string,
): Promise<{ version: number; position: number } | undefined> {
  return queries(client)
    .selectFrom('checkpoint')
    .select(['version', 'position'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Returns the position that a projection has reached: the checkpoint of an async one, the head for an inline one. */
async function reachedBy(client: ClientBase, { lifecycle, name }: Projection): Promise<number> {
  return lifecycle === 'async' ? ((await checkpointOf(client, name))?.position ?? 0) : headOf(client);
}

/** Runs `work` in a transaction of this connection. If `work` fails, the caller must discard the connection. */
async function within<Result>(
  client: ClientBase,
  isolation: 'read committed' | 'repeatable read',
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(`begin isolation level ${isolation}`);
  const result = await work();
  await client.query('commit');
  return result;
}

async function headOf(client: ClientBase): Promise<number> {
  return ((await client.query(LOG_END)).rows[0] as { position: number }).position;
}

function filling(projection: Projection, events: ProjectedEvent[]): (client: ClientBase) => Promise<void> {
  if (projection.adds) return bulkOf(projection.adds, events);
  return async (client) => {
    if (events.length > 0) await projection.apply(client, events);
  };
}
