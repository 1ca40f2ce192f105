import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';

const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/**
 * Path of PgBouncer, or undefined if it is not installed. Without it the test run reports which tests it
 * skipped.
 */
export const pgbouncer = FOLDERS.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));

export interface Pooler {
  /** The same database through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode before the server of that address.
 * @param size the connections it opens to the server; few, so that clients share them
 */
export async function startPooler(databaseUrl: string, size: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'offcut-pooler-'));
  const behind = new URL(databaseUrl);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${behind.hostname} port=${behind.port} user=${behind.username} password=${behind.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 500
`,
  );
  // PgBouncer refuses to run as root. It reads its file before it changes to this user.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(pgbouncer as string, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${log}`)));
  });
  const through = new URL(databaseUrl);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
