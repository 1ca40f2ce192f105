import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, DiskFull, type FileFacts, type GrowingFile } from './disk.js';
import { lockFolder } from './lock.js';

/** A folder of this computer, for one process at a time. */
export class NodeDisk implements Disk {
  /** @param unlock lets another program work in the folder */
  private constructor(
    private readonly path: string,
    readonly unlock: () => Promise<void>,
  ) {}

  /** Makes and locks the folder. @throws NeedsPerson if another program works in it */
  static async open(path: string): Promise<NodeDisk> {
    await mkdir(path, { recursive: true });
    return new NodeDisk(path, await lockFolder(path, 'offcut-sync'));
  }

  private at(name: string): string {
    return join(this.path, name);
  }

  names(): Promise<string[]> {
    return readdir(this.path);
  }

  async facts(name: string): Promise<FileFacts | undefined> {
    const found = await stat(this.at(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return found && { sizeBytes: found.isFile() ? found.size : null, mtimeMs: Math.floor(found.mtimeMs) };
  }

  sha256(name: string): Promise<string> {
    return sha256Of(this.at(name));
  }

  async readText(name: string): Promise<string | undefined> {
    return readFile(this.at(name), 'utf8').catch(() => undefined);
  }

  async writeText(name: string, text: string): Promise<void> {
    await fits(async () => {
      const handle = await open(this.at(`${name}.part`), 'w');
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(this.at(`${name}.part`), this.at(name));
    });
  }

  async grow(name: string): Promise<GrowingFile> {
    const file = await fits(() => open(this.at(name), 'a'));
    return {
      size: async () => (await file.stat()).size,
      append: (bytes) => fits(() => file.appendFile(bytes)),
      empty: () => file.truncate(0),
      close: async () => {
        try {
          await fits(() => file.sync());
        } finally {
          await file.close();
        }
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await fits(() => rename(this.at(from), this.at(to)));
    // A rename survives a power cut only if the folder is flushed. Windows cannot flush folders.
    const handle = await open(this.path, 'r').catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  }

  async remove(name: string): Promise<void> {
    await rm(this.at(name), { force: true });
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function fits<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? new DiskFull() : error;
  }
}
