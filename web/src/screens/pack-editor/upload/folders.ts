import { keep, kept } from '../../../kept.js';

const keyOf = (packId: string): string => `offcut.folders.${packId}`;
const foldersIn = (packId: string): Record<string, string> => {
  const folders = kept(keyOf(packId));
  return typeof folders === 'object' ? (folders as Record<string, string>) : {};
};

/** Keeps the folders of uploaded files in this browser, for naming samples after them. */
export function rememberFolders(packId: string, files: readonly File[]): void {
  const found = files.flatMap(({ name, webkitRelativePath: path }) => {
    const folder = path.split('/').at(-2);
    return folder ? [[name, folder]] : [];
  });
  keep(keyOf(packId), { ...foldersIn(packId), ...Object.fromEntries(found) });
}

/** Returns the folder of a file by its name. Empty if the file was uploaded without one, or by another browser. */
export function folderFinder(packId: string): (filename: string) => string {
  const known = foldersIn(packId);
  return (filename) => known[filename] ?? '';
}
