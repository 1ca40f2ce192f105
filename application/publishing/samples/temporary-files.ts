import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cutText, storable } from '../../shared/text.js';
import type { ReceivedFile } from './audio-intake.js';

const FILENAME_LIMIT = 200;

/** Writes and hashes a stream. The caller removes the file, except after a failure. `onBytes` may throw to stop. */
export async function writeTemporary(
  stream: Readable,
  folder: string,
  onBytes: (sizeBytes: number) => void,
): Promise<Omit<ReceivedFile, 'filename'>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
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
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes folders, control characters and direction characters. Shortens the name but keeps its extension. */
export function cleanFileName(filename: string | undefined): string {
  const plain = storable(filename ?? '')
    .normalize('NFC')
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  return cutText(plain.slice(0, plain.length - ending.length), FILENAME_LIMIT) + ending || 'audio';
}
