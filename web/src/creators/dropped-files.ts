import { byName } from '../screens/pack-editor/upload/audio-files.js';

/** Reads all entries of a folder. Browsers return them in parts; an empty part is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return found.sort((a, b) => byName(a.name, b.name));
    found.push(...part);
  }
}

/** Returns the file with its path. Browsers add a path only if a folder is chosen in the file dialog, not dropped. */
async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.slice(1) });
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith('.')) return [];
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)];
  const files: File[] = [];
  for (const inside of await entriesOf(entry as FileSystemDirectoryEntry))
    files.push(...(await filesIn(inside)));
  return files;
}

/**
 * The dropped files, and the files in dropped folders at any depth. The contents of each folder are sorted by name.
 * Hidden files and folders are left out.
 */
export const filesOf = async (entries: readonly FileSystemEntry[]): Promise<File[]> =>
  (await Promise.all(entries.map(filesIn))).flat();
