/**
 * The reference deployment on one machine: PostgreSQL under Patroni, haproxy, PgBouncer, nodes and workers of
 * the built product. docs/deployment.md describes each part.
 */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { BlackProxy } from '../support/black-proxy.js';
import { startChildSimulator, type ChildSimulator } from '../support/child-simulator.js';
import { MailServer } from '../support/mail-server.js';
import { Archive, leaseOver } from './archive.js';
import { Part, type Program } from './part.js';
import {
  apiRoutes,
  databaseRoutes,
  PASSWORD,
  patroniSettings,
  poolerSettings,
  type Server,
} from './settings.js';

const run = promisify(execFile);

/** The required programs, with their Debian packages. */
const PROGRAMS = {
  patroni: 'patroni',
  patronictl: 'patroni',
  pgbackrest: 'pgbackrest',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  // Its folder contains all other programs of PostgreSQL.
  pg_rewind: 'postgresql-15',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  ceph: 'ceph-common',
  radosgw: 'radosgw',
  curl: 'curl',
};
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  process.env.TEST_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin',
];
const find = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** Returns the programs that this machine lacks, with their packages. */
export const missing = (): string[] =>
  Object.entries(PROGRAMS)
    .filter(([name]) => !find(name))
    .map(([name, from]) => `${name} (apt-get install ${from})`);

const program = (name: keyof typeof PROGRAMS): string => find(name) as string;

/** Patroni, PostgreSQL and PgBouncer refuse to run as root. */
const NOBODY = 65_534;
const uid = process.getuid?.() === 0 ? NOBODY : undefined;

const MAIN = 'dist/server/bootstrap/main.js';
const CLI = 'dist/server/cli/cli.js';
/** The size of a server's disk, if disks can be mounted. */
const DISK_MB = 1_000;
const SERVERS = ['node-1', 'node-2', 'node-3'];
/** How long a node still listens after it has become unready: longer than haproxy needs to notice. */
const SHUTDOWN_DELAY_MS = 2_500;

/** A PostgreSQL server with its Patroni. */
export interface DatabaseNode extends Server {
  patroni: Part;
  folder: string;
  /** Whether the folder is a disk of its own. */
  hasDisk: boolean;
}

export interface Cluster {
  /** The address for visitors. */
  url: string;
  /** Settings that all nodes share. */
  env: Record<string, string>;
  simulator: ChildSimulator;
  mail: MailServer;
  etcd: Part[];
  databases: DatabaseNode[];
  databaseProxy: Part;
  pooler: Part;
  entrance: Part;
  gateway: Part;
  /** The connections of the first API node to the servers. */
  wayOfFirst: { goBlack(): void; goLight(): void };
  apis: Part[];
  workers: Part[];
  /** Whether nodes run an older build. */
  isOlder: boolean;
  /** Makes a node use this build from its next start on. */
  upgrade(node: Part): void;
  /** Returns Patroni's role of each server. */
  roles(): Promise<Record<string, string>>;
  /** Waits until all parts answer, one server is primary, and another replicates it synchronously. */
  whole(): Promise<void>;
  switchOver(): Promise<void>;
  /** Loses all servers with their data. Restores them from the archive. @returns when they were lost */
  loseServers(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * @param before folder of an older build, which nodes run until they are upgraded
 * @throws if a part does not start; then no part is left
 */
export async function startCluster(folder: string, before?: string): Promise<Cluster> {
  const closers: Closers = [];
  try {
    return await startParts(folder, closers, before);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Closers = (() => Promise<unknown>)[];

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

async function startParts(folder: string, closers: Closers, before?: string): Promise<Cluster> {
  chmodSync(folder, 0o755);
  const parts: Part[] = [];
  const part = (name: string, what: Program, answers: () => Promise<boolean>): Part => {
    const made = new Part(name, what, answers, join(folder, `${name}.log`));
    parts.push(made);
    // With SIGTERM, because Patroni then also stops its server.
    closers.push(() => made.end('SIGTERM'));
    return made;
  };
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const ownFolder = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (uid !== undefined) chownSync(path, uid, uid);
    return path;
  };

  const ports = new Set<number>();
  const port = async (): Promise<number> => {
    let one = await freePort();
    while (ports.has(one)) one = await freePort();
    ports.add(one);
    return one;
  };

  // etcd: elects the primary by majority.
  const members: { name: string; peer: string; client: string }[] = [];
  for (const name of ['etcd-1', 'etcd-2', 'etcd-3'])
    members.push({ name, peer: at(await port()), client: at(await port()) });
  const etcd = members.map(({ name, peer, client }) =>
    part(
      name,
      {
        command: program('etcd'),
        args: Object.entries({
          name,
          'data-dir': ownFolder(name),
          'listen-peer-urls': peer,
          'initial-advertise-peer-urls': peer,
          'listen-client-urls': client,
          'advertise-client-urls': client,
          'initial-cluster': members.map((each) => `${each.name}=${each.peer}`).join(','),
        }).map(([flag, value]) => `--${flag}=${value}`),
        uid,
      },
      () => answers(`${client}/health`),
    ),
  );
  await allAtOnce(etcd);

  ownFolder('archive');
  const archive = new Archive(folder, {
    pgbackrest: program('pgbackrest'),
    patronictl: program('patronictl'),
    postgres: join(program('pg_rewind'), '../postgres'),
    uid,
  });

  // PostgreSQL: three servers. One of the other two replicates each commit before it is acknowledged.
  const databases: DatabaseNode[] = [];
  for (const name of SERVERS) {
    const disk = mountDisk(join(folder, `${name}.disk`), join(folder, name));
    if (disk) closers.push(async () => disk.unmount());
    const own = disk ? disk.folder : ownFolder(name);
    const listen = { server: await port(), api: await port() };
    const api = at(listen.api);
    const settings = patroniSettings({
      name,
      own,
      ...listen,
      etcd: members.map(({ client }) => client),
      programs: join(program('pg_rewind'), '..'),
      archiveCommand: archive.settle({ name, api, folder: own, port: listen.server }),
    });
    const file = write(`${name}.yml`, settings);
    const patroni = part(name, { command: program('patroni'), args: [file], uid }, () =>
      answers(`${api}/health`),
    );
    databases.push({ name, port: listen.server, api, patroni, folder: own, hasDisk: disk !== undefined });
  }
  await allAtOnce(databases.map(({ patroni }) => patroni));

  const roles = async (): Promise<Record<string, string>> => {
    for (const { api } of databases) {
      const told = await fetch(`${api}/cluster`, { signal: AbortSignal.timeout(1_000) }).then(
        (answer) => answer.json() as Promise<{ members: { name: string; role: string; state: string }[] }>,
        () => undefined,
      );
      if (told)
        return Object.fromEntries(
          told.members.map(({ name, role, state }) => [
            name,
            /^(running|streaming)$/.test(state) ? role : state,
          ]),
        );
    }
    return {};
  };
  const primary = await port();
  const replicas = await port();
  const databaseProxy = part(
    'haproxy-database',
    {
      command: program('haproxy'),
      args: ['-f', write('haproxy-database.cfg', databaseRoutes(databases, { primary, replicas }))],
      uid,
    },
    () => leadsAlways(superuser(primary)),
  );
  await databaseProxy.start();
  await createDatabase(primary);
  const leader = async (): Promise<DatabaseNode> => {
    const at = Object.entries(await roles()).find(([, role]) => role === 'leader')?.[0];
    return databases.find(({ name }) => name === at) as DatabaseNode;
  };
  await archive.begin(await leader());

  const pooled = await port();
  write('users.txt', `"offcut" "${PASSWORD}"\n`);
  const pooler = part(
    'pgbouncer',
    {
      command: program('pgbouncer'),
      args: [write('pgbouncer.ini', poolerSettings(folder, { primary, pooled }))],
      uid,
    },
    () => leads({ connectionString: databaseUrl(pooled) }),
  );
  await pooler.start();

  const objects = { port: await port(), folder: join(folder, 'ceph') };
  const gateway = await startCeph(objects, closers, part);

  const mail = new MailServer();
  const smtpUrl = await mail.start();
  closers.push(() => mail.stop());
  const url = at(await port());
  const simulator = await startChildSimulator(`${url}/api/stripe/webhook`);
  closers.push(() => simulator.remove());
  const env = {
    NODE_ENV: 'test',
    PUBLIC_URL: url,
    DATABASE_URL: databaseUrl(pooled),
    DATABASE_DIRECT_URL: databaseUrl(primary),
    DATABASE_REPLICA_URL: databaseUrl(replicas),
    DATABASE_POOL_SIZE: '12',
    MIGRATE: 'never',
    S3_ENDPOINT: at(objects.port),
    S3_BUCKET: 'sounds',
    S3_ACCESS_KEY_ID: 'testkey',
    S3_SECRET_ACCESS_KEY: 'testsecret',
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'shop@example.com',
    ...simulator.settings,
    SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
    TRUST_PROXY: '1',
    RATE_LIMIT_SCALE: '1000000',
    DEMO_CONTENT: 'off',
    AUTO_APPROVE_CREATORS: 'on',
  };
  const migrate = (root: string): void => {
    const settings = { PATH: process.env.PATH, ...env };
    execFileSync(process.execPath, [join(root, CLI), 'migrate'], { env: settings, stdio: 'pipe' });
  };
  migrate(before ?? '.');

  const node = async (name: string, role: string, more = {}): Promise<{ part: Part; port: number }> => {
    const own = await port();
    const started = {
      command: process.execPath,
      args: [join(before ?? '.', MAIN)],
      env: { ...env, ...more, ROLE: role, PORT: String(own) },
    };
    return { part: part(name, started, () => answers(`${at(own)}/readyz`)), port: own };
  };
  const ways: BlackProxy[] = [];
  const through = async (url: string): Promise<string> => {
    const way = await BlackProxy.before(url);
    ways.push(way.proxy);
    closers.push(() => way.proxy.close());
    return way.url;
  };
  const itsWay = {
    DATABASE_URL: await through(env.DATABASE_URL),
    DATABASE_DIRECT_URL: await through(env.DATABASE_DIRECT_URL),
    DATABASE_REPLICA_URL: await through(env.DATABASE_REPLICA_URL),
  };
  const apis = [await node('api-1', 'api', itsWay), await node('api-2', 'api')];
  const workers = [await node('worker-1', 'worker'), await node('worker-2', 'worker')];
  await allAtOnce([...apis, ...workers].map((each) => each.part));
  // Older nodes keep running on the schema of this version.
  if (before) migrate('.');
  const entrance = part(
    'haproxy-api',
    {
      command: program('haproxy'),
      args: [
        '-f',
        write(
          'haproxy-api.cfg',
          apiRoutes(
            apis.map((each) => each.port),
            url,
          ),
        ),
      ],
      uid,
    },
    () => answers(`${url}/readyz`),
  );
  await entrance.start();

  return {
    url,
    env,
    simulator,
    mail,
    etcd,
    databases,
    databaseProxy,
    pooler,
    entrance,
    gateway,
    wayOfFirst: {
      goBlack: () => ways.forEach((way) => way.goBlack()),
      goLight: () => ways.forEach((way) => way.goLight()),
    },
    apis: apis.map((each) => each.part),
    workers: workers.map((each) => each.part),
    isOlder: before !== undefined,
    upgrade: ({ program: started }) => (started.args = [MAIN]),
    roles,
    whole: async () => {
      for (const each of parts) await each.ready();
      const until = Date.now() + 60_000;
      for (;;) {
        const found = Object.values(await roles())
          .toSorted()
          .join(' ');
        if (found === 'leader replica sync_standby') return;
        if (Date.now() > until) throw new Error(`the servers stay ${found}`);
        await pause(200);
      }
    },
    switchOver: async () => {
      const [candidate] = Object.entries(await roles()).find(([, role]) => role === 'sync_standby') ?? [];
      const file = join(folder, 'node-1.yml');
      execFileSync(
        program('patronictl'),
        ['-c', file, 'switchover', '--candidate', candidate as string, '--force', 'offcut'],
        { stdio: 'pipe', env: { PATH: process.env.PATH, LANG: 'C.UTF-8' } },
      );
    },
    loseServers: async () => {
      const lostAt = performance.now();
      await Promise.all(
        databases.map(async (lost) => {
          const server = serverOf(lost);
          const gone = lost.patroni.end('SIGKILL');
          process.kill(server, 'SIGKILL');
          await gone;
        }),
      );
      const nodes = [...apis, ...workers].map((each) => each.part);
      await Promise.all(nodes.map((each) => each.end('SIGTERM')));
      for (const lost of databases) archive.empty(lost);
      await leaseOver();
      const [first, ...others] = databases as [DatabaseNode, ...DatabaseNode[]];
      await archive.forget(join(folder, `${first.name}.yml`));
      await archive.restore(first);
      await first.patroni.start();
      await allAtOnce(others.map(({ patroni }) => patroni));
      for (const way of [databaseProxy, pooler]) await way.ready();
      await archive.begin(first);
      await allAtOnce(nodes);
      return lostAt;
    },
    stop: () => closeAll(closers),
  };
}

/** Mounts a small disk in a folder. @returns undefined if mounting is not allowed */
function mountDisk(image: string, folder: string): { folder: string; unmount(): void } | undefined {
  if (uid === undefined) return undefined;
  mkdirSync(folder);
  try {
    execFileSync('truncate', ['-s', `${DISK_MB}M`, image], { stdio: 'pipe' });
    execFileSync('mkfs.ext4', ['-qF', '-m', '0', image], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'pipe' });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  const own = join(folder, 'server');
  mkdirSync(own, { mode: 0o700 });
  chownSync(own, uid, uid);
  return { folder: own, unmount: () => execFileSync('umount', [folder]) };
}

/** Returns the process id of the server without its Patroni. */
export const serverOf = ({ folder }: DatabaseNode): number =>
  Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);

const at = (port: number): string => `http://127.0.0.1:${port}`;
const databaseUrl = (port: number): string => `postgres://offcut:${PASSWORD}@127.0.0.1:${port}/offcut`;

const answers = async (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000), headers: { connection: 'close' } }).then(({ ok }) => ok);

/** Whether the gateway can store and return an object. It answers before it can create a bucket. */
const serves = (endpoint: string): Promise<boolean> =>
  run('test/support/s3-serves.sh', [endpoint]).then(
    () => true,
    () => false,
  );

/**
 * Whether this address leads to the primary only. A haproxy that has just started considers every server
 * healthy and uses them in turn.
 */
async function leadsAlways(to: pg.ClientConfig): Promise<boolean> {
  for (let turn = 0; turn < SERVERS.length; turn += 1) if (!(await leads(to))) return false;
  return true;
}

async function leads(to: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...to, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ repeats: boolean }>('select pg_is_in_recovery() as repeats');
    return rows[0]?.repeats === false;
  } finally {
    await client.end().catch(() => {});
  }
}

const superuser = (port: number): pg.ClientConfig => ({
  host: '127.0.0.1',
  port,
  user: 'postgres',
  password: PASSWORD,
  database: 'postgres',
});

async function allAtOnce(parts: Part[]): Promise<void> {
  for (const each of parts) each.launch();
  for (const each of parts) await each.ready();
}

type MakePart = (name: string, what: Program, answers: () => Promise<boolean>) => Part;

/** Starts one monitor and one disk in memory. Returns the gateway, which scenarios can kill. */
async function startCeph(
  { port, folder }: { port: number; folder: string },
  closers: Closers,
  part: MakePart,
): Promise<Part> {
  const env = {
    ...process.env,
    TEST_S3_PORT: String(port),
    TEST_S3_FOLDER: folder,
    TEST_S3_WITHOUT_GATEWAY: 'yes',
  };
  closers.push(async () => execFileSync('test/support/stop-s3-server.sh', { env, stdio: 'ignore' }));
  execFileSync('test/support/s3-server.sh', { env, stdio: 'ignore' });
  const gateway = part(
    'radosgw',
    { command: program('radosgw'), args: ['-n', 'client.rgw', '-f', '-c', join(folder, 'ceph.conf')] },
    () => serves(at(port)),
  );
  await gateway.start();
  return gateway;
}

async function createDatabase(port: number): Promise<void> {
  const client = new pg.Client(superuser(port));
  client.on('error', () => {});
  await client.connect();
  await client.query(`create role offcut login password '${PASSWORD}'`);
  await client.query(`create database offcut owner offcut`);
  await client.end();
}
