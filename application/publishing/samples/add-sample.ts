import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { SampleMeta } from '../contract.js';
import { SampleUploads, type Upload, type UploadOutcome } from './sample-uploads.js';

/** Adds a sample. A repeated upload id answers the first sample. Always removes the received file. */
export class AddSample extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly meta: z.infer<typeof SampleMeta>,
  ) {
    super();
  }
}

/** Replaces the original of a sample. Buyers keep the version that they bought. */
export class ReplaceSampleAudio extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly sampleId: string,
  ) {
    super();
  }
}

@CommandHandler(AddSample)
export class AddSampleHandler implements ICommandHandler<AddSample> {
  constructor(private readonly uploads: SampleUploads) {}

  execute({ upload, meta }: AddSample): Promise<UploadOutcome> {
    return this.uploads.add(upload, meta);
  }
}

@CommandHandler(ReplaceSampleAudio)
export class ReplaceSampleAudioHandler implements ICommandHandler<ReplaceSampleAudio> {
  constructor(private readonly uploads: SampleUploads) {}

  execute({ upload, sampleId }: ReplaceSampleAudio): Promise<UploadOutcome> {
    return this.uploads.replace(upload, sampleId);
  }
}
