import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as z from 'zod';
import { INSTRUMENTS } from '../../domain/catalogue/vocabulary.js';
import type { BucketSource, SourceFile } from '../ports/bucket-source.js';
import type { UploadOutcome } from './add-sample.js';
import type { ReceivedFile } from './audio-intake.js';
import { nameOf } from './bucket-pack.js';
import type { SampleMeta } from './contract.js';
import type { ListedFile } from './pack-json.js';

/** Fetches one file of a bucket as an upload would arrive. Whoever receives it removes it. */
export async function fetchSample(
  source: BucketSource,
  { key }: SourceFile,
  uploadFolder: string,
): Promise<ReceivedFile> {
  await mkdir(uploadFolder, { recursive: true });
  const path = join(uploadFolder, randomUUID());
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(await source.read(key), counting, createWriteStream(path));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, filename: nameOf(key), sizeBytes, sha256: hash.digest('hex') };
}

/** What `pack.json` says of a sample, as an upload's meta says it. */
export const sampleMetaOf = ({ title, instruments, ...rest }: ListedFile = {}): z.infer<
  typeof SampleMeta
> => ({
  ...rest,
  ...(title === undefined ? {} : { name: title.slice(0, 120) }),
  instruments: INSTRUMENTS.filter((known) =>
    instruments?.some((name) => name.trim().toLowerCase() === known.toLowerCase()),
  ).slice(0, 10),
});

const REASONS: Record<string, string> = {
  UnsupportedAudioType: 'is no wav, mp3, m4a or aac file, whatever it is called',
  AudioEmpty: 'holds no sound',
  AudioTooLong: 'is longer than 15 minutes',
  AudioTooLarge: 'is larger than 200 MiB',
  TooManySamples: 'does not fit: the pack is full',
  NotFound: 'was removed here by its creator',
};

/** Why a file was refused, to follow its name. */
export function reasonOf({ rejection }: Extract<UploadOutcome, { accepted: false }>): string {
  if (rejection.code === 'AudioUnreadable') return `cannot be read: ${rejection.reason ?? 'damaged'}`;
  return REASONS[rejection.code] ?? rejection.code;
}
