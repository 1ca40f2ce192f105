import type { CommandBus } from '@nestjs/cqrs';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as z from 'zod';
import type { BucketSource, SourceFile } from './bucket-source.js';
import type { ReceivedFile } from '../samples/audio-intake.js';
import { nameOf, type BucketSample } from './bucket-pack.js';
import { guarded, type BucketReport } from './bucket-report.js';
import { type SampleMeta } from '../contract.js';
import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MIB, AUDIO_LIMIT_MINUTES } from '../values.js';
import { instrumentsAmong, type ListedFile } from '../pack-json.js';
import { cutText } from '../../shared/text.js';
import { AddSample } from '../samples/add-sample.js';
import { AttachFile } from '../samples/attach-file.js';
import { type UploadOutcome } from '../samples/sample-uploads.js';

/** Downloads one file of a bucket in the form of an upload. The receiver removes it. */
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

export const sampleMetaOf = ({
  title,
  instruments,
  stems: _stems,
  midi: _midi,
  ...rest
}: ListedFile = {}): z.infer<typeof SampleMeta> => ({
  ...rest,
  ...(title === undefined ? {} : { name: cutText(title, 120) }),
  instruments: instrumentsAmong(instruments).slice(0, 10),
});

const TOO_LARGE = `is larger than ${AUDIO_LIMIT_MIB} MiB`;
const REASONS: Record<string, string> = {
  UnsupportedAudioType: 'is not a wav, mp3, m4a or aac file, despite its name',
  AudioEmpty: 'contains no sound',
  AudioTooLong: `is longer than ${AUDIO_LIMIT_MINUTES} minutes`,
  AudioTooLarge: TOO_LARGE,
  TooManySamples: 'does not fit: the pack is full',
  NotFound: 'was removed here by its creator',
};

export const refusalOf = (rejection: { code: string; detail?: string }): string =>
  rejection.detail ?? rejection.code;

/** Returns the reason for a refused file, as the rest of a sentence that begins with its name. */
export function reasonOf({ rejection }: Extract<UploadOutcome, { accepted: false }>): string {
  if (rejection.code === 'AudioUnreadable') return `cannot be read: ${rejection.reason ?? 'damaged'}`;
  return REASONS[rejection.code] ?? refusalOf(rejection);
}

interface SampleImportTools {
  source: BucketSource;
  commands: CommandBus;
  uploadFolder: string;
}

export async function addBucketSample(
  tools: SampleImportTools,
  report: BucketReport,
  place: { userId: string; packId: string; uploadId: string },
  { file, listed }: BucketSample,
): Promise<string | undefined> {
  let sampleId: string | undefined;
  await guarded(report, file.key, async () => {
    if (file.sizeBytes > AUDIO_LIMIT_BYTES) throw new Error(TOO_LARGE);
    const received = await fetchSample(tools.source, file, tools.uploadFolder);
    const upload = { ...place, file: received, isImport: true };
    const outcome = await tools.commands.execute(new AddSample(upload, sampleMetaOf(listed)));
    if (!outcome.accepted) throw new Error(reasonOf(outcome));
    sampleId = outcome.sample.id;
    report.samples.added += 1;
  });
  return sampleId;
}

export async function attachBucketFiles(
  tools: SampleImportTools,
  report: BucketReport,
  { sampleId, ...writer }: { userId: string; packId: string; sampleId: string },
  files: Pick<BucketSample, 'stems' | 'midi'>,
): Promise<void> {
  for (const kind of ['stems', 'midi'] as const) {
    const file = files[kind];
    if (!file) continue;
    await guarded(report, file.key, async () => {
      if (file.sizeBytes > AUDIO_LIMIT_BYTES) throw new Error(TOO_LARGE);
      const received = await fetchSample(tools.source, file, tools.uploadFolder);
      const outcome = await tools.commands.execute(new AttachFile(writer, sampleId, kind, received));
      if (!outcome.accepted) throw new Error(`cannot be attached: ${outcome.rejection.code}`);
      report.attachments += 1;
    });
  }
}
