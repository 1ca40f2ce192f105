import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { UploadOutcome } from '../../application/publishing/samples/sample-uploads.js';
import { WorkingFiles, type ReceivedFile } from '../../application/publishing/samples/working-files.js';
import { DirectUploads } from '../../application/publishing/samples/direct-uploads.js';
import { EncodeFiles } from '../../application/publishing/samples/encode-files.js';
import {
  Encodings,
  type Becomes,
  type EncodingName,
} from '../../application/publishing/samples/encodings.js';
import { UploadBoard } from '../../application/publishing/samples/upload-progress.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import { ProblemException, type HttpRequest } from '../platform/http/request.js';
import { receiveFile } from '../platform/http/uploads.js';
import { invalidRequest } from '../platform/http/validation.js';

export interface Receiving {
  userId: string;
  packId: string;
  uploadId?: string | undefined;
}

/** Gets the file of a sample, either from the form, or from a direct upload that the form names. */
@Injectable()
export class ReceivedFiles {
  constructor(
    private readonly direct: DirectUploads,
    private readonly encodings: Encodings,
    private readonly encoder: EncodeFiles,
    private readonly files: WorkingFiles,
    private readonly board: UploadBoard,
    private readonly settings: PublishingSettings,
  ) {}

  /** Turns a received recording into a sample. A job does the work, unless `encodesItself` is set. */
  async encode(
    request: HttpRequest,
    receiving: Receiving,
    becomesOf: (fields: Record<string, string>) => Becomes,
  ): Promise<UploadOutcome> {
    const { file, fields } = await this.readForm(request, 'audio', receiving);
    const make = async (): Promise<UploadOutcome | undefined> => {
      const becomes = becomesOf(fields);
      const ownId = becomes.kind === 'new' ? becomes.meta.uploadId : undefined;
      const uploadId = ownId ?? receiving.uploadId;
      if (file && this.settings.encodesItself)
        return this.encoder.encode({ ...receiving, uploadId }, becomes, file);
      const { userId, packId } = receiving;
      const name = {
        userId,
        packId,
        uploadId: file ? (uploadId ?? randomUUID()) : storedId(fields, 'audio'),
      };
      if (file) await this.orderFile(name, file, becomes);
      else await this.orderStored(name, becomes);
      return this.encodings.outcomeOf(name);
    };
    const outcome = await (file ? this.removing(file, make) : make());
    if (outcome) return outcome;
    // The job continues. A repeated request with the same upload id returns its result.
    throw new ProblemException('ServiceUnavailable', {}, { 'Retry-After': '5' });
  }

  private async orderFile(name: EncodingName, file: ReceivedFile, becomes: Becomes): Promise<void> {
    // An upload id prevents repetition only for a new sample. A repeated replacement is encoded again.
    if (becomes.kind === 'new' && (await this.encodings.has(name))) return;
    const key = await this.direct.keep(file);
    await this.encodings.order(name, { key, filename: file.filename, becomes });
  }

  private async orderStored(name: EncodingName, becomes: Becomes): Promise<void> {
    const upload = await this.direct.complete(name, name.packId);
    if (upload) {
      await this.encodings.order(name, { ...upload, becomes });
      await this.direct.release(name, upload);
    } else if (!(await this.encodings.has(name))) throw new ProblemException('UploadInterrupted');
  }

  /** Passes the received file to `work`. A direct upload stays in the bucket until `work` succeeds. */
  async use<Result>(
    request: HttpRequest,
    receiving: Receiving,
    work: (file: ReceivedFile) => Promise<Result>,
  ): Promise<Result> {
    const { file, fields } = await this.readForm(request, 'file', receiving);
    if (file) return this.removing(file, () => work(file));
    const name = { userId: receiving.userId, uploadId: storedId(fields, 'file') };
    const upload = await this.direct.complete(name, receiving.packId);
    if (!upload) throw new ProblemException('UploadInterrupted');
    const fetched = await this.direct.fetch(upload);
    const result = await this.removing(fetched, () => work(fetched));
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
        files: this.files,
        limitBytes: AUDIO_LIMIT_BYTES,
        onProgress: (received, total) => report(total > 0 ? Math.min(1, received / total) : 0),
      });
    } catch (error) {
      this.board.report(uploadId, userId, { phase: 'failed', share: 1 });
      throw error;
    }
  }

  private async removing<Result>({ path }: ReceivedFile, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      await this.files.remove(path);
    }
  }
}

function storedId({ stored }: Record<string, string>, part: string): string {
  const { data } = z.uuid().safeParse(stored);
  if (data !== undefined) return data;
  throw invalidRequest([{ path: [part], message: 'Please upload an audio file' }]);
}
