import { CommandBus } from '@nestjs/cqrs';
import { SampleUploads } from '../../application/publishing/sample-uploads.js';
import { rm } from 'node:fs/promises';
import { Body, Controller, Delete, HttpCode, Param, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import * as z from 'zod';
import type { ReceivedFile } from '../../application/publishing/audio-intake.js';
import {
  AUDIO_LIMIT_BYTES,
  OwnSampleAnswer,
  SampleChange,
  SampleMeta,
  SampleRemoved,
} from '../../application/publishing/contract.js';
import { OwnPackReader } from '../../application/publishing/readers.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import { UploadBoard } from '../../application/publishing/upload-progress.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { receiveFile, type FileUpload } from '../platform/http/uploads/audio-upload.js';
import { IfMatch, setVersion } from '../platform/http/version.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpRequest, HttpResponse } from '../platform/http/request.js';
import { invalidRequest } from '../platform/http/validation.js';
import {
  AddSample,
  AttachFile,
  ChangeSample,
  RemoveSample,
  ReplaceSampleAudio,
  type AttachmentKind,
  type UploadOutcome,
} from '../../application/publishing/pack-commands.js';

type Answer = z.infer<typeof OwnSampleAnswer>;

/** Also named in the address, so that progress can be asked for while the body is still coming in. */
const UploadQuery = z.object({ uploadId: z.uuid().optional() });

/** Samples of a creator's own packs. Uploading needs an approved creator. */
@ApiTags('Creators')
@Controller('api/creator/packs/:id/samples')
@AccessFor('user')
export class CreatorSamplesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly uploads: SampleUploads,
    private readonly reader: OwnPackReader,
    private readonly board: UploadBoard,
    private readonly settings: PublishingSettings,
  ) {}

  @Post()
  @AccessFor('creator')
  @Takes('multipart')
  @ApiResponse({ status: 201, standardSchema: OwnSampleAnswer })
  async add(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Query({ schema: UploadQuery }) query: z.infer<typeof UploadQuery>,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Answer> {
    await this.assertAdmitted(actor, packId);
    const { file, fields } = await this.receive(request, 'audio', actor, query.uploadId);
    const meta = await orRemove(file, () => readMeta(fields.meta));
    const uploadId = meta.uploadId ?? query.uploadId;
    const upload = { packId, userId: actor.userId, file, expectedVersion, uploadId };
    return answer(await this.commands.execute(new AddSample(upload, meta)), response);
  }

  @Patch(':sampleId')
  @ApiResponse({ status: 200, standardSchema: OwnSampleAnswer })
  async change(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @Param('sampleId') sampleId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Body({ schema: SampleChange }) body: z.infer<typeof SampleChange>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Answer> {
    const writer = { userId: actor.userId, packId, expectedVersion };
    const outcome = await this.commands.execute(new ChangeSample(writer, sampleId, body));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.answerSample(actor, packId, sampleId, outcome.version, response);
  }

  /** Nothing to say, or that files of the sample are still stored. */
  @Delete(':sampleId')
  @HttpCode(204)
  @ApiResponse({ status: 200, standardSchema: SampleRemoved })
  async remove(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @Param('sampleId') sampleId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<z.infer<typeof SampleRemoved> | void> {
    const outcome = await this.commands.execute(
      new RemoveSample({ userId: actor.userId, packId, expectedVersion }, sampleId),
    );
    if (!outcome.accepted) return refuse(outcome.rejection);
    setVersion(response, outcome.version);
    if (outcome.cleanedUp) return;
    response.statusCode = 200;
    return { cleanedUp: false };
  }

  @Put(':sampleId/audio')
  @AccessFor('creator')
  @Takes('multipart')
  @ApiResponse({ status: 200, standardSchema: OwnSampleAnswer })
  async replaceAudio(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @Param('sampleId') sampleId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Query({ schema: UploadQuery }) { uploadId }: z.infer<typeof UploadQuery>,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Answer> {
    await this.assertAdmitted(actor, packId, sampleId);
    const { file } = await this.receive(request, 'audio', actor, uploadId);
    const upload = { packId, userId: actor.userId, file, expectedVersion, uploadId };
    return answer(await this.commands.execute(new ReplaceSampleAudio(upload, sampleId)), response);
  }

  @Put(':sampleId/stems')
  @AccessFor('creator')
  @Takes('multipart')
  @ApiResponse({ status: 200, standardSchema: OwnSampleAnswer })
  async attachStems(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @Param('sampleId') sampleId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Answer> {
    return this.attach('stems', { actor, packId, sampleId, expectedVersion, request, response });
  }

  @Put(':sampleId/midi')
  @AccessFor('creator')
  @Takes('multipart')
  @ApiResponse({ status: 200, standardSchema: OwnSampleAnswer })
  async attachMidi(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @Param('sampleId') sampleId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Answer> {
    return this.attach('midi', { actor, packId, sampleId, expectedVersion, request, response });
  }

  private async attach(
    kind: AttachmentKind,
    { actor, packId, sampleId, expectedVersion, request, response }: AttachRequest,
  ): Promise<Answer> {
    await this.assertAdmitted(actor, packId, sampleId);
    const { file } = await this.receive(request, 'file', actor);
    const writer = { userId: actor.userId, packId, expectedVersion };
    const outcome = await this.commands.execute(new AttachFile(writer, sampleId, kind, file));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.answerSample(actor, packId, sampleId, outcome.version, response);
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
    { userId }: Actor,
    packId: string,
    sampleId: string,
    version: number,
    response: HttpResponse,
  ): Promise<Answer> {
    const sample = await this.reader.sample(userId, packId, sampleId);
    if (!sample) throw new ProblemException('NotFound');
    setVersion(response, version);
    return { sample, version };
  }
}

interface AttachRequest {
  actor: Actor;
  packId: string;
  sampleId: string;
  expectedVersion: number | undefined;
  request: HttpRequest;
  response: HttpResponse;
}

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
