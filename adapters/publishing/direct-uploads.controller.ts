import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/publishing/endpoints.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { DirectUploads, PART_BYTES } from '../../application/publishing/samples/direct-uploads.js';
import { Encodings } from '../../application/publishing/samples/encodings.js';
import { SampleUploads } from '../../application/publishing/samples/sample-uploads.js';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import { ProblemException, refuse } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

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
    // The browser sent this file before and lost the answer, so no parts are missing.
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
