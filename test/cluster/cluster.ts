/**
 * The reference deployment on one machine: PostgreSQL under Patroni, haproxy, PgBouncer, nodes and workers of the built
 * product. docs/deployment.md says what each part is for.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { startChildSimulator, type ChildSimulator } from '../support/child-simulator.js';
import { MailServer } from '../support/mail-server.js';
import { Part, type Program } from './part.js';

/** What is started, and the Debian package that brings it. */
const PROGRAMS = {
  patroni: 'patroni',
  patronictl: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  // Beside it in its folder are all the others.
  pg_rewind: 'postgresql-15',
};
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  process.env.TEST_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin',
];
const find = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** Programs that this machine lacks, each with the package that brings it. */
export const missing = (): string[] =>
  Object.entries(PROGRAMS)
    .filter(([name]) => !find(name))
    .map(([name, from]) => `${name} (apt-get install ${from})`);

const program = (name: keyof typeof PROGRAMS): string => find(name) as string;

/** Patroni, PostgreSQL and PgBouncer refuse to be root. */
const NOBODY = 65_534;
const uid = process.getuid?.() === 0 ? NOBODY : undefined;

const MAIN = 'dist/server/bootstrap/main.js';
const PASSWORD = 'a-password-of-the-cluster';
const SERVERS = ['node-1', 'node-2', 'node-3'];
/** How long a node goes on listening after it has turned unready: longer than haproxy needs to see it. */
const SHUTDOWN_DELAY_MS = 2_500;

/** A PostgreSQL server with the Patroni that looks after it. */
export interface DatabaseNode {
  name: string;
  port: number;
  api: string;
  patroni: Part;
  folder: string;
}

export interface Cluster {
  /** Where visitors come in. */
  url: string;
  /** The settings that nodes share. */
  env: Record<string, string>;
  simulator: ChildSimulator;
  mail: MailServer;
  etcd: Part[];
  databases: DatabaseNode[];
  databaseProxy: Part;
  pooler: Part;
  entrance: Part;
  apis: Part[];
  workers: Part[];
  /** Patroni's word for each server. */
  roles(): Promise<Record<string, string>>;
  /** Everything answers, one server is primary and another repeats it synchronously. */
  whole(): Promise<void>;
  switchOver(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws when a part does not start; then none is left */
export async function startCluster(folder: string): Promise<Cluster> {
  const closers: Closers = [];
  try {
    return await startParts(folder, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Closers = (() => Promise<unknown>)[];

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

async function startParts(folder: string, closers: Closers): Promise<Cluster> {
  chmodSync(folder, 0o755);
  const parts: Part[] = [];
  const part = (name: string, what: Program, answers: () => Promise<boolean>): Part => {
    const made = new Part(name, what, answers, join(folder, `${name}.log`));
    parts.push(made);
    // By SIGTERM, because Patroni then ends its server with itself.
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

  // etcd: who is primary, by majority.
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

  // PostgreSQL: three servers, one of the other two repeats each commit before it is acknowledged.
  const databases: DatabaseNode[] = [];
  for (const name of SERVERS) {
    const own = ownFolder(name);
    const listen = { server: await port(), api: await port() };
    const api = at(listen.api);
    const settings = patroniSettings({ name, own, ...listen, etcd: members.map(({ client }) => client) });
    const file = write(`${name}.yml`, JSON.stringify(settings, undefined, 2));
    const patroni = part(name, { command: program('patroni'), args: [file], uid }, () =>
      answers(`${api}/health`),
    );
    databases.push({ name, port: listen.server, api, patroni, folder: own });
  }
  await allAtOnce(databases.map(({ patroni }) => patroni));

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
  const cli = 'dist/server/cli/cli.js';
  execFileSync(process.execPath, [cli, 'migrate'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'inherit',
  });

  const node = async (name: string, role: string): Promise<{ part: Part; port: number }> => {
    const own = await port();
    const started = {
      command: process.execPath,
      args: [MAIN],
      env: { ...env, ROLE: role, PORT: String(own) },
    };
    return { part: part(name, started, () => answers(`${at(own)}/readyz`)), port: own };
  };
  const apis = [await node('api-1', 'api'), await node('api-2', 'api')];
  const workers = [await node('worker-1', 'worker'), await node('worker-2', 'worker')];
  await allAtOnce([...apis, ...workers].map((each) => each.part));
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
    apis: apis.map((each) => each.part),
    workers: workers.map((each) => each.part),
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
    stop: () => closeAll(closers),
  };
}

/** The server alone, not its Patroni. */
export const serverOf = ({ folder }: DatabaseNode): number =>
  Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);

const at = (port: number): string => `http://127.0.0.1:${port}`;
const databaseUrl = (port: number): string => `postgres://offcut:${PASSWORD}@127.0.0.1:${port}/offcut`;

const answers = async (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000), headers: { connection: 'close' } }).then(({ ok }) => ok);

/** Whether this leads to the primary alone: a haproxy that has just started takes each server for well, in turn. */
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

async function createDatabase(port: number): Promise<void> {
  const client = new pg.Client(superuser(port));
  client.on('error', () => {});
  await client.connect();
  await client.query(`create role offcut login password '${PASSWORD}'`);
  await client.query(`create database offcut owner offcut`);
  await client.end();
}

interface PatroniNode {
  name: string;
  own: string;
  server: number;
  api: number;
  etcd: string[];
}

/** A primary that is gone is replaced when its lease of `ttl` seconds is over. */
const patroniSettings = ({ name, own, server, api, etcd }: PatroniNode) => ({
  scope: 'offcut',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { hosts: etcd.map((url) => url.replace('http://', '')) },
  bootstrap: {
    dcs: {
      ttl: 6,
      loop_wait: 1,
      retry_timeout: 2,
      maximum_lag_on_failover: 1_048_576,
      // A primary that died is not waited for.
      primary_start_timeout: 0,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          max_connections: 200,
          shared_buffers: '128MB',
          wal_log_hints: 'on',
          // What is behind after a restart need not be copied whole.
          wal_keep_size: '512MB',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${server}`,
    connect_address: `127.0.0.1:${server}`,
    data_dir: join(own, 'data'),
    bin_dir: join(program('pg_rewind'), '..'),
    pgpass: join(own, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
    },
    pg_hba: [
      'host all all 127.0.0.1/32 scram-sha-256',
      'host replication replicator 127.0.0.1/32 scram-sha-256',
    ],
    parameters: { unix_socket_directories: own },
  },
});

/** Patroni's own answers say which server is primary. Sessions with one that no longer is are ended at once. */
const databaseRoutes = (
  nodes: DatabaseNode[],
  { primary, replicas }: { primary: number; replicas: number },
) => `
global
  maxconn 2000
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
  option clitcpka
  option srvtcpka
  default-server inter 500 fall 2 rise 1 on-marked-down shutdown-sessions
listen primary
  bind 127.0.0.1:${primary}
  option httpchk OPTIONS /primary
  http-check expect status 200
${servers(nodes)}
listen replicas
  bind 127.0.0.1:${replicas}
  option httpchk OPTIONS /replica
  http-check expect status 200
${servers(nodes)}
`;
const servers = (nodes: DatabaseNode[]): string =>
  nodes
    .map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${new URL(api).port}`)
    .join('\n');

/** Who waits for a primary is told so while there is none, and the next one is found within a second. */
const poolerSettings = (folder: string, { primary, pooled }: { primary: number; pooled: number }) => `
[databases]
offcut = host=127.0.0.1 port=${primary}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooled}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
server_connect_timeout = 2
server_login_retry = 1
query_wait_timeout = 5
`;

/** A request goes to another node only where none has taken it; whoever asked repeats the rest. */
const apiRoutes = (ports: number[], url: string) => `
global
  maxconn 2000
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 30s
  timeout check 2s
  timeout http-keep-alive 60s
  retries 3
  option redispatch 1
  option forwardfor
  default-server inter 500 fall 2 rise 1
listen api
  bind ${url.replace('http://', '')}
  option httpchk GET /readyz
  http-check expect status 200
${ports.map((port, n) => `  server api-${n + 1} 127.0.0.1:${port} check`).join('\n')}
`;
