/** Raw SQL for COPY and PostgreSQL's catalogues. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { breakOff } from './connections.js';
import { copyInto, copyStream } from './copy.js';
import type { Database } from './database.js';

export interface CopiedTable {
  name: string;
  columns: readonly string[];
}

export interface LoadedTable extends CopiedTable {
  rows: number;
}

/** Tables that no backup contains: the migrations or pg-boss fill them in each database. */
const LEFT_OUT = [
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.schema_floor',
  'jobs.version',
  'jobs.bam',
  'jobs.queue_stats',
];

/** The migrations leave rows in these tables. A load replaces them. */
const FILLED_BY_MIGRATIONS = [
  'public.log_end',
  'public.licence',
  'public.page_change',
  'public.margin_progress',
];

/** A large table takes hours. `watchLongStatements` ends a copy whose server has vanished. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Settings that fix the text format of values and turn off the time limit of statements. */
const COPYING = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'iso_8601';
  set local bytea_output = 'hex'; set local extra_float_digits = 3; set local statement_timeout = 0`;

/** Returns the tables that a backup contains. A table follows those that it refers to. */
async function tablesIn(client: ClientBase): Promise<(CopiedTable & { bytes: number })[]> {
  const { rows } = await client.query<CopiedTable & { bytes: number; refersTo: string[] }>(
    `with found as (
       select c.oid, format('%I.%I', n.nspname, c.relname) as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'jobs') and c.relkind in ('r', 'p') and not c.relispartition)
     select name, array(
              select attname::text from pg_attribute
               where attrelid = found.oid and attnum > 0 and not attisdropped and attgenerated = ''
               order by attnum) as columns,
            (select sum(pg_table_size(relid)) from pg_partition_tree(found.oid))::bigint as bytes,
            array(
              select other.name from pg_constraint join found other on other.oid = confrelid
               where contype = 'f' and found.oid in (conrelid, pg_partition_root(conrelid)) and other.oid <> found.oid
            ) as "refersTo"
       from found where name <> all($1) order by name`,
    [LEFT_OUT],
  );
  const sorted: typeof rows = [];
  const isLater = (name: string): boolean => rows.some((row) => row.name === name && !sorted.includes(row));
  while (sorted.length < rows.length) {
    const next = rows.find((row) => !sorted.includes(row) && !row.refersTo.some(isLater));
    if (!next) throw new Error('tables refer to each other in a circle');
    sorted.push(next);
  }
  return sorted;
}

const list = (client: ClientBase, columns: readonly string[]): string =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ');

/** What one snapshot of the database contains. */
export interface Snapshot {
  tables: LoadedTable[];
  sequences: Record<string, number>;
  position: number;
  hash: string;
}

/**
 * Reads all tables as one snapshot, while others write.
 * @param each takes the rows of a table, as the text format of COPY
 */
export async function copyTables(
  database: Database,
  begin: (bytes: number) => void,
  each: (table: string, rows: Readable) => Promise<void>,
): Promise<Snapshot> {
  return database.connected(async (client) => {
    try {
      await client.query(`begin isolation level repeatable read read only; ${COPYING}`);
      const end = await client.query<{ position: number; hash: string }>(
        `select position, encode(hash, 'hex') as hash from log_end order by position desc limit 1`,
      );
      const found = await tablesIn(client);
      begin(found.reduce((sum, { bytes }) => sum + bytes, 0));
      const tables: LoadedTable[] = [];
      for (const { name, columns } of found) {
        const query = `copy (select ${list(client, columns)} from ${name}) to stdout`;
        const stream = copyStream(client, query, NO_LIMIT_MS);
        await each(name, stream);
        // The server sends the row count after the rows. Once this statement is answered, `rowCount` is set.
        await client.query('select');
        tables.push({ name, columns, rows: stream.rowCount });
      }
      // Sequences are not part of the snapshot, but they only grow.
      const { rows } = await client.query<{ name: string; last: number }>(
        `select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences
          where schemaname in ('public', 'jobs') and last_value is not null`,
      );
      await client.query('commit');
      const sequences = Object.fromEntries(rows.map(({ name, last }) => [name, last]));
      return { tables, sequences, ...(end.rows[0] as { position: number; hash: string }) };
    } catch (error) {
      // Close the connection, because it can run no other statement in the middle of a COPY.
      breakOff(client);
      throw error;
    }
  });
}

/**
 * Returns the first table that a load would have to merge with: one with rows, or one that is not ours. Returns
 * undefined for an empty database, and for one that only migrations have written to.
 * @param isOurs whether the database has our schema
 */
export async function occupiedTable(client: ClientBase, isOurs: boolean): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by name`,
  );
  const known = isOurs ? new Set((await tablesIn(client)).map(({ name }) => name)) : undefined;
  for (const { name } of rows) {
    if (!known) return name;
    if (!known.has(name) || FILLED_BY_MIGRATIONS.includes(name)) continue;
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) return name;
  }
  const sold = known ? await client.query('select from log_end where position > 0 limit 1') : undefined;
  return sold?.rowCount ? 'public.log_end' : undefined;
}

/** The tables of a backup do not fit those of the database, or its rows are not the announced ones. */
export class LoadRefused extends Error {
  override name = 'LoadRefused';
}

/**
 * Loads a snapshot in one transaction: after an interruption the database is as empty as before.
 * @param open returns the rows of a table. If the stream fails, nothing is loaded.
 * @param last runs before the commit
 * @throws LoadRefused
 */
export async function loadTables(
  database: Database,
  { tables, sequences, position, hash }: Snapshot,
  open: (table: string) => Promise<Readable>,
  last: () => Promise<void>,
): Promise<void> {
  await database.longTransaction(async (client) => {
    await client.query(COPYING);
    const known = new Map((await tablesIn(client)).map((table) => [table.name, table]));
    const given = new Map(tables.map((table) => [table.name, table]));
    const differing =
      [...known.keys()].find((name) => !given.has(name)) ??
      [...given.keys()].find((name) => !known.has(name));
    if (differing) throw new LoadRefused(`The backup and this version differ in the table ${differing}.`);
    const watched = await withTriggers(client);
    // The locks also keep nodes from writing until the commit.
    for (const name of known.keys()) await client.query(`lock table ${name} in share row exclusive mode`);
    const occupied = await occupiedTable(client, true);
    if (occupied) throw new LoadRefused(`The database is not empty: ${occupied} has rows.`);
    for (const name of watched) await client.query(`alter table ${name} disable trigger user`);
    for (const name of FILLED_BY_MIGRATIONS) await client.query(`delete from ${name}`);
    for (const name of known.keys()) {
      const { columns, rows } = given.get(name) as LoadedTable;
      const unknown = columns.find((column) => !known.get(name)?.columns.includes(column));
      if (unknown) throw new LoadRefused(`The backup and this version differ in ${name}, column ${unknown}.`);
      const into = copyInto(client, `copy ${name} (${list(client, columns)}) from stdin`, NO_LIMIT_MS);
      await pipeline(await open(name), into);
      if (into.rowCount !== rows)
        throw new LoadRefused(`${name} should have ${rows} rows, not ${into.rowCount}.`);
    }
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [name, value]);
    for (const name of watched) await client.query(`alter table ${name} enable trigger user`);
    const { rowCount } = await client.query(
      `select from (select position, hash from log_end order by position desc limit 1) as head
        where position = $1 and hash = decode($2, 'hex')`,
      [position, hash],
    );
    if (rowCount !== 1) throw new LoadRefused('The log in the backup does not end where its list says.');
    await last();
  });
  await database.long.query('analyze');
}

async function withTriggers(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct format('%I.%I', n.nspname, c.relname) as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and c.relkind in ('r', 'p') and n.nspname in ('public', 'jobs')`,
  );
  return rows.map(({ name }) => name);
}
