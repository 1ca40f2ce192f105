import { rm } from 'node:fs/promises';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { ReceivedFile } from '../../application/publishing/samples/audio-intake.js';
import { SampleMeta, type OwnSampleAnswer } from '../../application/publishing/contract.js';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import * as endpoints from '../../application/publishing/endpoints.js';
import {
  AddSample,
  AttachFile,
  ChangeSample,
  RemoveSample,
  ReplaceSampleAudio,
  type AttachmentKind,
  type UploadOutcome,
} from '../../application/publishing/pack-commands.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import { SampleUploads } from '../../application/publishing/samples/sample-uploads.js';
import { UploadBoard } from '../../application/publishing/samples/upload-progress.js';
import { receiveFile, type FileUpload } from '../platform/http/uploads/audio-upload.js';
import type { Actor } from '../platform/http/actor.js';
import { Route, type Call } from '../platform/http/route.js';
import { setVersion } from '../platform/http/version.js';
import { ProblemException, refuse } from '../platform/http/problem-exception.js';
import type { HttpRequest, HttpResponse } from '../platform/http/request.js';
import { invalidRequest } from '../platform/http/validation.js';

type Answer = z.infer<typeof OwnSampleAnswer>;
type SampleCall = Call<typeof endpoints.changeSample>;

/** Samples of a creator's own packs. Uploading needs an approved creator. */
@Controller()
export class CreatorSamplesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly uploads: SampleUploads,
    private readonly reader: OwnPackQueries,
    private readonly board: UploadBoard,
    private readonly settings: PublishingSettings,
  ) {}

  @Route(endpoints.addSample)
  async add(call: Call<typeof endpoints.addSample>): Promise<Answer> {
    const { actor, expectedVersion, query, request, response } = call;
    const packId = call.params.id;
    await this.assertAdmitted(actor, packId);
    const { file, fields } = await this.receive(request, 'audio', actor, query.uploadId);
    const meta = await orRemove(file, () => readMeta(fields.meta));
    const uploadId = meta.uploadId ?? query.uploadId;
    const upload = { packId, userId: actor.userId, file, expectedVersion, uploadId };
    return answer(await this.commands.execute(new AddSample(upload, meta)), response);
  }

  @Route(endpoints.changeSample)
  async change(call: Call<typeof endpoints.changeSample>): Promise<Answer> {
    const outcome = await this.commands.execute(
      new ChangeSample(writerOf(call), call.params.sampleId, call.body),
    );
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    return this.answerSample(call, outcome.version);
  }

  @Route(endpoints.removeSample)
  async remove(call: Call<typeof endpoints.removeSample>) {
    const outcome = await this.commands.execute(new RemoveSample(writerOf(call), call.params.sampleId));
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    setVersion(call.response, outcome.version);
    if (outcome.cleanedUp) return undefined;
    call.response.statusCode = 200;
    return { cleanedUp: false as const };
  }

  @Route(endpoints.replaceAudio)
  async replaceAudio(call: Call<typeof endpoints.replaceAudio>): Promise<Answer> {
    const { actor, expectedVersion, request, response } = call;
    const { uploadId } = call.query;
    const { id: packId, sampleId } = call.params;
    await this.assertAdmitted(actor, packId, sampleId);
    const { file } = await this.receive(request, 'audio', actor, uploadId);
    const upload = { packId, userId: actor.userId, file, expectedVersion, uploadId };
    return answer(await this.commands.execute(new ReplaceSampleAudio(upload, sampleId)), response);
  }

  @Route(endpoints.attachStems)
  attachStems(call: Call<typeof endpoints.attachStems>) {
    return this.attach('stems', call);
  }

  @Route(endpoints.attachMidi)
  attachMidi(call: Call<typeof endpoints.attachMidi>) {
    return this.attach('midi', call);
  }

  private async attach(kind: AttachmentKind, call: Call<typeof endpoints.attachStems>): Promise<Answer> {
    const { actor, params, request, refuse } = call;
    await this.assertAdmitted(actor, params.id, params.sampleId);
    const { file } = await this.receive(request, 'file', actor);
    const outcome = await this.commands.execute(new AttachFile(writerOf(call), params.sampleId, kind, file));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.answerSample(call, outcome.version);
  }

  /** Refuses before the body is read what no body could mend. */
  private async assertAdmitted({ userId }: Actor, packId: string, sampleId?: string): Promise<void> {
    const admitted = await this.uploads.admit(userId, packId);
    if ('code' in admitted && !(sampleId && admitted.code === 'TooManySamples')) refuse(admitted);
    if (sampleId && !(await this.reader.sample(userId, packId, sampleId)))
      throw new ProblemException('NotFound');
  }

  private async receive(
    request: HttpRequest,
    part: string,
    { userId }: Actor,
    uploadId?: string,
  ): Promise<FileUpload> {
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

  private async answerSample(
    { actor, params, response }: Pick<SampleCall, 'actor' | 'params' | 'response'>,
    version: number,
  ): Promise<Answer> {
    const sample = await this.reader.sample(actor.userId, params.id, params.sampleId);
    if (!sample) throw new ProblemException('NotFound');
    setVersion(response, version);
    return { sample, version };
  }
}

const writerOf = ({
  actor,
  params,
  expectedVersion,
}: Pick<SampleCall, 'actor' | 'params' | 'expectedVersion'>) => ({
  userId: actor.userId,
  packId: params.id,
  expectedVersion,
});

function answer(outcome: UploadOutcome, response: HttpResponse): Answer {
  if (!outcome.accepted) return refuse(outcome.rejection);
  setVersion(response, outcome.version);
  const { sample, version, duplicateOf } = outcome;
  return { sample, version, duplicateOf };
}

/** A refusal leaves no temporary file. */
async function orRemove<Result>({ path }: ReceivedFile, work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** The `meta` part: JSON, or nothing. */
function readMeta(text: string | undefined): z.infer<typeof SampleMeta> {
  let json: unknown = {};
  try {
    if (text !== undefined && text !== '') json = JSON.parse(text);
  } catch {
    throw invalidRequest([{ path: ['meta'], message: 'This part must be JSON' }]);
  }
  const parsed = SampleMeta.safeParse(json);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['meta', ...issue.path] })));
}
