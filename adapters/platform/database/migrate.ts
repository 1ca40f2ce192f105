import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { migrations } from '../../../migrations/index.js';
import type { Database } from './database.js';

/** Brings the schema to the newest migration. Safe when several nodes start at once (Kysely takes a lock). */
export async function migrate(database: Database): Promise<string[]> {
  const { error, results } = await migrator(database).migrateToLatest();
  if (error) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}

/** @param known the migrations that there are */
export const migrator = (database: Database, known: Record<string, Migration> = migrations): Migrator =>
  new Migrator({
    // Never destroyed: that would end the pool, which is the database's to end.
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.long }) }),
    provider: { getMigrations: async () => known },
  });
