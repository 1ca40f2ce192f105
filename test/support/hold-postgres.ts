/**
 * Starts the embedded PostgreSQL, or the one in TEST_POSTGRES_BIN, in the folder given, with the settings given, prints its address and process
 * id, and stays until it is killed or its parent is gone.
 */
import { rmSync } from 'node:fs';
import { startEmbeddedPostgres } from '../../adapters/platform/database/embedded/embedded.js';

// Ctrl-C reaches the whole process group. The server stays for those who still use it, until they are gone.
process.on('SIGINT', () => {});

const [folder, ...settings] = process.argv.slice(2) as [string, ...string[]];
try {
  const server = await startEmbeddedPostgres(folder, { settings, programs: process.env.TEST_POSTGRES_BIN });
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
