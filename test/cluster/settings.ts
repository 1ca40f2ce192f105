/** Fills in the files of the reference deployment, `ops/reference`, for a cluster on one machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = '127.0.0.1';

/** A PostgreSQL server, and the address of its Patroni. */
export interface Server {
  name: string;
  port: number;
  api: string;
}

export const PASSWORD = 'a-password-of-the-cluster';

/** How old the newest archived segment may be. */
export const ARCHIVE_SECONDS = 20;

/** @throws if the file and the values do not name the same */
export function fill(file: string, values: Record<string, string | number>): string {
  const unused = new Set(Object.keys(values));
  const text = readFileSync(join('ops/reference', file), 'utf8').replaceAll(
    /\$\{(\w+)\}/g,
    (_, name: string) => {
      unused.delete(name);
      const value = values[name];
      if (value === undefined) throw new Error(`${file} needs ${name}`);
      return String(value);
    },
  );
  if (unused.size > 0) throw new Error(`${file} does not need ${[...unused].join(', ')}`);
  return text;
}

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

const numbered = (name: string, values: (string | number)[]): Record<string, string | number> =>
  Object.fromEntries(values.map((value, n) => [`${name}_${n + 1}`, value]));

export const patroniSettings = ({
  name,
  own,
  server,
  api,
  etcd,
  programs,
  archiveCommand,
}: PatroniNode): string =>
  fill('patroni.yml', {
    NAME: name,
    ADDRESS: HERE,
    NETWORK: `${HERE}/32`,
    DATABASE_PORT: server,
    PATRONI_PORT: api,
    FOLDER: own,
    PROGRAMS: programs,
    PASSWORD,
    SHARED_BUFFERS: '128MB',
    // The disks of the test are small, and each archived segment takes 16 MB, however little is in it.
    MAX_WAL_SIZE: '384MB',
    ARCHIVE_SECONDS,
    ARCHIVE_COMMAND: archiveCommand,
    ...numbered(
      'ETCD',
      etcd.map((url) => url.replace('http://', '')),
    ),
  });

export const archiveSettings = (
  archive: string,
  { folder, port }: { folder: string; port: number },
): string => fill('pgbackrest.conf', { ARCHIVE: archive, FOLDER: folder, DATABASE_PORT: port });

export const databaseRoutes = (
  nodes: Server[],
  { primary, replicas }: { primary: number; replicas: number },
): string =>
  fill('haproxy-database.cfg', {
    PRIMARY: `${HERE}:${primary}`,
    REPLICAS: `${HERE}:${replicas}`,
    ...numbered(
      'DATABASE',
      nodes.map(({ port }) => `${HERE}:${port}`),
    ),
    ...numbered(
      'PATRONI',
      nodes.map(({ api }) => new URL(api).port),
    ),
  });

export const poolerSettings = (
  folder: string,
  { primary, pooled }: { primary: number; pooled: number },
): string =>
  fill('pgbouncer.ini', {
    PRIMARY_HOST: HERE,
    PRIMARY_PORT: primary,
    POOLED_ADDRESS: HERE,
    POOLED_PORT: pooled,
    USERS: join(folder, 'users.txt'),
  });

export const apiRoutes = (ports: number[], url: string): string =>
  fill('haproxy-api.cfg', {
    ENTRANCE: url.replace('http://', ''),
    ...numbered(
      'NODE',
      ports.map((port) => `${HERE}:${port}`),
    ),
  });
