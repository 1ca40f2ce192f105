import type { Readable } from 'node:stream';
import { cutText, storable } from '../../shared/text.js';

/** A received file before its analysis. */
export interface ReceivedFile {
  /** The path of a temporary file, which the receiver must remove. */
  path: string;
  /** The creator's file name, without folders. */
  filename: string;
  sizeBytes: number;
  sha256: string;
}

/** Temporary files on this machine. */
export abstract class WorkingFiles {
  /** Writes and hashes a stream. The caller removes the file, unless this throws. `onBytes` may throw to stop. */
  abstract write(
    stream: Readable,
    onBytes?: (sizeBytes: number) => void,
  ): Promise<Omit<ReceivedFile, 'filename'>>;
  abstract stream(path: string): Readable;
  /**
   * Reads a file from byte `start` to its end. Works only once, because it removes the file's name before it
   * returns.
   */
  abstract take(path: string, start: number): Readable;
  /** Returns the first `limitBytes` bytes of a file, or all bytes without a limit. */
  abstract read(path: string, limitBytes?: number): Promise<Buffer>;
  /** Does nothing if the file does not exist. */
  abstract remove(path: string): Promise<void>;
}

const FILENAME_LIMIT = 200;

/** Removes folders, and control and format characters. Shortens long names but keeps their extension. */
export function cleanFileName(filename: string | undefined): string {
  const plain = storable(filename ?? '')
    .normalize('NFC')
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  return cutText(plain.slice(0, plain.length - ending.length), FILENAME_LIMIT) + ending || 'audio';
}
