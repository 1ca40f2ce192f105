import {
  type Disk,
  DiskFull,
  type FileFacts,
  type GrowingFile,
  LOCK_LIFETIME_MS,
  LOCK_REFRESH_MS,
  lockFileOf,
} from '../../../packages/offcut-sync/src/disk.js';
import { NeedsPerson } from '../../../packages/offcut-sync/src/server.js';
import { deviceNow } from '../clock.js';
import { sha256Of } from './file-hash.js';

const LOCK = lockFileOf('offcut-sync');
/**
 * The first commit of a growing file follows after this many bytes, later ones when the file has doubled. A closed tab
 * loses the bytes since the last commit. Commits become rarer, because the browser copies the whole file at each.
 */
const FIRST_COMMIT_BYTES = 2 ** 20;

/** `lib.dom` lacks what only Chromium has. */
type Movable = FileSystemFileHandle & {
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
};

/** A folder that the person chose. A browser writes to a copy of a file, and replaces the file when the copy is closed. */
export class BrowserDisk implements Disk {
  /** @param name names this browser in the lock file of the folder */
  constructor(
    private readonly folder: FileSystemDirectoryHandle,
    private readonly name: string,
    private readonly stopped: AbortSignal,
  ) {}

  async names(): Promise<string[]> {
    const names: string[] = [];
    const folder = this.folder as unknown as { keys(): AsyncIterable<string> };
    await explained(async () => {
      for await (const name of folder.keys()) names.push(name);
    });
    return names;
  }

  async facts(name: string): Promise<FileFacts | undefined> {
    return explained(async () => {
      try {
        const { size: sizeBytes, lastModified: mtimeMs } = await this.fileOf(name);
        return { sizeBytes, mtimeMs };
      } catch (error) {
        if (named(error, 'TypeMismatchError')) return { sizeBytes: null, mtimeMs: 0 };
        if (named(error, 'NotFoundError')) return undefined;
        throw error;
      }
    });
  }

  async sha256(name: string): Promise<string> {
    const { stopped: signal } = this;
    return explained(async () => sha256Of(await this.fileOf(name), { signal, onProgress: () => {} }));
  }

  async readText(name: string): Promise<string | undefined> {
    return (await this.facts(name)) && explained(async () => (await this.fileOf(name)).text());
  }

  async writeText(name: string, text: string): Promise<void> {
    await explained(() => this.write(name, new Blob([text])));
  }

  async grow(name: string): Promise<GrowingFile> {
    return explained(async () => {
      const file = await this.folder.getFileHandle(name, { create: true });
      return new GrowingCopy(file, (await file.getFile()).size);
    });
  }

  async rename(from: string, to: string, sha256: string, beforeCopy: () => Promise<void>): Promise<void> {
    await explained(async () => {
      const file = (await this.folder.getFileHandle(from)) as Movable;
      try {
        return await file.move(this.folder, to);
      } catch (error) {
        if (named(error, 'NotAllowedError', 'NoModificationAllowedError')) throw error;
        // Chromium on Android and before version 111 cannot rename files outside its own storage.
      }
      await beforeCopy();
      try {
        await this.write(to, await file.getFile());
        if ((await this.sha256(to)) !== sha256) throw new Error(`${to} is not what was written.`);
      } catch (error) {
        await this.folder.removeEntry(to).catch(() => undefined);
        throw error;
      }
      await this.folder.removeEntry(from);
    });
  }

  async remove(name: string): Promise<void> {
    if (await this.facts(name)) await explained(() => this.folder.removeEntry(name));
  }

  /**
   * Runs `work` while this browser's lock file is in the folder. The lock file keeps out offcut-sync and other
   * browsers. Other tabs of this browser wait for a lock in `folder-sync.ts`.
   * @throws NeedsPerson if another program has a lock file in the folder
   */
  async whileLocked(work: () => Promise<void>): Promise<void> {
    const owner = await this.readText(LOCK);
    const age = deviceNow() - ((await this.facts(LOCK))?.mtimeMs ?? 0);
    if (owner && owner !== this.name && age < LOCK_LIFETIME_MS)
      throw new NeedsPerson(`offcut-sync or another browser works in this folder (${owner}).`);
    await this.writeText(LOCK, this.name);
    const refresh = setInterval(
      () => void this.writeText(LOCK, this.name).catch(() => undefined),
      LOCK_REFRESH_MS,
    );
    try {
      await work();
    } finally {
      clearInterval(refresh);
      await this.remove(LOCK).catch(() => undefined);
    }
  }

  private async fileOf(name: string): Promise<File> {
    return (await this.folder.getFileHandle(name)).getFile();
  }

  private async write(name: string, content: Blob): Promise<void> {
    const file = await this.folder.getFileHandle(name, { create: true });
    const copy = await file.createWritable();
    await copy.write(content);
    await copy.close();
  }
}

/** Appends to the browser's copy of a file. Commits the copy each time the file has doubled, at least by 1 MiB. */
class GrowingCopy implements GrowingFile {
  private copy: FileSystemWritableFileStream | undefined;

  constructor(
    private readonly file: FileSystemFileHandle,
    private committed: number,
    private written = committed,
  ) {}

  async size(): Promise<number> {
    return this.written;
  }

  async append(bytes: Uint8Array): Promise<void> {
    try {
      await explained(async () =>
        (await this.open()).write({ type: 'write', position: this.written, data: bytes as BufferSource }),
      );
      this.written += bytes.length;
    } catch (error) {
      // The browser has dropped the copy after the failed write, so the file ends where the last commit ended.
      this.copy = undefined;
      this.written = this.committed;
      throw error;
    }
    if (this.written - this.committed > Math.max(this.committed, FIRST_COMMIT_BYTES)) await this.close();
  }

  async empty(): Promise<void> {
    await explained(async () => (await this.open()).truncate(0));
    this.written = 0;
  }

  async close(): Promise<void> {
    const { copy } = this;
    this.copy = undefined;
    await explained(async () => copy?.close());
    this.committed = this.written;
  }

  private async open(): Promise<FileSystemWritableFileStream> {
    this.copy ??= await this.file.createWritable({ keepExistingData: true });
    return this.copy;
  }
}

const named = (error: unknown, ...names: string[]) =>
  error instanceof DOMException && names.includes(error.name);

/** Runs a step, and converts the browser's errors to those that callers of `Disk` expect. */
async function explained<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (named(error, 'QuotaExceededError')) throw new DiskFull();
    if (named(error, 'NotAllowedError', 'SecurityError', 'NoModificationAllowedError'))
      throw new NeedsPerson('The browser may not write to the folder any more.');
    if (named(error, 'NotFoundError')) throw new NeedsPerson('The folder or a file in it was removed.');
    throw error;
  }
}
