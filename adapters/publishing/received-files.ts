import { rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { ReceivedFile } from '../../application/publishing/samples/audio-intake.js';
import { DirectUploads } from '../../application/publishing/samples/direct-uploads.js';
import { UploadBoard } from '../../application/publishing/samples/upload-progress.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import { ProblemException } from '../platform/http/problem-exception.js';
import type { HttpRequest } from '../platform/http/request.js';
import { receiveFile } from '../platform/http/uploads/audio-upload.js';
import { invalidRequest } from '../platform/http/validation.js';

/** Whose upload it is, into which pack, and under which id its progress is told. */
export interface Receiving {
  userId: string;
  packId: string;
  uploadId?: string | undefined;
}

/** The file of a sample, whichever way it came: with the form itself, or to the bucket before, which the form then names. */
@Injectable()
export class ReceivedFiles {
  constructor(
    private readonly direct: DirectUploads,
    private readonly board: UploadBoard,
    private readonly settings: PublishingSettings,
  ) {}

  /**
   * Has work made of the file that a form brings or names. What the bucket has stays there until that did not fail.
   * @param part the part that carries the file
   */
  async use<Result>(
    request: HttpRequest,
    part: string,
    receiving: Receiving,
    work: (file: ReceivedFile, fields: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const { file, fields } = await this.readForm(request, part, receiving);
    if (file) return removed(file, () => work(file, fields));
    const { data: uploadId } = z.uuid().safeParse(fields.stored);
    if (uploadId === undefined)
      throw invalidRequest([{ path: [part], message: 'Please upload an audio file' }]);
    const name = { userId: receiving.userId, uploadId };
    const stored = await this.direct.receive(name, receiving.packId);
    if (!stored) throw new ProblemException('UploadInterrupted');
    const result = await removed(stored, () => work(stored, fields));
    await this.direct.forget(name);
    return result;
  }

  private async readForm(request: HttpRequest, part: string, { userId, uploadId }: Receiving) {
    const report = (share: number): void =>
      this.board.report(uploadId, userId, { phase: 'receiving', share });
    report(0);
    try {
      return await receiveFile(request, {
        part,
        folder: this.settings.uploadFolder,
        limitBytes: AUDIO_LIMIT_BYTES,
        onProgress: (received, total) => report(total > 0 ? Math.min(1, received / total) : 0),
      });
    } catch (error) {
      this.board.report(uploadId, userId, { phase: 'failed', share: 1 });
      throw error;
    }
  }
}

/** Whatever becomes of the work, it leaves no temporary file. */
async function removed<Result>({ path }: ReceivedFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
