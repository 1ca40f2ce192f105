import { join } from 'node:path';
import { Database } from '../adapters/platform/database/database.js';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { migrate, readSchema, requireSchema } from '../adapters/platform/database/migrate.js';
import { keepLimits } from '../adapters/platform/database/grants.js';
import type { Config } from './config.js';

/**
 * `beside`: a command. It uses the embedded database of a running server, or starts that database itself. It never
 * starts the simulator.
 */
export type Place = 'serving' | 'beside';

export type OnClose = (closer: () => Promise<unknown>) => void;

export async function connectDatabase(config: Config, place: Place, onClose: OnClose): Promise<Database> {
  const { databaseDirectUrl: directUrl, databaseOptions } = config;
  const url = config.databaseUrl ?? (await embeddedUrl(config, place, onClose));
  // No user waits for the command line, so its statements may take minutes. A connection pooler would end connections
  // with such long statements, so the command line connects to PostgreSQL directly.
  const database =
    place === 'beside'
      ? new Database(directUrl ?? url)
      : new Database(url, { ...databaseOptions, ...(directUrl && { directUrl }) });
  onClose(() => database.close());
  return database;
}

/** Connects, and ensures that the database has the schema of this version. @throws SchemaMismatch */
export async function openDatabase(config: Config, place: Place, onClose: OnClose): Promise<Database> {
  const database = await connectDatabase(config, place, onClose);
  if (await mayMigrate(config, place, database)) await migrate(database);
  await requireSchema(database);
  if (database.directUrl !== database.url) await keepLimits(database);
  return database;
}

/**
 * On the command line, only `offcut migrate` migrates an existing database. Other commands only create the schema of
 * a new embedded database.
 */
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
