import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AddSample, ReplaceSampleAudio, type UploadOutcome } from '../pack-commands.js';
import { SampleUploads } from './sample-uploads.js';

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
