import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../adapters/platform/database/database.js';
import { asUser } from '../../adapters/platform/database/embedded/binaries.js';
import { DatabaseFolderError } from '../../adapters/platform/database/embedded/data-folder.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../adapters/platform/database/embedded/embedded.js';
import { valueOnce } from '../support/until.js';

// Each test creates a cluster and starts servers, which is slow on a busy machine.

const asRoot = process.getuid?.() === 0 ? it : it.skip;

let folder: string;
let running: EmbeddedPostgres[] = [];
let children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-runtime-'));
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  for (const child of children) child.kill('SIGKILL');
  running = [];
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startEmbeddedPostgres>[1] = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(folder, options);
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the server in `folder` from another process, which keeps it. Resolves with the first output. */
async function startElsewhere(): Promise<{ child: ChildProcess; said: string }> {
  const support = join(process.cwd(), 'test/support');
  const args = ['--import', join(support, 'typescript.mjs'), join(support, 'hold-postgres.ts'), folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const said = await new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('exit', (code, signal) => resolve(`exit ${code ?? signal}`));
  });
  return { child, said };
}

async function killed(child: ChildProcess): Promise<void> {
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGKILL');
  });
}

function refusal(start: Promise<unknown>): Promise<Error> {
  return start.then(
    () => Promise.reject(new Error('it started')),
    (error: Error) => {
      expect(error).toBeInstanceOf(DatabaseFolderError);
      expect(error.message).not.toContain('\n');
      return error;
    },
  );
}

describe('the embedded PostgreSQL', () => {
  it('[OPS-03] takes the connections of a product and of a command beside it', async () => {
    const { url } = await start();
    const database = new Database(url);
    const pools = [database.pool, database.pipelines, database.long];
    await database.close();
    // Plus the connection that listens to the log.
    const ofAProduct = pools.reduce((sum, { options }) => sum + options.max, 1);
    const [free] = await query(
      url,
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as free`,
    );
    expect(free).toEqual({ free: 97 });
    expect(2 * ofAProduct).toBeLessThan(97);
  });

  it('[OPS-03] starts with nothing else installed and keeps what was committed', async () => {
    const first = await start();
    await query(first.url, 'create table kept (id int); insert into kept values (7)');
    // A stop does not wait until the others leave.
    const other = new pg.Client({ connectionString: first.url });
    const sentAway = new Promise((resolve) => other.on('error', resolve));
    await other.connect();
    await first.stop();
    expect(await sentAway).toMatchObject({ code: '57P01' });

    const second = await start();
    expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
    expect(await query(second.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(second.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('ends the server that a killed process left running, and keeps its data', async () => {
    const { child, said } = await startElsewhere();
    const [url, orphan] = said.split(' ') as [string, string];
    await query(url, 'create table kept (id int); insert into kept values (7)');
    await killed(child);
    process.kill(Number(orphan), 0);

    const server = await start();
    expect(server.pid).not.toBe(Number(orphan));
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('starts when both the process and its server were killed', async () => {
    const { child, said } = await startElsewhere();
    const [url, orphan] = said.split(' ') as [string, string];
    await query(url, 'create table kept (id int); insert into kept values (7)');
    process.kill(Number(orphan), 'SIGKILL');
    await killed(child);

    const server = await start();
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('starts where the lock file names a process that is another program by now', async () => {
    const first = await start();
    await first.stop();
    const other = spawn('sleep', ['60']);
    children.push(other);
    writeFileSync(join(folder, 'cluster/postmaster.pid'), `${other.pid}\n${join(folder, 'cluster')}\n`);
    const server = await start();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('tells the second of two starts in one folder who has it, and leaves the first alone', async () => {
    const first = await start();
    const { said } = await startElsewhere();
    expect(said).toContain(`already runs on ${folder} (process ${process.pid})`);
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets the command line use the server of a running Offcut, and leaves it running', async () => {
    const { said } = await startElsewhere();
    const [url, pid] = said.split(' ') as [string, string];
    const joined = await startEmbeddedPostgres(folder, { join: true });
    expect(joined).toMatchObject({ url, pid: Number(pid) });
    await joined.stop();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets one of two starts at the same moment have the folder', async () => {
    const results = await Promise.all([startElsewhere(), startElsewhere()]);
    expect(results.filter(({ said }) => said.startsWith('postgres://'))).toHaveLength(1);
    expect(results.filter(({ said }) => said.includes('already runs on'))).toHaveLength(1);
  });

  it('begins again after an interrupted creation', async () => {
    mkdirSync(join(folder, 'cluster.unfinished/base'), { recursive: true });
    writeFileSync(join(folder, 'cluster.unfinished/PG_VERSION'), '18\n');
    const server = await start();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(folder, 'cluster.unfinished'))).toBe(false);
  });

  it('starts its server again when that is killed, on the same address', async () => {
    const server = await start({ restart: true });
    const firstPid = server.pid;
    await query(server.url, 'create table kept (id int); insert into kept values (7)');
    process.kill(firstPid, 'SIGKILL');
    const kept = () => query(server.url, 'select id from kept').catch(() => undefined);
    expect(await valueOnce(kept, (rows) => rows !== undefined)).toEqual([{ id: 7 }]);
    expect(server.pid).not.toBe(firstPid);
  });

  it('[BACK-711] names the version of a folder made by another PostgreSQL, and the commands that move it', async () => {
    await (await start()).stop();
    const version = join(folder, 'cluster/PG_VERSION');
    writeFileSync(version, '15\n');
    const error = await refusal(start());
    expect(error.message).toMatch(
      /made by PostgreSQL 15.*brings PostgreSQL 18.*`offcut backup <file>`.*`offcut restore <file>`.*npm run reset/,
    );
    expect(readFileSync(version, 'utf8')).toBe('15\n');
  });

  it('says so when the password beside the database is gone', async () => {
    await (await start()).stop();
    rmSync(join(folder, 'password'));
    expect((await refusal(start())).message).toMatch(/password is missing/);
  });

  asRoot('may look into folders that only root may enter, by access(2) too', () => {
    const file = join(folder, 'inside');
    writeFileSync(file, '');
    const script = 'require("fs").accessSync(process.argv[1])';
    const { command, args, ...user } = asUser(65534, process.execPath, ['-e', script, file]);
    expect(spawnSync(command, args, { cwd: '/', encoding: 'utf8', ...user })).toMatchObject({ status: 0 });
  });

  asRoot('serves a folder of an ordinary user when started as root', async () => {
    await (await start()).stop();
    execFileSync('chown', ['-R', '12345:12345', folder]);
    const server = await start();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
