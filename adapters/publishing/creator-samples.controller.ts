import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type * as z from 'zod';
import { SampleMeta, type OwnSampleAnswer } from '../../application/publishing/contract.js';
import { AttachFile, type AttachmentKind } from '../../application/publishing/samples/attach-file.js';
import { ChangeSample } from '../../application/publishing/change-pack.js';
import { RemoveSample, UndoReplacement } from '../../application/publishing/samples/change-samples.js';
import { ChoosePreview, SoundOverviews } from '../../application/publishing/samples/previews.js';
import { type UploadOutcome, SampleUploads } from '../../application/publishing/samples/sample-uploads.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { Route, type Call } from '../platform/http/route.js';
import {
  ProblemException,
  refuse,
  setVersion,
  type HttpResponse,
  type Actor,
} from '../platform/http/request.js';
import { invalidRequest } from '../platform/http/validation.js';
import { writerOf } from './creator-packs.controller.js';
import { ReceivedFiles } from './received-files.js';
import { DirectUploads, PART_BYTES } from '../../application/publishing/samples/direct-uploads.js';
import { Encodings } from '../../application/publishing/samples/encodings.js';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import { jsonOf } from '../../application/shared/text.js';
import * as endpoints from '../../application/publishing/endpoints.js';

type Answer = z.infer<typeof OwnSampleAnswer>;
type SampleCall = Call<typeof endpoints.changeSample>;

@Controller()
export class CreatorSamplesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly uploads: SampleUploads,
    private readonly reader: OwnPackQueries,
    private readonly files: ReceivedFiles,
    private readonly overviews: SoundOverviews,
  ) {}

  @Route(endpoints.addSample)
  async add(call: Call<typeof endpoints.addSample>): Promise<Answer> {
    const { actor, expectedVersion, query, request, response } = call;
    const packId = call.params.id;
    await this.assertAdmitted(actor, packId);
    const receiving = { userId: actor.userId, packId, uploadId: query.uploadId };
    const outcome = await this.files.encode(request, receiving, ({ meta }) => ({
      kind: 'new',
      meta: readMeta(meta),
      expectedVersion,
    }));
    return answer(outcome, response);
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
    const receiving = { userId: actor.userId, packId, uploadId };
    const outcome = await this.files.encode(request, receiving, () => ({
      kind: 'recording',
      sampleId,
      expectedVersion,
    }));
    return answer(outcome, response);
  }

  @Route(endpoints.undoReplacement)
  async undoReplacement(call: Call<typeof endpoints.undoReplacement>): Promise<Answer> {
    const outcome = await this.commands.execute(new UndoReplacement(writerOf(call), call.params.sampleId));
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    return this.answerSample(call, outcome.version);
  }

  @Route(endpoints.choosePreview)
  async choosePreview(call: Call<typeof endpoints.choosePreview>): Promise<Answer> {
    const { sampleId } = call.params;
    const outcome = await this.commands.execute(
      new ChoosePreview(writerOf(call), sampleId, call.body.startMs),
    );
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    return this.answerSample(call, outcome.version);
  }

  @Route(endpoints.readOverview)
  async readOverview({ actor, params, refuse }: Call<typeof endpoints.readOverview>) {
    const outcome = await this.overviews.of(actor.userId, params.id, params.sampleId);
    if (!outcome.accepted) return refuse(outcome.rejection);
    return { bars: outcome.bars };
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
    const outcome = await this.files.use(request, writerOf(call), (file) =>
      this.commands.execute(new AttachFile(writerOf(call), params.sampleId, kind, file)),
    );
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.answerSample(call, outcome.version);
  }

  /** Refuses an upload before its body is read, if the pack could accept no file at all. */
  private async assertAdmitted({ userId }: Actor, packId: string, sampleId?: string): Promise<void> {
    const admitted = await this.uploads.admit(userId, packId, sampleId);
    if ('code' in admitted) refuse(admitted);
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

function answer(outcome: UploadOutcome, response: HttpResponse): Answer {
  if (!outcome.accepted) return refuse(outcome.rejection);
  setVersion(response, outcome.version);
  const { sample, version, duplicateOf } = outcome;
  return { sample, version, duplicateOf };
}

/** Parses the `meta` part of an upload: JSON, or an empty object if it is absent. */
function readMeta(text: string | undefined): z.infer<typeof SampleMeta> {
  const json = text ? jsonOf(text) : {};
  if (json === undefined) throw invalidRequest([{ path: ['meta'], message: 'This part must be JSON' }]);
  const parsed = SampleMeta.safeParse(json);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['meta', ...issue.path] })));
}

@Controller()
export class DirectUploadsController {
  constructor(
    private readonly direct: DirectUploads,
    private readonly encodings: Encodings,
    private readonly uploads: SampleUploads,
    private readonly packs: OwnPackQueries,
  ) {}

  @Route(endpoints.beginUpload)
  async begin({ actor, params, body }: Call<typeof endpoints.beginUpload>) {
    const { id: packId, uploadId } = params;
    const { sampleId, ...file } = body;
    const admitted = await this.uploads.admit(actor.userId, packId, sampleId);
    if ('code' in admitted) refuse(admitted);
    if (file.sizeBytes > AUDIO_LIMIT_BYTES)
      throw new ProblemException('AudioTooLarge', { limitBytes: AUDIO_LIMIT_BYTES });
    // The server received this file earlier, but the browser did not get the answer. No parts are missing.
    if (this.direct.hasBucket && (await this.encodings.has({ userId: actor.userId, packId, uploadId })))
      return { parts: { partBytes: PART_BYTES, missing: [] } };
    return { parts: await this.direct.begin({ userId: actor.userId, uploadId }, { packId, ...file }) };
  }

  @Route(endpoints.abortUpload)
  async abort({ actor, params }: Call<typeof endpoints.abortUpload>): Promise<undefined> {
    const { userId } = actor;
    if (!(await this.packs.place(userId, params.id))) return refuse({ code: 'NotFound' });
    await this.direct.forget({ userId, uploadId: params.uploadId });
    return undefined;
  }
}
