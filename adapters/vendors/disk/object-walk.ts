import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedObject, ObjectInfo } from '../../../application/storage/object-storage.js';
import { FOLDER_NAME_FILE, OBJECT_SUFFIX, compareKeys, isHashed, segmentFromName } from './key-paths.js';
import { readObjectInfo } from './object-file.js';

interface Entry {
  path: string;
  isFolder: boolean;
  /** Full key; a folder's ends in `/`. */
  key: string;
}

export type Found = { object: ListedObject } | { prefix: string };

/** Yields objects in key order, after the key `after`. `fold` yields a folder below `prefix` once, not its objects. */
export async function* walkObjects(
  folder: string,
  options: { prefix: string; fold: boolean; after: string },
  folderKey = '',
): AsyncGenerator<Found> {
  for (const entry of await readEntries(folder, folderKey)) {
    if (!entry.isFolder) {
      if (!entry.key.startsWith(options.prefix) || compareKeys(entry.key, options.after) <= 0) continue;
      const object = await readInfo(entry.path);
      if (!object) continue;
      const { contentType: _, ...listed } = object;
      yield { object: listed };
      continue;
    }
    const isInside = entry.key.startsWith(options.prefix);
    if (!isInside && !options.prefix.startsWith(entry.key)) continue;
    const isPassed = compareKeys(entry.key, options.after) <= 0;
    if (isPassed && !options.after.startsWith(entry.key)) continue;
    if (!options.fold || !isInside || entry.key.length === options.prefix.length)
      yield* walkObjects(entry.path, options, entry.key);
    // A crash may leave an empty folder. Such a folder is not listed.
    else if (!isPassed && (await holdsObject(entry.path))) yield { prefix: entry.key };
  }
}

async function readEntries(folder: string, folderKey: string): Promise<Entry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(ifAbsent([]));
  const entries: Entry[] = [];
  for (const item of found) {
    const path = join(folder, item.name);
    if (item.isDirectory()) {
      const segment = isHashed(item.name)
        ? await readFile(join(path, FOLDER_NAME_FILE), 'utf8').catch(ifAbsent(undefined))
        : segmentFromName(item.name);
      if (segment) entries.push({ path, isFolder: true, key: `${folderKey}${segment}/` });
    } else if (item.name.endsWith(OBJECT_SUFFIX)) {
      const name = item.name.slice(0, -OBJECT_SUFFIX.length);
      const key = isHashed(name) ? (await readInfo(path))?.key : `${folderKey}${segmentFromName(name) ?? ''}`;
      if (key) entries.push({ path, isFolder: false, key });
    }
  }
  return entries.sort((a, b) => compareKeys(a.key, b.key));
}

async function holdsObject(folder: string): Promise<boolean> {
  for await (const _ of walkObjects(folder, { prefix: '', fold: false, after: '' })) return true;
  return false;
}

async function readInfo(path: string): Promise<ObjectInfo | undefined> {
  const file = await open(path, 'r').catch(ifAbsent(undefined));
  if (!file) return undefined;
  try {
    return await readObjectInfo(file);
  } finally {
    await file.close();
  }
}

/** Returns a `catch` handler that gives `value` if a listed file was deleted before it was opened. */
function ifAbsent<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
