import { nameKey } from '../../../domain/shared/file-names.js';
import type { Disk } from './disk.js';
import { TryLater } from './server.js';

const STATE = '.offcut-sync.json';
const SAVED_EVERY_MS = 2_000;
/** Also matches the copies that a killed browser leaves. */
const PARTIAL = /^\.offcut-.*\.(part|crswap)$/;

/** A file as this program last wrote it. */
export interface Kept {
  name: string;
  sha256: string;
  sizeBytes: number;
  mtimeMs: number;
}

interface Saved {
  version: 1;
  files: Record<string, Kept>;
  /** A rename by copy that may have stopped halfway. */
  renaming?: { from: string; to: string };
}

/** The folder with a record of the files in it that belong to purchases. All other files stay untouched. */
export class Folder {
  private files: Record<string, Kept> = {};
  private renaming: Saved['renaming'];
  /** The names of the files in the folder. The key is the form in which the file system compares names. */
  private names = new Map<string, string>();
  private savedAt = 0;

  private constructor(readonly disk: Disk) {}

  static async open(disk: Disk): Promise<Folder> {
    const folder = new Folder(disk);
    // A record that cannot be read costs time only: the files are recognised by their hashes.
    try {
      const saved = JSON.parse((await disk.readText(STATE)) ?? '{}') as Partial<Saved>;
      folder.files = saved.files ?? {};
      folder.renaming = saved.renaming;
    } catch {
      folder.files = {};
    }
    await folder.finishRename();
    await folder.look();
    return folder;
  }

  /**
   * Finishes or undoes a rename that was stopped. If the rename was done by copying, the new file is either complete
   * or still empty.
   */
  private async finishRename(): Promise<void> {
    if (!this.renaming) return;
    const { from, to } = this.renaming;
    const [source, copy] = await Promise.all([this.disk.facts(from), this.disk.facts(to)]);
    if (source && copy?.sizeBytes === 0) await this.disk.remove(to);
    else if (copy && source && copy.sizeBytes === source.sizeBytes)
      if ((await this.disk.sha256(from)) === (await this.disk.sha256(to))) await this.disk.remove(from);
    const [part, kept] = Object.entries(this.files).find(([, { name }]) => name === from) ?? [];
    if (part && kept && copy && !(await this.disk.facts(from))) this.files[part] = { ...kept, name: to };
    this.renaming = undefined;
  }

  /** Reads the names again, because other programs change the folder too. */
  async look(): Promise<void> {
    this.names = new Map((await this.disk.names()).map((name) => [nameKey(name), name]));
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
    const found = await this.disk.facts(kept.name);
    if (found?.sizeBytes !== kept.sizeBytes) return false;
    if (found.mtimeMs !== kept.mtimeMs) {
      if ((await this.disk.sha256(kept.name)) !== kept.sha256) return false;
      await this.record(part, kept.name, kept.sha256);
    }
    return true;
  }

  async contains(name: string, { sha256, sizeBytes }: Pick<Kept, 'sha256' | 'sizeBytes'>): Promise<boolean> {
    const found = await this.disk.facts(name);
    return found?.sizeBytes === sizeBytes && (await this.disk.sha256(name)) === sha256;
  }

  async record(part: string, name: string, sha256: string): Promise<void> {
    const { sizeBytes = null, mtimeMs = 0 } = (await this.disk.facts(name)) ?? {};
    this.files[part] = { name, sha256, sizeBytes: sizeBytes ?? 0, mtimeMs };
    this.names.set(nameKey(name), name);
  }

  /**
   * Renames the file of a part, and saves the record at once. If the program ended with an outdated record, the next
   * run might not find the file and would fetch it again.
   */
  async move(part: string, to: string): Promise<void> {
    const kept = this.files[part];
    if (!kept) return;
    await this.rename(kept.name, to, kept.sha256);
    this.files[part] = { ...kept, name: to };
    await this.save();
  }

  /** @throws TryLater if another program has meanwhile written a file with the name `to` */
  async rename(from: string, to: string, sha256: string): Promise<void> {
    if (await this.disk.facts(to)) throw new TryLater(`Another program wrote ${to} meanwhile. Run again.`);
    await this.disk.rename(from, to, sha256, async () => {
      this.renaming = { from, to };
      await this.save();
    });
    this.renaming = undefined;
    this.names.delete(nameKey(from));
    this.names.set(nameKey(to), to);
  }

  /** Saves the record if the last save is over 2 s old. A lost entry costs only a hash check. */
  async saveSometimes(): Promise<void> {
    if (Date.now() - this.savedAt > SAVED_EVERY_MS) await this.save();
  }

  async save(): Promise<void> {
    const saved: Saved = { version: 1, files: this.files, renaming: this.renaming };
    await this.disk.writeText(STATE, JSON.stringify(saved, null, 1));
    this.savedAt = Date.now();
  }

  /** Deletes partial files that no purchase needs, for example of an original that was replaced. */
  async removePartials(needed: ReadonlySet<string>): Promise<void> {
    for (const name of this.names.values())
      if (PARTIAL.test(name) && !needed.has(name)) await this.disk.remove(name);
  }
}
