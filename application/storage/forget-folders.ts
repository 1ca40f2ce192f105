import { Injectable } from '@nestjs/common';
import { ObjectStorage, objectsIn } from './object-storage.js';
import { CreatorFolders, newFolderId } from './creator-folders.js';

/** Renames folders of erased users: copies files, records the new name, deletes old files. Interrupted runs repeat. */
@Injectable()
export class ForgetFolders {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly folders: CreatorFolders,
  ) {}

  /** @returns how many folders were renamed */
  async run(): Promise<number> {
    const named = await this.folders.namedAfterErased();
    for (const { userId, folder } of named) {
      const to = newFolderId();
      for (const key of await this.keysIn(folder))
        await this.storage.copy(key, `Users/${to}/${key.slice(`Users/${folder}/`.length)}`);
      // If two processes copy concurrently, only one records its folder. The other removes its copies.
      const isOurs = await this.folders.moved(userId, folder, to);
      for (const key of await this.keysIn(isOurs ? folder : to)) await this.storage.delete(key);
    }
    return named.length;
  }

  private async keysIn(folder: string): Promise<string[]> {
    return (await objectsIn(this.storage, `Users/${folder}/`)).map(({ key }) => key);
  }
}
