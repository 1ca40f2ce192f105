/** Writes the types of the tables from a database that it creates and migrates: `npm run schema`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../adapters/platform/database/database.js';
import { startEmbeddedPostgres } from '../../adapters/platform/database/embedded/embedded.js';
import { migrate } from '../../adapters/platform/database/migrate.js';
import { SCHEMA_FILE, schemaTypes } from './schema.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-schema-'));
const server = await startEmbeddedPostgres(folder, { settings: ['fsync=off'] });
const database = new Database(server.url);
try {
  await migrate(database);
  writeFileSync(SCHEMA_FILE, await schemaTypes(database));
} finally {
  await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
