import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, openSync, unlinkSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WorkingFiles } from '../../../application/publishing/samples/working-files.js';

/** A file that is older than this is abandoned, because no upload takes this long. */
const ABANDONED_AFTER_MS = 60 * 60_000;

export class DiskWorkingFiles implements WorkingFiles {
  constructor(private readonly folder: string) {}

  async onModuleInit(): Promise<void> {
    await this.removeAbandoned(new Date());
  }

  async write(stream: Readable, onBytes: (sizeBytes: number) => void = () => {}) {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, randomUUID());
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length;
        try {
          onBytes(sizeBytes);
        } catch (error) {
          return done(error as Error);
        }
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      await pipeline(stream, meter, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return { path, sizeBytes, sha256: hash.digest('hex') };
    } catch (error) {
      await this.remove(path);
      throw error;
    }
  }

  stream(path: string): Readable {
    return createReadStream(path);
  }

  take(path: string, start: number): Readable {
    const fd = openSync(path, 'r');
    unlinkSync(path);
    return createReadStream(path, { fd, start });
  }

  async read(path: string, limitBytes?: number): Promise<Buffer> {
    if (limitBytes === undefined) return readFile(path);
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(limitBytes), 0, limitBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes files that a killed process left behind. @returns the number of removed files */
  async removeAbandoned(now: Date): Promise<number> {
    const names = await readdir(this.folder).catch(() => []);
    let removed = 0;
    for (const name of names) {
      const path = join(this.folder, name);
      const file = await stat(path).catch(() => undefined);
      if (!file?.isFile() || now.getTime() - file.mtimeMs < ABANDONED_AFTER_MS) continue;
      await this.remove(path);
      removed += 1;
    }
    return removed;
  }
}
