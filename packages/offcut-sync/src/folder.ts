import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameKey } from '../../../domain/shared/file-names.js';
import { lockFolder } from './lock.js';
import { TryLater } from './server.js';

const STATE = '.offcut-sync.json';
const SAVED_EVERY_MS = 2_000;
const PARTIAL = /^\.offcut-.*\.part$/;

/** A file that this program wrote, and how it left it. */
export interface Kept {
  name: string;
  sha256: string;
  sizeBytes: number;
  mtimeMs: number;
}

/** The folder with a record of the files in it that belong to purchases. All other files stay untouched. */
export class Folder {
  private files: Record<string, Kept> = {};
  /** The names in the folder by their key. */
  private names = new Map<string, string>();
  private savedAt = 0;
  /** Lets another process work in the folder. */
  unlock = async (): Promise<void> => undefined;

  private constructor(readonly path: string) {}

  static async open(path: string): Promise<Folder> {
    await mkdir(path, { recursive: true });
    const folder = new Folder(path);
    folder.unlock = await lockFolder(path, 'offcut-sync');
    const text = await readFile(folder.at(STATE), 'utf8').catch(() => '{}');
    // A record that cannot be read costs time only: the files are recognised by their hashes.
    try {
      folder.files = (JSON.parse(text) as { files?: Record<string, Kept> }).files ?? {};
    } catch {
      folder.files = {};
    }
    await folder.look();
    return folder;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  /** Reads the names again, because other programs change the folder too. */
  async look(): Promise<void> {
    this.names = new Map((await readdir(this.path)).map((name) => [nameKey(name), name]));
  }

  nameOnDisk(name: string): string | undefined {
    return this.names.get(nameKey(name));
  }

  kept(part: string): Kept | undefined {
    return this.files[part];
  }

  /** Returns the part whose file has this name. */
  ownerOf(name: string): string | undefined {
    const key = nameKey(name);
    return Object.keys(this.files).find((part) => nameKey(this.files[part]?.name ?? '') === key);
  }

  /** Whether the file of a part is as this program left it. Reads the file only if its size or time differs. */
  async isUntouched(part: string): Promise<boolean> {
    const kept = this.files[part];
    if (!kept || this.nameOnDisk(kept.name) === undefined) return false;
    const { size, mtimeMs } = await stat(this.at(kept.name));
    if (size !== kept.sizeBytes) return false;
    if (mtimeMs !== kept.mtimeMs) {
      if ((await sha256Of(this.at(kept.name))) !== kept.sha256) return false;
      await this.record(part, kept.name, kept.sha256);
    }
    return true;
  }

  async contains(name: string, { sha256, sizeBytes }: Pick<Kept, 'sha256' | 'sizeBytes'>): Promise<boolean> {
    const found = await stat(this.at(name));
    return found.isFile() && found.size === sizeBytes && (await sha256Of(this.at(name))) === sha256;
  }

  /** Records a file under its name as that of a part. */
  async record(part: string, name: string, sha256: string): Promise<void> {
    const { size: sizeBytes, mtimeMs } = await stat(this.at(name));
    this.files[part] = { name, sha256, sizeBytes, mtimeMs };
    this.names.set(nameKey(name), name);
  }

  /** Renames the file of a part, and saves the record at once: without it, the file would be fetched again. */
  async move(part: string, to: string): Promise<void> {
    const kept = this.files[part];
    if (!kept) return;
    await this.rename(kept.name, to);
    this.files[part] = { ...kept, name: to };
    await this.save();
  }

  /** @throws TryLater if another program has written a file of that name meanwhile */
  async rename(from: string, to: string): Promise<void> {
    if (nameKey(from) !== nameKey(to) && existsSync(this.at(to)))
      throw new TryLater(`Another program wrote ${to} meanwhile. Run again.`);
    await rename(this.at(from), this.at(to));
    this.names.delete(nameKey(from));
    this.names.set(nameKey(to), to);
    await this.sync();
  }

  /** Saves the record if that was some time ago. Without it a file is recognised by its hash. */
  async saveSometimes(): Promise<void> {
    if (Date.now() - this.savedAt > SAVED_EVERY_MS) await this.save();
  }

  /** Writes the record under another name and renames it, so that it is never half written. */
  async save(): Promise<void> {
    const text = JSON.stringify({ version: 1, files: this.files }, null, 1);
    const handle = await open(this.at(`${STATE}.part`), 'w');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(this.at(`${STATE}.part`), this.at(STATE));
    this.savedAt = Date.now();
  }

  /** Deletes partial files that no purchase needs, for example of an original that was replaced. */
  async removePartials(needed: ReadonlySet<string>): Promise<void> {
    for (const name of this.names.values())
      if (PARTIAL.test(name) && !needed.has(name)) await rm(this.at(name), { force: true });
  }

  /** A rename survives a power cut only if the folder is flushed. Windows cannot flush folders. */
  private async sync(): Promise<void> {
    const handle = await open(this.path, 'r').catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
