import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { migrations } from '../../../migrations/index.js';
import type { Database, Tables } from './database.js';

/** Brings the schema to the newest migration. Safe when several nodes start at once (Kysely takes a lock). */
export async function migrate(database: Database): Promise<string[]> {
  // Never destroyed: that would end the pool, which is the database's to end.
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: database.long }) });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async (): Promise<Record<string, Migration>> => migrations },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
