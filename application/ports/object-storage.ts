import type { Readable } from 'node:stream';

export interface ObjectInfo {
  key: string;
  sizeBytes: number;
  contentType: string;
  etag: string;
  lastModified: Date;
}

export interface ObjectBody extends ObjectInfo {
  /** The bytes asked for: the whole object, or the range. */
  body: Readable;
  /** Inclusive, present when a range was asked for. */
  range?: { start: number; end: number };
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
export class StorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageUnavailable';
  }
}

/**
 * One bucket (`Sounds`) of named byte strings. Keys are relative, `/`-separated, without `..`, NUL or
 * backslash; a bad key throws RangeError.
 */
export abstract class ObjectStorage {
  /** Writes the whole stream or nothing: an interrupted body leaves no object. */
  abstract put(key: string, body: Readable | Buffer, options: PutOptions): Promise<ObjectInfo>;
  /** @throws ObjectMissing, StorageUnavailable; RangeError when the range lies outside the object */
  abstract get(key: string, range?: { start: number; end?: number }): Promise<ObjectBody>;
  abstract head(key: string): Promise<ObjectInfo | undefined>;
  /** In key order. `delimiter: '/'` folds deeper keys into `prefixes`. */
  abstract list(options: {
    prefix: string;
    delimiter?: '/';
    limit?: number;
    cursor?: string;
  }): Promise<{ objects: ObjectInfo[]; prefixes: string[]; nextCursor?: string }>;
  abstract copy(fromKey: string, toKey: string): Promise<void>;
  /** Deleting what is absent is no error. */
  abstract delete(key: string): Promise<void>;
  /** A URL that yields exactly this object until it expires; any change to it is refused. */
  abstract presignGet(key: string, options: PresignedGet): Promise<string>;
  /** A URL that takes one PUT of this content type until it expires. */
  abstract presignPut(
    key: string,
    options: { expiresInSeconds: number; contentType: string },
  ): Promise<string>;
}
