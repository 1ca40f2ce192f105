import { Injectable } from '@nestjs/common';
import { ObjectStorage } from './object-storage.js';
import { NamedFolders, newFolderId } from './creator-folders.js';

const PAGE = 1_000;

/** Renames folders of erased users: copies, records, then removes the old files. An interrupted run starts again. */
@Injectable()
export class ForgetFolders {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly folders: NamedFolders,
  ) {}

  /** @returns how many folders were renamed */
  async run(): Promise<number> {
    const named = await this.folders.ofErased();
    for (const { userId, folder } of named) {
      const to = newFolderId();
      for (const key of await this.keysIn(folder))
        await this.storage.copy(key, `Users/${to}/${key.slice(`Users/${folder}/`.length)}`);
      // If two processes copy concurrently, only one is recorded. The other removes its copies.
      const isOurs = await this.folders.moved(userId, folder, to);
      for (const key of await this.keysIn(isOurs ? folder : to)) await this.storage.delete(key);
    }
    return named.length;
  }

  private async keysIn(folder: string): Promise<string[]> {
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.storage.list({
        prefix: `Users/${folder}/`,
        limit: PAGE,
        ...(cursor ? { cursor } : {}),
      });
      keys.push(...page.objects.map(({ key }) => key));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return keys;
  }
}
