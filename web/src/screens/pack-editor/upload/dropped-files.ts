import { inFolder } from './folders.js';

const byName = (a: FileSystemEntry, b: FileSystemEntry): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true });

/** Browsers return a folder's entries in parts; an empty part is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return found.sort(byName);
    found.push(...part);
  }
}

async function filesIn(entry: FileSystemEntry, folder = ''): Promise<File[]> {
  if (entry.name.startsWith('.')) return [];
  if (entry.isFile)
    return [
      inFolder(
        await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
        folder,
      ),
    ];
  const files: File[] = [];
  for (const inside of await entriesOf(entry as FileSystemDirectoryEntry))
    files.push(...(await filesIn(inside, entry.name)));
  return files;
}

/**
 * The files of a drop. If it has folders, also their files at any depth by name, but no hidden files. Call it while the
 * drop event is handled, because the browser clears the data afterwards.
 */
export async function droppedFiles({ items, files }: Pick<DataTransfer, 'items' | 'files'>): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return [...files];
  return (await Promise.all(entries.map((entry) => filesIn(entry)))).flat();
}
