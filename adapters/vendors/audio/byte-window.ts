import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const WINDOW_BYTES = 256 * 1024;

/** Reads a file through one sliding window. Reads are synchronous, because a worker thread has no other work. */
export class ByteWindow {
  readonly sizeBytes: number;
  private readonly file: number;
  private window: Buffer = Buffer.alloc(0);
  private windowAt = 0;

  constructor(path: string) {
    this.file = openSync(path, 'r');
    this.sizeBytes = fstatSync(this.file).size;
  }

  /** Returns bytes from `at`; fewer than `length` only at the end of the file. Valid until the next call. */
  view(at: number, length: number): Buffer {
    if (at < this.windowAt || at + length > this.windowAt + this.window.length) {
      this.window = this.read(at, Math.max(length, WINDOW_BYTES));
      this.windowAt = at;
    }
    return this.window.subarray(at - this.windowAt, at - this.windowAt + length);
  }

  /** Returns a copy that stays valid. */
  read(at: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - at));
    const bytes = Buffer.alloc(wanted);
    let filled = 0;
    while (filled < wanted) {
      const count = readSync(this.file, bytes, filled, wanted - filled, at + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  close(): void {
    closeSync(this.file);
  }
}
