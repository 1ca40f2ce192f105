/** The folders of packs that a caller may know about. */
export abstract class PackFolderQueries {
  /** Folder names below `Users/{creatorFolder}/Packs`: published packs, and to their creator all that exist. */
  abstract visible(creatorFolder: string, userId: string | undefined): Promise<Set<string>>;
}
