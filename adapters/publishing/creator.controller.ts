import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Covers } from '../../application/publishing/covers.js';
import { SetAiPreference } from '../../application/publishing/creators/set-ai-preference.js';
import { ApplyAsCreator } from '../../application/publishing/creators/decide-on-creator.js';
import * as endpoints from '../../application/publishing/endpoints.js';
import { DeletePack } from '../../application/publishing/publish-pack.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { CreatorQueries } from './creator-queries.js';
import { DirectUploads } from '../../application/publishing/samples/direct-uploads.js';
import { UploadBoard } from '../../application/publishing/samples/upload-progress.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class CreatorController {
  constructor(
    private readonly commands: CommandBus,
    private readonly creators: CreatorQueries,
    private readonly packs: OwnPackQueries,
    private readonly uploads: UploadBoard,
    private readonly direct: DirectUploads,
    private readonly covers: Covers,
  ) {}

  @Route(endpoints.applyAsCreator)
  async apply({ actor, body, refuse }: Call<typeof endpoints.applyAsCreator>) {
    const outcome = await this.commands.execute(new ApplyAsCreator(actor.userId, body));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.creators.state(actor.userId);
  }

  @Route(endpoints.readCreatorState)
  state({ actor }: Call<typeof endpoints.readCreatorState>) {
    return this.creators.state(actor.userId);
  }

  @Route(endpoints.readAiPreference)
  async aiPreference({ actor }: Call<typeof endpoints.readAiPreference>) {
    return { trains: await this.creators.allowsTraining(actor.userId) };
  }

  @Route(endpoints.setAiPreference)
  async setAiPreference({ actor, body, refuse }: Call<typeof endpoints.setAiPreference>) {
    const outcome = await this.commands.execute(new SetAiPreference(actor.userId, body.trains));
    return outcome.accepted ? { trains: outcome.trains } : refuse(outcome.rejection);
  }

  @Route(endpoints.readUpload)
  async upload({ actor, params, refuse }: Call<typeof endpoints.readUpload>) {
    const { userId } = actor;
    const known = await this.uploads.find(params.uploadId, userId);
    if (known && known.phase !== 'receiving') return known;
    // A direct upload bypasses the nodes, so only the bucket knows how much of it has arrived.
    return (
      (await this.direct.progress({ userId, uploadId: params.uploadId })) ??
      known ??
      refuse({ code: 'NotFound' })
    );
  }

  @Route(endpoints.cleanUpImages)
  async cleanUpImages({ actor }: Call<typeof endpoints.cleanUpImages>) {
    return { success: true as const, removed: await this.covers.removeUnused(actor.userId) };
  }

  @Route(endpoints.deletePackBySlug)
  async deleteBySlug({ actor, body, refuse }: Call<typeof endpoints.deletePackBySlug>) {
    const { slug, userId, userFolder } = body;
    const error = 'Failed to delete pack';
    if (userId !== actor.userId) return refuse({ code: 'NotAllowed', error });
    const pack = await this.packs.find(actor.userId, slug);
    const place = pack && (await this.packs.place(actor.userId, pack.id));
    if (!place) return refuse({ code: 'NotFound', error });
    const folders = [place.creatorFolder, pack.creatorHandle].map((folder) => folder.toLowerCase());
    const named = userFolder.replace(/^\/+|\/+$/g, '').replace(/^Users\//i, '');
    if (!folders.includes(named.toLowerCase())) return refuse({ code: 'NotAllowed', error });
    const outcome = await this.commands.execute(new DeletePack({ userId: actor.userId, packId: pack.id }));
    if (!outcome.accepted) return refuse({ ...outcome.rejection, error });
    return { success: true as const };
  }
}
