/** Raw SQL for the tables that record migrations. One of them belongs to Kysely, and both may be missing. */
import type pg from 'pg';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { migrations } from '../../../migrations/index.js';
import type { Database } from './database.js';

const BASELINE = '0147-baseline';
/** The baseline replaces this many migrations of version 0.1. Their names sort before the name of the baseline. */
const REPLACED_BY_BASELINE = 68;

/** A one-sentence message for users: why this version of the program cannot work with the database. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/** @throws SchemaMismatch if the database is of version 0.1 and lacks some migrations of that version */
export async function readSchema({ long }: Database, known: Record<string, Migration> = migrations) {
  const present = await long.query<{ migrated: boolean; floor: boolean }>(
    `select to_regclass('kysely_migration') is not null as migrated, to_regclass('schema_floor') is not null as floor`,
  );
  const { migrated, floor } = present.rows[0] as { migrated: boolean; floor: boolean };
  const done = migrated ? (await long.query<{ name: string }>(`select name from kysely_migration`)).rows : [];
  const floors = floor
    ? (await long.query<{ migration: string }>(`select migration from schema_floor`)).rows
    : [];
  const names = new Set(done.map(({ name }) => name));
  const replaced = [...names].filter((name) => name < BASELINE);
  if (replaced.length > 0 && replaced.length < REPLACED_BY_BASELINE)
    throw new SchemaMismatch(
      'The database is older than this version of Offcut can upgrade: run "offcut migrate" of version 0.1 first, the last one that can.',
    );
  if (replaced.length > 0) names.add(BASELINE);
  return {
    missing: Object.keys(known).filter((name) => !names.has(name)),
    unknown: [...names].filter((name) => name >= BASELINE && !(name in known)).sort(),
    /** Migrations of version 0.1 that have run. Together they made the schema of the baseline. */
    replaced,
    isNew: names.size === 0,
    /** Programs that do not know this migration cannot use the schema. Undefined for a schema before the baseline. */
    floor: floors.map(({ migration }) => migration).find((migration) => migration >= BASELINE),
  };
}

export async function requireSchema(database: Database): Promise<void> {
  const { missing, floor } = await readSchema(database);
  if (floor !== undefined && !(floor in migrations))
    throw new SchemaMismatch(
      `The database is newer than this version of Offcut, which can no longer work with it: start one that knows ${floor}.`,
    );
  if (missing.length > 0)
    throw new SchemaMismatch(
      `The database is older than this version of Offcut, it lacks ${missing.join(', ')}: run "offcut migrate" first.`,
    );
}

/**
 * Brings the schema to the newest migration. Several nodes may start at once, because Kysely takes a lock.
 * @returns the names of the migrations that ran
 * @throws SchemaMismatch if the database has unknown migrations and lacks known ones
 */
export async function migrate(
  database: Database,
  known: Record<string, Migration> = migrations,
): Promise<string[]> {
  const { missing, unknown, replaced } = await readSchema(database, known);
  if (missing.length === 0) {
    await makeLaterIndexes(database);
    return [];
  }
  if (unknown.length > 0)
    throw new SchemaMismatch(
      `The database is newer than this version of Offcut, it has ${unknown.join(', ')}, yet it lacks ${missing.join(', ')}: migrate it with a version that knows all of them.`,
    );
  const { error, results } = await migrator(database, known, replaced).migrateToLatest();
  if (error) throw error;
  await makeLaterIndexes(database);
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}

const migrator = (
  database: Database,
  known: Record<string, Migration>,
  replaced: readonly string[],
): Migrator =>
  new Migrator({
    // Never destroy this Kysely: that would end the pool, which belongs to the database.
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.long }) }),
    provider: {
      getMigrations: async () => {
        if (replaced.length === 0) return known;
        // Kysely refuses migrations that it does not know, so add the replaced ones with an empty `up`.
        const done = replaced.map((name) => [name, { up: async () => {} }] as const);
        const later = Object.entries(known).filter(([name]) => name !== BASELINE);
        return Object.fromEntries([...done, ...later]);
      },
    },
    // A migration may be merged after another migration with a higher number.
    allowUnorderedMigrations: true,
  });

/** Indexes built after the migrations and outside a transaction, so that no query waits for a large table. */
export const LATER_INDEXES = {
  purchase_request_by_time: 'purchase_request (created_at)',
  receipt_by_time: 'receipt (begun_at)',
} as const;
type LaterIndex = keyof typeof LATER_INDEXES;

/** An arbitrary lock number. Try the lock without waiting: a waiting session would block the concurrent build. */
const LOCK = 7_201_100;

export async function makeLaterIndexes({ long }: Pick<Database, 'long'>): Promise<void> {
  if ((await missingIn(long)).length === 0) return;
  const client = await long.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (!rows[0]?.mine) return;
    // No time limit: a large table takes long, and no query waits for it.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    // Another process may have created the indexes in the meantime.
    for (const name of await missingIn(client)) {
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(`create index concurrently ${name} on ${LATER_INDEXES[name]}`);
    }
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

async function missingIn(asked: pg.Pool | pg.PoolClient): Promise<LaterIndex[]> {
  const names = Object.keys(LATER_INDEXES) as LaterIndex[];
  const { rows } = await asked.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = any($1::text[]) and i.indisvalid and pg_table_is_visible(c.oid)`,
    [names],
  );
  return names.filter((name) => !rows.some((row) => row.name === name));
}
