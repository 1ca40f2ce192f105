import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ObjectInfo } from '../../../application/storage/object-storage.js';

/** The JSON after an object's bytes, followed by its length and a mark. One rename then replaces bytes and metadata. */
interface Trailer {
  key: string;
  contentType: string;
  etag: string;
  cacheControl?: string;
}

const MARK = Buffer.from('OFFCUT01');
const TAIL_BYTES = 8192;

/** Writes a new object file and returns its ETag. Flushes the file's content to the device, but not its name. */
export async function writeObjectFile(
  path: string,
  body: Readable | Buffer,
  meta: Omit<Trailer, 'etag'>,
): Promise<{ etag: string; sizeBytes: number }> {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    // If a write fails, this loop destroys the body. If the body fails, this loop throws.
    for await (const chunk of Buffer.isBuffer(body) ? [body] : (body as AsyncIterable<Buffer>)) {
      hash.update(chunk);
      await file.appendFile(chunk);
      sizeBytes += chunk.length;
    }
    const etag = hash.digest('hex').slice(0, 32);
    const json = Buffer.from(JSON.stringify({ ...meta, etag } satisfies Trailer));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.length);
    await file.appendFile(Buffer.concat([json, length, MARK]));
    await file.sync();
    return { etag, sizeBytes };
  } finally {
    await file.close();
  }
}

/** Returns the metadata in the trailer; undefined if the file is not a complete object. */
export async function readObjectInfo(file: FileHandle): Promise<ObjectInfo | undefined> {
  const { size, mtime } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const lengthAt = tail.length - MARK.length - 4;
  if (lengthAt < 0 || !tail.subarray(lengthAt + 4).equals(MARK)) return undefined;
  const jsonAt = lengthAt - tail.readUInt32BE(lengthAt);
  if (jsonAt < 0) return undefined;
  const { key, contentType, etag } = JSON.parse(tail.toString('utf8', jsonAt, lengthAt)) as Trailer;
  return { key, contentType, etag, sizeBytes: size - (tail.length - jsonAt), lastModified: mtime };
}
