import { keep, kept } from '../../../kept.js';

const keyOf = (packId: string): string => `offcut.folders.${packId}`;
const foldersIn = (packId: string): Record<string, string> => {
  const folders = kept(keyOf(packId));
  return typeof folders === 'object' ? (folders as Record<string, string>) : {};
};

/** Stores in this browser the folder of each uploaded file, so that samples can be named after their folders. */
export function rememberFolders(packId: string, files: readonly File[]): void {
  const found = files.flatMap(({ name, webkitRelativePath: path }) => {
    const folder = path.split('/').at(-2);
    return folder ? [[name, folder]] : [];
  });
  keep(keyOf(packId), { ...foldersIn(packId), ...Object.fromEntries(found) });
}

/**
 * Returns a function that finds the folder of a file by the file's name. It returns an empty text if the file was
 * uploaded without a folder or in another browser.
 */
export function folderFinder(packId: string): (filename: string) => string {
  const known = foldersIn(packId);
  return (filename) => known[filename] ?? '';
}
