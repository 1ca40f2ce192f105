import { Unavailable } from '../shared/unavailable.js';
import type { Readable } from 'node:stream';

export interface ObjectInfo {
  key: string;
  sizeBytes: number;
  contentType: string;
  /** Changes with the content. Has no quotes. */
  etag: string;
  lastModified: Date;
}

/** Has no content type, because S3 listings do not include it. */
export type ListedObject = Omit<ObjectInfo, 'contentType'>;

export interface ObjectBody extends ObjectInfo {
  body: Readable;
  /** Inclusive. Present if a range was requested. */
  range?: { start: number; end: number };
}

export interface ListOptions {
  prefix: string;
  /** Groups deeper keys into `prefixes`. */
  delimiter?: '/';
  limit?: number;
  cursor?: string;
}

export interface Listing {
  objects: ListedObject[];
  prefixes: string[];
  nextCursor?: string;
}

export interface PutOptions {
  contentType: string;
  /** Throws ObjectExists instead of replacing an object. */
  ifAbsent?: boolean;
  cacheControl?: string;
}

export interface PresignedGet {
  expiresInSeconds: number;
  /** File name in the header `Content-Disposition: attachment`. */
  downloadName?: string;
  contentType?: string;
}

export class ObjectMissing extends Error {
  constructor(readonly key: string) {
    super(`object ${key} does not exist`);
    this.name = 'ObjectMissing';
  }
}

export class ObjectExists extends Error {
  constructor(readonly key: string) {
    super(`object ${key} already exists`);
    this.name = 'ObjectExists';
  }
}

/** The storage is unreachable or refuses service. The state of the object is unknown. */
export class StorageUnavailable extends Unavailable {
  override name = 'StorageUnavailable';
}

const KEY_LIMIT_BYTES = 1024;
// Some servers cannot list control characters. A lone surrogate has no UTF-8 form.
// eslint-disable-next-line no-control-regex
const FORBIDDEN_IN_KEYS = /[\u0000-\u001f\u007f\\]|\p{Surrogate}/u;

/** Rejects keys that could escape the storage, or that an adapter cannot store. @throws RangeError */
export function assertObjectKey(key: string): void {
  if (key === '' || Buffer.byteLength(key) > KEY_LIMIT_BYTES || FORBIDDEN_IN_KEYS.test(key))
    throw new RangeError('not an object key');
  for (const segment of key.split('/'))
    if (segment === '' || segment === '.' || segment === '..') throw new RangeError('not an object key');
}

/** Accepts prefixes of keys: empty, ending in `/`, or ending inside a name. @throws RangeError */
export function assertKeyPrefix(prefix: string): void {
  if (prefix === '') return;
  assertObjectKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/** Keys are relative, separated by `/`, without `..`, NUL or backslash. All methods throw RangeError for other keys. */
export abstract class ObjectStorage {
  /** Sends the cheapest possible request. @throws StorageUnavailable, or any other error that the storage causes */
  abstract ping(): Promise<void>;
  /** Writes the whole stream or nothing. An interrupted body leaves no object. */
  abstract put(key: string, body: Readable | Buffer, options: PutOptions): Promise<ObjectInfo>;
  /** @throws ObjectMissing, StorageUnavailable; RangeError if the range is outside the object */
  abstract get(key: string, range?: { start: number; end?: number }): Promise<ObjectBody>;
  abstract head(key: string): Promise<ObjectInfo | undefined>;
  /** Lists objects in key order. */
  abstract list(options: ListOptions): Promise<Listing>;
  abstract copy(fromKey: string, toKey: string): Promise<void>;
  /** Does nothing if the object does not exist. */
  abstract delete(key: string): Promise<void>;
  /** Calls `listener` with the key of each object that this process deletes. */
  abstract onDelete(listener: (key: string) => void): void;
  /** Returns a URL that serves exactly this object until it expires. A changed URL is rejected. */
  abstract presignGet(key: string, options: PresignedGet): Promise<string>;
}

/** Lists everything with a prefix, page by page. */
export async function* pagesOf<Page extends { nextCursor?: string }>(
  storage: { list(options: ListOptions): Promise<Page> },
  options: Omit<ListOptions, 'cursor'>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page: Page = await storage.list({ ...options, ...(cursor ? { cursor } : {}) });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Lists all objects with a prefix. */
export async function objectsIn(
  storage: Pick<ObjectStorage, 'list'>,
  prefix: string,
): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const { objects } of pagesOf(storage, { prefix })) found.push(...objects);
  return found;
}

/** Stores an object whose key identifies its content. @returns false if it was stored before */
export async function putOnce(
  storage: Pick<ObjectStorage, 'put'>,
  key: string,
  body: Buffer,
  options: Omit<PutOptions, 'ifAbsent'>,
): Promise<boolean> {
  try {
    await storage.put(key, body, { ...options, ifAbsent: true });
    return true;
  } catch (error) {
    if (error instanceof ObjectExists) return false;
    throw error;
  }
}
