/**
 * Starts the embedded PostgreSQL, or the one in TEST_POSTGRES_BIN, with the given folder and settings. Prints
 * its address and process id, and runs until it is killed or its parent ends. With `template=…` it first
 * creates a migrated database of that name, which test files copy.
 */
import { rmSync } from 'node:fs';
import { createDatabase, startEmbeddedPostgres } from '../../adapters/platform/database/embedded/embedded.js';

// Ctrl-C reaches the whole process group. The server stays until its users have ended.
process.on('SIGINT', () => {});

const [folder, ...given] = process.argv.slice(2) as [string, ...string[]];
const settings = given.filter((setting) => !setting.startsWith('template='));
const template = given.find((setting) => setting.startsWith('template='))?.slice('template='.length);
try {
  const server = await startEmbeddedPostgres(folder, { settings, programs: process.env.TEST_POSTGRES_BIN });
  if (template) await makeTemplate(server.url, template);
  process.stdout.write(`${server.url} ${server.pid}\n`);
  process.once('disconnect', async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}

async function makeTemplate(serverUrl: string, name: string): Promise<void> {
  const { Database } = await import('../../adapters/platform/database/database.js');
  const { migrate } = await import('../../adapters/platform/database/migrate.js');
  await createDatabase(serverUrl, name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = new Database(url.href);
  await migrate(database);
  // PostgreSQL copies a database only while it has no connections.
  await database.close();
}
