/** The disk or the user's quota is full. */
export class DiskFull extends Error {}

export const lockFileOf = (program: string) => `.${program}.lock`;
export const LOCK_REFRESH_MS = 30_000;
/**
 * A lock that was not refreshed for this long counts as abandoned, because a killed program cannot remove its
 * lock.
 */
export const LOCK_LIFETIME_MS = 4 * LOCK_REFRESH_MS;

export interface FileFacts {
  /** Null for a folder. */
  sizeBytes: number | null;
  /** In whole milliseconds, because browsers see no fractions. */
  mtimeMs: number;
}

/** A file that grows. Its methods throw like those of `Disk`. */
export interface GrowingFile {
  /** In bytes. */
  size(): Promise<number>;
  append(bytes: Uint8Array): Promise<void>;
  empty(): Promise<void>;
  /** Flushes what was appended. */
  close(): Promise<void>;
}

/**
 * The file operations that this package needs, in Node or in a browser that lets pages write files.
 * Methods throw DiskFull, and NeedsPerson if the browser may no longer write to the folder, or if the folder or a
 * file in it was removed.
 */
export interface Disk {
  names(): Promise<string[]>;
  facts(name: string): Promise<FileFacts | undefined>;
  sha256(name: string): Promise<string>;
  /** Returns undefined if there is no such file. */
  readText(name: string): Promise<string | undefined>;
  /** Replaces a file at once, so that it is never half written. */
  writeText(name: string, text: string): Promise<void>;
  grow(name: string): Promise<GrowingFile>;
  /**
   * Renames a file. The caller has checked that `to` does not exist.
   * @param sha256 the hash of the content
   * @param beforeCopy runs if the disk can only copy, which may stop halfway and leave an empty file under `to`
   */
  rename(from: string, to: string, sha256: string, beforeCopy: () => Promise<void>): Promise<void>;
  remove(name: string): Promise<void>;
}
