import { afterEach } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../adapters/platform/database/database.js';
import {
  createDatabase,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../adapters/platform/database/embedded/embedded.js';
import { migrate } from '../../adapters/platform/database/migrate.js';
import './log.js';
import { checkBooks, releaseBooks, watchBooks } from './invariants.js';

export interface TestDatabase {
  database: Database;
  url: string;
  server?: EmbeddedPostgres;
  close(): Promise<void>;
}

afterEach(checkBooks);

/**
 * Starts a migrated, empty database on a real PostgreSQL: the server at TEST_DATABASE_URL, which the test run
 * started for all files, or a server of its own.
 */
export async function startTestDatabase(): Promise<TestDatabase> {
  const shared = process.env.TEST_DATABASE_URL;
  const folder = shared ? undefined : mkdtempSync(join(tmpdir(), 'offcut-test-'));
  const server = folder
    ? await startEmbeddedPostgres(folder, {
        settings: ['fsync=off'],
        programs: process.env.TEST_POSTGRES_BIN,
      })
    : undefined;
  const admin = new URL(server?.url ?? (shared as string));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createDatabase(admin.href, name, shared ? process.env.TEST_DATABASE_TEMPLATE : undefined);
  admin.pathname = `/${name}`;
  const database = new Database(admin.href);
  // Does nothing if the database is a copy of the template.
  await migrate(database);
  watchBooks(database);
  return {
    database,
    url: admin.href,
    ...(server ? { server } : {}),
    close: async () => {
      await releaseBooks(database).finally(async () => {
        await database.close();
        await server?.stop();
        if (folder) rmSync(folder, { recursive: true, force: true });
      });
    },
  };
}
