import { Migrator, type Migration } from 'kysely';
import { migrations } from '../../migrations/index.js';
import type { Database } from './database.js';

/** Brings the schema to the newest migration. Safe when several nodes start at once (Kysely takes a lock). */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({
    db: database.kysely,
    provider: { getMigrations: async (): Promise<Record<string, Migration>> => migrations },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
