/** Starts the embedded PostgreSQL in the folder given, prints its address and process id, and stays. */
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded.js';

const [folder] = process.argv.slice(2);
try {
  const server = await startEmbeddedPostgres(folder as string);
  process.stdout.write(`${server.url} ${server.pid}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
