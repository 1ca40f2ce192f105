import { randomBytes } from 'node:crypto';

/** Says nothing about anybody: a folder outlives its creator's name. */
export const newFolderId = (): string => `f_${randomBytes(12).toString('hex')}`;

/** Whether a folder is called so; folders made before are called as their creator was. */
export const isFolderId = (folder: string): boolean => /^f_[0-9a-f]{24}$/.test(folder);

/** Names of the folders below `Users/`: people outside may also use their owners' handles, while the owners exist. */
export abstract class CreatorFolders {
  /** The folder of a creator's files below `Users/`: its name says nothing, is given at the first call and kept. */
  abstract folderOf(userId: string): Promise<string>;
  /** The folder that a path means: by its own name, or by its creator's handle, also a former one. */
  abstract meant(name: string): Promise<string>;
  /** The names in listings: handles, or the folders' own names if they have no owner. */
  abstract shown(folders: readonly string[]): Promise<Map<string, string>>;
}

/** Folders still called as an erased person was. */
export abstract class NamedFolders {
  abstract ofErased(): Promise<Array<{ userId: string; folder: string }>>;
  /**
   * The creator's files are in that folder from now on.
   * @returns false if another process has moved them in between
   */
  abstract moved(userId: string, from: string, to: string): Promise<boolean>;
}
