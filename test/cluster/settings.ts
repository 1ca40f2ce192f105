/** The settings of each part of the cluster. docs/deployment.md gives the reasons. */
import { join } from 'node:path';

/** A PostgreSQL server, and the address of its Patroni. */
export interface Server {
  name: string;
  port: number;
  api: string;
}

export const PASSWORD = 'a-password-of-the-cluster';

interface PatroniNode {
  name: string;
  own: string;
  server: number;
  api: number;
  etcd: string[];
  /** The folder with PostgreSQL's programs. */
  programs: string;
  archiveCommand: string;
}

/** How old the newest archived segment may be. With 60 s, a quiet shop archives at most 16 MB a minute, compressed. */
export const ARCHIVE_SECONDS = 20;

/** A lost primary is replaced when its lease of `ttl` seconds expires. */
export const patroniSettings = ({ name, own, server, api, etcd, programs, archiveCommand }: PatroniNode) => ({
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
      // Does not wait for a dead primary to restart.
      primary_start_timeout: 0,
      synchronous_mode: true,
      // During an election of etcd, the primary keeps its role while it can reach the other servers.
      failsafe_mode: true,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          max_connections: 200,
          shared_buffers: '128MB',
          wal_log_hints: 'on',
          // Keeps enough WAL that a restarted server need not be copied completely.
          wal_keep_size: '128MB',
          // The disks of the test are small, and each archived segment takes 16 MB, however little is in it.
          max_wal_size: '384MB',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${server}`,
    connect_address: `127.0.0.1:${server}`,
    data_dir: join(own, 'data'),
    bin_dir: programs,
    pgpass: join(own, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
    },
    pg_hba: [
      // pgBackRest reads the data of its own server.
      'local all all scram-sha-256',
      'host all all 127.0.0.1/32 scram-sha-256',
      'host replication replicator 127.0.0.1/32 scram-sha-256',
    ],
    parameters: {
      unix_socket_directories: own,
      archive_mode: 'on',
      archive_timeout: ARCHIVE_SECONDS,
      archive_command: archiveCommand,
    },
  },
});

/** Each server archives its segments itself while it is primary, so all share one archive. */
export const archiveSettings = (archive: string, { folder, port }: { folder: string; port: number }) => `
[global]
repo1-path=${join(archive, 'repository')}
repo1-retention-full=2
lock-path=${join(archive, 'lock')}
spool-path=${join(archive, 'spool')}
log-path=${join(archive, 'log')}
log-level-file=off
log-level-console=warn
compress-type=lz4
start-fast=y
[offcut]
pg1-path=${join(folder, 'data')}
pg1-socket-path=${folder}
pg1-port=${port}
pg1-user=postgres
`;

/** Patroni's health checks select the primary. Sessions with a former primary are closed at once. */
export const databaseRoutes = (
  nodes: Server[],
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
const servers = (nodes: Server[]): string =>
  nodes
    .map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${new URL(api).port}`)
    .join('\n');

/** While no primary exists, waiting clients get an error. The next primary is found within a second. */
export const poolerSettings = (folder: string, { primary, pooled }: { primary: number; pooled: number }) => `
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

/** haproxy retries a request on another node only if no node has accepted it. Clients retry the others. */
export const apiRoutes = (ports: number[], url: string) => `
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
