import type { CommandBus } from '@nestjs/cqrs';
import type * as z from 'zod';
import { type BucketSource, type SourceFile, guarded, type BucketReport } from './bucket-source.js';
import type { ReceivedFile, WorkingFiles } from '../samples/working-files.js';
import { nameOf, type BucketSample } from './bucket-pack.js';
import { type SampleMeta } from '../contract.js';
import { AUDIO_KINDS, AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MIB, AUDIO_LIMIT_MINUTES } from '../values.js';
import { instrumentsAmong, type ListedFile } from '../pack-json.js';
import { cutText } from '../../shared/text.js';
import { AddSample, type UploadOutcome } from '../samples/sample-uploads.js';
import { AttachFile } from '../samples/attach-file.js';

/** Downloads a file of the bucket into a temporary file, like an upload. The command that uses the file removes it. */
const fetchSample = async (
  { source, files }: SampleImportTools,
  { key }: SourceFile,
): Promise<ReceivedFile> => ({
  ...(await files.write((await source.get(key)).body)),
  filename: nameOf(key),
});

const sampleMetaOf = ({ title, instruments, stems: _stems, midi: _midi, ...rest }: ListedFile = {}): z.infer<
  typeof SampleMeta
> => ({
  ...rest,
  ...(title === undefined ? {} : { name: cutText(title, 120) }),
  instruments: instrumentsAmong(instruments).slice(0, 10),
});

const TOO_LARGE = `is larger than ${AUDIO_LIMIT_MIB} MiB`;
const REASONS: Record<string, string> = {
  UnsupportedAudioType: `is not a ${AUDIO_KINDS} file, despite its name`,
  AudioEmpty: 'contains no sound',
  AudioTooLong: `is longer than ${AUDIO_LIMIT_MINUTES} minutes`,
  AudioTooLarge: TOO_LARGE,
  TooManySamples: 'does not fit: the pack is full',
  NotFound: 'was removed here by its creator',
};

export const refusalOf = (rejection: { code: string; detail?: string }): string =>
  rejection.detail ?? rejection.code;

/** Returns why a file was refused, as the rest of a sentence that begins with the file's name. */
export function reasonOf({ rejection }: Extract<UploadOutcome, { accepted: false }>): string {
  if (rejection.code === 'AudioUnreadable') return `cannot be read: ${rejection.reason ?? 'damaged'}`;
  return REASONS[rejection.code] ?? refusalOf(rejection);
}

interface SampleImportTools {
  source: BucketSource;
  commands: CommandBus;
  files: WorkingFiles;
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
    const received = await fetchSample(tools, file);
    const upload = { ...place, file: received };
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
      const received = await fetchSample(tools, file);
      const outcome = await tools.commands.execute(new AttachFile(writer, sampleId, kind, received));
      if (!outcome.accepted) throw new Error(`cannot be attached: ${outcome.rejection.code}`);
      report.attachments += 1;
    });
  }
}
