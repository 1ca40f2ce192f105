import { Unavailable } from '../shared/unavailable.js';
import type { Readable } from 'node:stream';

export interface ObjectInfo {
  key: string;
  sizeBytes: number;
  contentType: string;
  /** Changes with the content; without quotes. */
  etag: string;
  lastModified: Date;
}

/** Listings do not tell the content type: S3 keeps it with the object only. */
export type ListedObject = Omit<ObjectInfo, 'contentType'>;

export interface ObjectBody extends ObjectInfo {
  /** The bytes asked for: the whole object, or the range. */
  body: Readable;
  /** Inclusive, present when a range was asked for. */
  range?: { start: number; end: number };
}

export interface ListOptions {
  prefix: string;
  /** Folds deeper keys into `prefixes`. */
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
  /** Refuse with ObjectExists instead of replacing. */
  ifAbsent?: boolean;
  cacheControl?: string;
}

export interface PresignedGet {
  expiresInSeconds: number;
  /** Answered as Content-Disposition: attachment; filename=… */
  downloadName?: string;
  contentType?: string;
}

export class ObjectMissing extends Error {
  constructor(readonly key: string) {
    super(`no object ${key}`);
    this.name = 'ObjectMissing';
  }
}

export class ObjectExists extends Error {
  constructor(readonly key: string) {
    super(`object ${key} exists already`);
    this.name = 'ObjectExists';
  }
}

/** The store cannot be reached or refuses service; nothing about the object is known. */
export class StorageUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageUnavailable';
  }
}

const KEY_LIMIT_BYTES = 1024;
// Control characters cannot be listed by every server; a lone surrogate has no UTF-8 form.
// eslint-disable-next-line no-control-regex
const FORBIDDEN_IN_KEYS = /[\u0000-\u001f\u007f\\]|\p{Surrogate}/u;

/**
 * Refuses names that could leave the store or that one of the adapters cannot hold.
 * @throws RangeError
 */
export function assertObjectKey(key: string): void {
  if (key === '' || Buffer.byteLength(key) > KEY_LIMIT_BYTES || FORBIDDEN_IN_KEYS.test(key))
    throw new RangeError('not an object key');
  for (const segment of key.split('/'))
    if (segment === '' || segment === '.' || segment === '..') throw new RangeError('not an object key');
}

/** Like a key, but may be empty or end in `/` or in the middle of a name. @throws RangeError */
export function assertKeyPrefix(prefix: string): void {
  if (prefix === '') return;
  assertObjectKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/**
 * One bucket (`Sounds`) of named byte strings. Keys are relative, `/`-separated, without `..`, NUL or
 * backslash; a bad key throws RangeError.
 */
export abstract class ObjectStorage {
  /** Asks as little as can be asked. @throws StorageUnavailable, and whatever else keeps it from answering */
  abstract ping(): Promise<void>;
  /** Writes the whole stream or nothing: an interrupted body leaves no object. */
  abstract put(key: string, body: Readable | Buffer, options: PutOptions): Promise<ObjectInfo>;
  /** @throws ObjectMissing, StorageUnavailable; RangeError when the range lies outside the object */
  abstract get(key: string, range?: { start: number; end?: number }): Promise<ObjectBody>;
  abstract head(key: string): Promise<ObjectInfo | undefined>;
  /** In key order. */
  abstract list(options: ListOptions): Promise<Listing>;
  abstract copy(fromKey: string, toKey: string): Promise<void>;
  /** Deleting what is absent is no error. */
  abstract delete(key: string): Promise<void>;
  /** Calls with the key of each object that this process has deleted. */
  abstract onDelete(listener: (key: string) => void): void;
  /** A URL that yields exactly this object until it expires; any change to it is refused. */
  abstract presignGet(key: string, options: PresignedGet): Promise<string>;
}
