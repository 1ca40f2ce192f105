import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { LOCK_LIFETIME_MS, LOCK_REFRESH_MS, lockFileOf } from './disk.js';
import { NeedsPerson } from './server.js';

/**
 * Keeps other processes of a program out of a folder.
 * @returns a function that unlocks the folder
 * @throws NeedsPerson if another one works there
 */
export async function lockFolder(folder: string, program: string): Promise<() => Promise<void>> {
  const path = join(folder, lockFileOf(program));
  const owner = await readFile(path, 'utf8').catch(() => undefined);
  if (owner !== undefined && (await isHeld(path, owner)))
    throw new NeedsPerson(
      `Another ${program} works in this folder (${owner}). If that is not so, delete ${path}.`,
    );
  if (owner !== undefined) await rm(path, { force: true });
  const handle = await open(path, 'wx');
  await handle.writeFile(`${hostname()} ${process.pid}`);
  await handle.close();
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, LOCK_REFRESH_MS).unref();
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
  };
}

async function isHeld(path: string, owner: string): Promise<boolean> {
  const [host, pid] = owner.split(' ');
  if (Date.now() - (await stat(path)).mtimeMs > LOCK_LIFETIME_MS) return false;
  if (host !== hostname()) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
