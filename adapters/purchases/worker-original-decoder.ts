import { Injectable } from '@nestjs/common';
import { WavWriter } from '../../application/publishing/samples/audio-studio.js';
import { WorkingFiles } from '../../application/publishing/samples/working-files.js';
import { OriginalDecoder, type DecodedOriginal } from '../../application/purchases/tagged-copies.js';
import { workOwner } from '../../application/shared/lanes.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';

/**
 * Decodes in the worker threads that also analyse uploads. Users take turns there, so that one user's work does not
 * delay the others.
 */
@Injectable()
export class WorkerOriginalDecoder implements OriginalDecoder {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly files: WorkingFiles,
    private readonly wavs: WavWriter,
  ) {}

  async decode(originalKey: string): Promise<DecodedOriginal> {
    const { body } = await this.storage.get(originalKey);
    const original = await this.files.write(body);
    const wavPath = `${original.path}.wav`;
    try {
      const written = await this.wavs.toWav(original.path, wavPath, { owner: workOwner() });
      if (!written.accepted) throw new Error(`${originalKey} is on sale, but ${written.rejection.code}`);
      return { ...written.copy, read: (start) => this.files.take(wavPath, start) };
    } finally {
      await this.files.remove(original.path);
    }
  }
}
