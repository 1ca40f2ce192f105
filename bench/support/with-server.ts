import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startEmbeddedPostgres } from '../../adapters/platform/database/embedded/embedded.js';

interface MeasuredServer {
  /** The address of the server's own database. */
  url: string;
  pid: number;
  /** @returns the address of a new database */
  emptyDatabase(name: string): Promise<string>;
}

/**
 * Measures on a separate database server, then ends the process, with 1 if the measurement failed.
 * @param options.programs the programs of an installed PostgreSQL; by default the embedded one
 * @param options.keptIn a folder that is kept; absent: a temporary folder
 */
export async function withServer(
  measure: (server: MeasuredServer) => Promise<void>,
  { keptIn, ...options }: Parameters<typeof startEmbeddedPostgres>[1] & { keptIn?: string } = {},
): Promise<never> {
  const folder = keptIn ?? mkdtempSync(join(tmpdir(), 'offcut-bench-'));
  const server = await startEmbeddedPostgres(folder, options);
  const emptyDatabase = async (name: string): Promise<string> => {
    await createDatabase(server.url, name);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  try {
    await measure({ url: server.url, pid: server.pid, emptyDatabase });
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await server.stop();
    if (!keptIn) rmSync(folder, { recursive: true, force: true });
  }
  process.exit();
}
