import { randomBytes } from 'node:crypto';

/** The id contains no personal data, because a folder outlives its creator's name. */
export const newFolderId = (): string => `f_${randomBytes(12).toString('hex')}`;

/** Returns whether a folder is named by an id. Older folders are named after their creator. */
export const isFolderId = (folder: string): boolean => /^f_[0-9a-f]{24}$/.test(folder);

/** Names of the folders below `Users/`. Clients may also use the owner's handle while the owner has an account. */
export abstract class CreatorFolders {
  /** Returns the folder of a creator's files below `Users/`. The first call assigns a random name, which stays. */
  abstract folderOf(userId: string): Promise<string>;
  /** Returns a folder by its own name, or by a current or former handle of its creator. */
  abstract meant(name: string): Promise<string>;
  /** Returns the handles of the folders' owners, by folder. Folders without an owner are missing. */
  abstract shown(folders: readonly string[]): Promise<Map<string, string>>;
  /** Lists the folders that are still named after an erased user. */
  abstract namedAfterErased(): Promise<Array<{ userId: string; folder: string }>>;
  /** Records the creator's new folder. @returns false if another process moved it in the meantime */
  abstract moved(userId: string, from: string, to: string): Promise<boolean>;
}
