import { join } from 'node:path';
import { Database } from '../adapters/platform/database/database.js';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { migrate, readSchema, requireSchema } from '../adapters/platform/database/migrate.js';
import { keepLimits } from '../adapters/platform/database/role-limits.js';
import type { Config } from './config.js';

/**
 * `serving` starts what is embedded; `beside` uses what a running product has started, and starts what is missing.
 */
export type Place = 'serving' | 'beside';

export type OnClose = (closer: () => Promise<unknown>) => void;

/** The database as it is, or the embedded one; its schema is nobody's business yet. */
export async function connectDatabase(config: Config, place: Place, onClose: OnClose): Promise<Database> {
  const { databaseDirectUrl: directUrl, databaseOptions } = config;
  const url = config.databaseUrl ?? (await embeddedUrl(config, place, onClose));
  // Nobody waits for the command line: there everything may take minutes, which a pooler's connections may not.
  const database =
    place === 'beside'
      ? new Database(directUrl ?? url)
      : new Database(url, { ...databaseOptions, ...(directUrl && { directUrl }) });
  onClose(() => database.close());
  return database;
}

/**
 * The database with the schema that this version works with.
 * @throws SchemaMismatch
 */
export async function openDatabase(config: Config, place: Place, onClose: OnClose): Promise<Database> {
  const database = await connectDatabase(config, place, onClose);
  if (await mayMigrate(config, place, database)) await migrate(database);
  await requireSchema(database);
  if (database.directUrl !== database.url) await keepLimits(database);
  return database;
}

/** The command line changes nobody's schema; it only sets up the embedded database, when it comes first. */
async function mayMigrate(config: Config, place: Place, database: Database): Promise<boolean> {
  if (place === 'serving') return config.migrate === 'start';
  return !config.databaseUrl && (await readSchema(database)).isNew;
}

async function embeddedUrl(config: Config, place: Place, onClose: OnClose): Promise<string> {
  const server = await startEmbeddedPostgres(
    join(config.dataDir, 'postgres'),
    place === 'serving' ? { restart: true } : { join: true },
  );
  onClose(() => server.stop());
  return server.url;
}
