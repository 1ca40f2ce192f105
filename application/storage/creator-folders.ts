import { randomBytes } from 'node:crypto';

/** Says nothing about anybody: a folder outlives its creator's name. */
export const newFolderId = (): string => `f_${randomBytes(12).toString('hex')}`;

/** Whether a folder is called so; folders made before are called as their creator was. */
export const isFolderId = (folder: string): boolean => /^f_[0-9a-f]{24}$/.test(folder);

/** What the folders below `Users/` are called: outside also by the handles of those whose they are, as long as they live. */
export abstract class CreatorFolders {
  /** Where a creator's files lie below `Users/`: under a name that says nothing, given at the first call and kept. */
  abstract folderOf(userId: string): Promise<string>;
  /** The folder that a path means: by its own name, or by its creator's handle, also a former one. */
  abstract meant(name: string): Promise<string>;
  /** What listings call folders: by handles, and those of nobody by their own names. */
  abstract shown(folders: readonly string[]): Promise<Map<string, string>>;
}

/** Folders still called as an erased person was. */
export abstract class NamedFolders {
  abstract ofErased(): Promise<Array<{ userId: string; folder: string }>>;
  /** From here on the creator's files lie there. @returns false when somebody else has moved them meanwhile */
  abstract moved(userId: string, from: string, to: string): Promise<boolean>;
}
