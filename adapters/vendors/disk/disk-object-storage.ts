import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  ObjectExists,
  ObjectMissing,
  ObjectStorage,
  StorageUnavailable,
  assertKeyPrefix,
  assertObjectKey,
  type ListOptions,
  type ListedObject,
  type Listing,
  type ObjectBody,
  type ObjectInfo,
  type PresignedGet,
  type PutOptions,
} from '../../../application/storage/object-storage.js';
import { FOLDER_NAME_FILE, isHashed, keyToNames } from './key-paths.js';
import { readObjectInfo, writeObjectFile } from './object-file.js';
import { walkObjects } from './object-walk.js';
import { DiskSignedUrls } from './disk-signed-urls.js';

const PAGE_LIMIT = 1000;
const PUT_ATTEMPTS = 5;
/** A temporary file of this age belongs to a process that was killed, because no upload takes this long. */
const STALE_TEMPORARY_MS = 24 * 3_600_000;

/** Stores objects as files below one folder. This server itself answers requests for the signed URLs. */
export class DiskObjectStorage implements ObjectStorage {
  readonly signedUrls: DiskSignedUrls;
  private readonly objects: string;
  private readonly temporary: string;
  private readonly deleted = new Set<(key: string) => void>();
  private ready: Promise<void> | undefined;

  /** @param options.signingKey a secret of at least 32 bytes */
  constructor(options: { root: string } & ConstructorParameters<typeof DiskSignedUrls>[0]) {
    this.signedUrls = new DiskSignedUrls(options);
    this.objects = join(options.root, 'objects');
    this.temporary = join(options.root, 'temporary');
  }

  async ping(): Promise<void> {
    await this.guarded(async () => {
      await (this.ready ??= this.prepare());
      await stat(this.objects);
    });
  }

  async put(key: string, body: Readable | Buffer, options: PutOptions): Promise<ObjectInfo> {
    assertObjectKey(key);
    const { ifAbsent = false, ...meta } = options;
    return this.guarded(async () => {
      await (this.ready ??= this.prepare());
      const temporary = join(this.temporary, randomUUID());
      try {
        const written = await writeObjectFile(temporary, body, { key, ...meta });
        const path = await this.place(temporary, key, ifAbsent);
        const { mtime } = await stat(path).catch(() => ({ mtime: new Date() }));
        return { key, contentType: meta.contentType, lastModified: mtime, ...written };
      } finally {
        await rm(temporary, { force: true });
      }
    });
  }

  async get(key: string, range?: { start: number; end?: number }): Promise<ObjectBody> {
    const { file, info } = await this.open(key);
    if (!range && info.sizeBytes === 0) {
      await file.close();
      return { ...info, body: Readable.from([]) };
    }
    // Ends before the trailer, which follows the object in the same file.
    if (!range) return { ...info, body: file.createReadStream({ start: 0, end: info.sizeBytes - 1 }) };
    const start = range.start;
    const end = Math.min(range.end ?? info.sizeBytes - 1, info.sizeBytes - 1);
    if (!Number.isInteger(start) || start < 0 || start > end) {
      await file.close();
      throw new RangeError('the range lies outside the object');
    }
    return { ...info, range: { start, end }, body: file.createReadStream({ start, end }) };
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    try {
      const { file, info } = await this.open(key);
      await file.close();
      return info;
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  async list(options: ListOptions): Promise<Listing> {
    assertKeyPrefix(options.prefix);
    const limit = Math.min(options.limit ?? PAGE_LIMIT, PAGE_LIMIT);
    const after = Buffer.from(options.cursor ?? '', 'base64url').toString();
    const objects: ListedObject[] = [];
    const prefixes: string[] = [];
    let last = '';
    return this.guarded(async () => {
      const walk = { prefix: options.prefix, fold: options.delimiter !== undefined, after };
      for await (const found of walkObjects(this.objects, walk)) {
        if (objects.length + prefixes.length === limit)
          return { objects, prefixes, nextCursor: Buffer.from(last).toString('base64url') };
        if ('object' in found) objects.push(found.object);
        else prefixes.push(found.prefix);
        last = 'object' in found ? found.object.key : found.prefix;
      }
      return { objects, prefixes };
    });
  }

  async copy(fromKey: string, toKey: string): Promise<void> {
    assertObjectKey(toKey);
    const { body, contentType } = await this.get(fromKey);
    await this.put(toKey, body, { contentType });
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await this.guarded(async () => {
      const path = this.pathOf(key);
      await unlink(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      await this.pruneFolders(dirname(path));
    });
    for (const listener of this.deleted) listener(key);
  }

  onDelete(listener: (key: string) => void): void {
    this.deleted.add(listener);
  }

  async presignGet(key: string, options: PresignedGet): Promise<string> {
    assertObjectKey(key);
    return this.signedUrls.sign(key, options);
  }

  private pathOf(key: string): string {
    const { folders, file } = keyToNames(key);
    return join(this.objects, ...folders.map((folder) => folder.name), file);
  }

  private async open(key: string) {
    assertObjectKey(key);
    return this.guarded(async () => {
      const file = await open(this.pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new ObjectMissing(key) : error;
      });
      try {
        const info = await readObjectInfo(file);
        // Compares the keys, because a case-insensitive file system returns the file of `A` for the key `a`.
        if (info?.key === key) return { file, info };
        throw new ObjectMissing(key);
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  /** Moves the finished file to its final name. Retries, because a concurrent deletion may remove the folder. */
  private async place(temporary: string, key: string, ifAbsent: boolean): Promise<string> {
    const path = this.pathOf(key);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.makeFolders(key);
        if (ifAbsent) await link(temporary, path);
        else await rename(temporary, path);
        await flushFolder(dirname(path));
        return path;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (ifAbsent && code === 'EEXIST') throw new ObjectExists(key);
        if (code !== 'ENOENT' || attempt === PUT_ATTEMPTS) throw error;
      }
    }
  }

  private async makeFolders(key: string): Promise<void> {
    const { folders } = keyToNames(key);
    await mkdir(join(this.objects, ...folders.map((folder) => folder.name)), { recursive: true });
    for (const [depth, { name, segment }] of folders.entries()) {
      if (!isHashed(name)) continue;
      const path = join(this.objects, ...folders.slice(0, depth + 1).map((folder) => folder.name));
      await writeFile(join(path, FOLDER_NAME_FILE), segment);
    }
  }

  private async pruneFolders(from: string): Promise<void> {
    for (let folder = from; folder !== this.objects; folder = dirname(folder)) {
      const left = await readdir(folder).catch(() => []);
      if (left.length === 1 && left[0] === FOLDER_NAME_FILE) await rm(join(folder, FOLDER_NAME_FILE));
      // Stops at the first folder that still has content or is already gone. Its parents stay.
      const removed = await rmdir(folder).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  private async prepare(): Promise<void> {
    await mkdir(this.objects, { recursive: true });
    await mkdir(this.temporary, { recursive: true });
    for (const name of await readdir(this.temporary)) {
      const path = join(this.temporary, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > STALE_TEMPORARY_MS) await rm(path, { force: true });
    }
  }

  /** Turns errors of the device into StorageUnavailable. Passes on errors about objects and bodies. */
  private async guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const { syscall, code } = error as NodeJS.ErrnoException;
      if (syscall && code && DEVICE_TROUBLE.has(code)) {
        this.ready = undefined;
        throw new StorageUnavailable(`the storage folder is unavailable: ${code}`, { cause: error });
      }
      throw error;
    }
  }
}

const DEVICE_TROUBLE = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENOENT',
  'ENOTDIR',
]);

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
