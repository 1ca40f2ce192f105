import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Covers } from '../../application/publishing/covers.js';
import { SetAiPreference } from '../../application/publishing/creators/set-ai-preference.js';
import { ApplicationPacks } from '../../application/publishing/creators/application-packs.js';
import { ApplicationSounds } from '../../application/publishing/creators/application-sounds.js';
import {
  ApplyAsCreator,
  WithdrawApplication,
} from '../../application/publishing/creators/decide-on-creator.js';
import * as endpoints from '../../application/publishing/endpoints.js';
import { DeletePack } from '../../application/publishing/publish-pack.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { CreatorQueries } from './creator-queries.js';
import { ApprovalTimes } from './postgres-application-packs.js';
import { ReceivedFiles } from './received-files.js';
import { DirectUploads } from '../../application/publishing/samples/direct-uploads.js';
import { SampleUploads } from '../../application/publishing/samples/sample-uploads.js';
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
    private readonly application: ApplicationSounds,
    private readonly applications: ApplicationPacks,
    private readonly files: ReceivedFiles,
    private readonly times: ApprovalTimes,
    private readonly samples: SampleUploads,
  ) {}

  @Route(endpoints.applyAsCreator)
  async apply({ actor, body, refuse }: Call<typeof endpoints.applyAsCreator>) {
    const outcome = await this.commands.execute(new ApplyAsCreator(actor.userId, body));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.creators.state(actor.userId);
  }

  @Route(endpoints.withdrawApplication)
  async withdraw({ actor, refuse }: Call<typeof endpoints.withdrawApplication>) {
    const outcome = await this.commands.execute(new WithdrawApplication(actor.userId));
    if (!outcome.accepted) return refuse({ code: 'NotFound' });
    return this.creators.state(actor.userId);
  }

  @Route(endpoints.readApplicationSounds)
  async applicationSounds({ actor }: Call<typeof endpoints.readApplicationSounds>) {
    return { items: await this.applications.sounds(actor.userId) };
  }

  @Route(endpoints.addApplicationSound)
  async addApplicationSound({ actor, request, refuse }: Call<typeof endpoints.addApplicationSound>) {
    const { userId } = actor;
    const opened = await this.application.open(userId);
    if (!opened.accepted) return refuse(opened.rejection);
    const { packId } = opened;
    // Refuses an upload before its body is read, if the pack could accept no file at all.
    const admitted = await this.samples.admit(userId, packId);
    if ('code' in admitted) return refuse(admitted);
    const outcome = await this.files.encode(request, { userId, packId }, () => ({ kind: 'new', meta: {} }));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return { items: await this.applications.sounds(userId) };
  }

  @Route(endpoints.removeApplicationSound)
  async removeApplicationSound({ actor, params, refuse }: Call<typeof endpoints.removeApplicationSound>) {
    const outcome = await this.application.remove(actor.userId, params.sampleId);
    if (!outcome.accepted) return refuse(outcome.rejection);
    return { items: await this.applications.sounds(actor.userId) };
  }

  @Route(endpoints.readApprovalTime)
  approvalTime() {
    return this.times.median();
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

  @Route(endpoints.readRights)
  rights({ actor }: Call<typeof endpoints.readRights>) {
    return this.creators.rights(actor.userId);
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
