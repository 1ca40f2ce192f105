import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A one-line message for users: why the database in a folder cannot start, and how to fix it. */
export class DatabaseFolderError extends Error {
  override name = 'DatabaseFolderError';
}

export class DatabaseFolderInUseError extends DatabaseFolderError {}

const FAST_SHUTDOWN_MS = 5_000;

/**
 * Makes this process the only one that may start a server in `folder`.
 * @returns a function that releases the folder
 * @throws DatabaseFolderInUseError if another living process uses it
 */
export function claimFolder(folder: string): () => void {
  const claim = join(folder, 'owner');
  const mine = `${process.pid} ${processIdentity(process.pid)} ${randomBytes(6).toString('hex')}`;
  const draft = `${claim}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, mine, { mode: 0o644 });
    // A link appears complete or not at all, so no process reads half a claim.
    while (!linked(draft, claim)) removeIfAbandoned(claim, folder);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfThere(claim) === mine) rmSync(claim, { force: true });
  };
}

function linked(draft: string, claim: string): boolean {
  try {
    linkSync(draft, claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeIfAbandoned(claim: string, folder: string): void {
  const found = readIfThere(claim);
  if (found === undefined) return;
  const [pid, identity] = found.split(' ');
  if (Number(pid) > 0 && processIdentity(Number(pid)) === identity)
    throw new DatabaseFolderInUseError(
      `Offcut already runs on ${folder} (process ${pid}): stop it first, or start with another DATA_DIR.`,
    );
  const aside = `${claim}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(claim, aside);
    // Another process claimed the folder in the meantime: restore its claim.
    if (readIfThere(aside) !== found) linked(aside, claim);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Shuts down a server that a killed process left running, and removes its lock file. */
export async function endOrphan(data: string): Promise<void> {
  const lockFile = join(data, 'postmaster.pid');
  const pid = Number(readIfThere(lockFile)?.split('\n')[0]);
  try {
    if (pid > 0 && servesFolder(pid, data)) await endServer(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    throw new DatabaseFolderError(
      `A PostgreSQL of another user (process ${pid}) still runs in ${data}: end it as that user, or start with another DATA_DIR.`,
    );
  }
  // A killed server leaves its lock file. If the process id in that file belongs to a zombie, PostgreSQL would take
  // the zombie for a running server.
  // Removal is safe: PostgreSQL also checks its shared memory for other processes of the cluster.
  rmSync(lockFile, { force: true });
}

/** Returns the process and port of the server on the cluster, or undefined if no server is ready. */
export function runningServer(data: string): { pid: number; port: number } | undefined {
  const lines = readIfThere(join(data, 'postmaster.pid'))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  const isReady = lines[7]?.trim() === 'ready' && servesFolder(pid, data);
  return isReady ? { pid, port } : undefined;
}

/** Shuts a server down: first cleanly, then by force. After a forced shutdown the next start runs recovery. */
export async function endServer(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (processIdentity(pid) === undefined || !signalled(pid, signal)) return;
    const deadline = Date.now() + FAST_SHUTDOWN_MS;
    while (Date.now() < deadline) {
      if (processIdentity(pid) === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function servesFolder(pid: number, data: string): boolean {
  const words = commandLine(pid);
  const folder = words[words.indexOf('-D') + 1];
  if (!words[0]?.includes('postgres') || folder === undefined) return false;
  try {
    return realpathSync(folder) === realpathSync(data);
  } catch {
    return false;
  }
}

function commandLine(pid: number): string[] {
  if (process.platform === 'linux') return readIfThere(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  return (
    spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.split(/\s+/) ?? []
  );
}

/** Returns a text that differs for a later process with the same id; undefined if the process has ended. */
function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const started = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).stdout?.trim();
    return started ? started.replaceAll(/\s+/g, '-') : undefined;
  }
  // Skip the name in parentheses, which may contain spaces. The state follows, and 19 fields later the start time.
  const fields = readIfThere(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  // A zombie has ended and only waits until its parent collects its status.
  return !fields || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
