import { Controller } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { IMAGE_LIMIT_BYTES } from '../../application/media/values.js';
import * as endpoints from '../../application/publishing/endpoints.js';
import {
  ChangeDefaultCost,
  ReorderSamples,
  ChangePackInfo,
  DraftPack,
  PricePack,
  ReplaceCover,
} from '../../application/publishing/change-pack.js';
import {
  CancelRelease,
  DeletePack,
  PublishPack,
  ScheduleRelease,
  UnpublishPack,
  type OfferRefusal,
} from '../../application/publishing/publish-pack.js';
import type { PackOutcome, PackWriter } from '../../application/publishing/packs.js';
import { ExportPack } from '../../application/publishing/export-pack.js';
import { SaveSampleFacts } from '../../application/publishing/samples/change-samples.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { sendArchive } from '../platform/http/files.js';
import { readImageUpload } from '../platform/http/uploads.js';
import { Route, type Call } from '../platform/http/route.js';
import { setVersion } from '../platform/http/request.js';

type WriteCall = Pick<
  Call<typeof endpoints.publishPack>,
  'actor' | 'params' | 'expectedVersion' | 'response' | 'refuse'
>;

/** A creator's own packs. Every signed-in user may create drafts; only approved creators may upload and publish. */
@Controller()
export class CreatorPacksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: OwnPackQueries,
    private readonly folders: ExportPack,
  ) {}

  @Route(endpoints.listOwnPacks)
  list({ actor, query }: Call<typeof endpoints.listOwnPacks>) {
    return this.reader.list(actor.userId, query);
  }

  @Route(endpoints.createPack)
  async create(call: Call<typeof endpoints.createPack>) {
    const outcome = await this.commands.execute(new DraftPack(call.actor.userId, call.body));
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    return this.shown({ ...call, params: { id: outcome.packId } });
  }

  @Route(endpoints.readOwnPack)
  async find({ actor, params: { id }, response, refuse }: Call<typeof endpoints.readOwnPack>) {
    const pack =
      (await this.reader.find(actor.userId, id)) ?? (await this.reader.findRenamed(actor.userId, id));
    if (!pack) return refuse({ code: 'NotFound' });
    setVersion(response, pack.version);
    return pack;
  }

  @Route(endpoints.changePack)
  async changeInfo(call: Call<typeof endpoints.changePack>) {
    return this.write(call, new ChangePackInfo(writerOf(call), call.body));
  }

  @Route(endpoints.deletePack)
  async delete(call: Call<typeof endpoints.deletePack>): Promise<void> {
    const outcome = await this.commands.execute(new DeletePack(writerOf(call)));
    if (!outcome.accepted) call.refuse(outcome.rejection);
  }

  @Route(endpoints.replaceCover)
  async replaceCover(call: Call<typeof endpoints.replaceCover>) {
    const bytes = await readImageUpload(call.request, IMAGE_LIMIT_BYTES);
    const outcome = await this.commands.execute(new ReplaceCover(writerOf(call), bytes));
    return outcome.accepted ? this.shown(call) : call.refuse(outcome.rejection);
  }

  @Route(endpoints.orderSamples)
  async reorder(call: Call<typeof endpoints.orderSamples>) {
    return this.write(call, new ReorderSamples(writerOf(call), call.body.sampleIds));
  }

  @Route(endpoints.changeDefaultCost)
  async changeDefaultCost(call: Call<typeof endpoints.changeDefaultCost>) {
    return this.write(call, new ChangeDefaultCost(writerOf(call), call.body));
  }

  @Route(endpoints.pricePack)
  async price(call: Call<typeof endpoints.pricePack>) {
    return this.write(call, new PricePack(writerOf(call), call.body.credits));
  }

  @Route(endpoints.changeSamples)
  async changeSamples(call: Call<typeof endpoints.changeSamples>) {
    const outcome = await this.commands.execute(new SaveSampleFacts(writerOf(call), call.body.changes));
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    return { pack: await this.shown(call), savedIds: outcome.savedIds, refused: outcome.refused };
  }

  @Route(endpoints.exportPack)
  async export({ actor, params, response, refuse }: Call<typeof endpoints.exportPack>): Promise<void> {
    const outcome = await this.folders.archive(actor.userId, params.id);
    if (!outcome.accepted) return refuse(outcome.rejection);
    await sendArchive(response, outcome);
  }

  @Route(endpoints.publishPack)
  async publish(call: Call<typeof endpoints.publishPack>) {
    return this.write(call, new PublishPack(writerOf(call)));
  }

  @Route(endpoints.scheduleRelease)
  async schedule(call: Call<typeof endpoints.scheduleRelease>) {
    return this.write(call, new ScheduleRelease(writerOf(call), call.body.releaseAt));
  }

  @Route(endpoints.cancelRelease)
  async cancelRelease(call: Call<typeof endpoints.cancelRelease>) {
    return this.write(call, new CancelRelease(writerOf(call)));
  }

  @Route(endpoints.linkPreview)
  async linkPreview({ actor, params, refuse }: Call<typeof endpoints.linkPreview>) {
    const token = await this.reader.previewLink(actor.userId, params.id);
    return token === undefined ? refuse({ code: 'NotFound' }) : { token };
  }

  @Route(endpoints.endPreviewLink)
  async endPreviewLink({ actor, params, refuse }: Call<typeof endpoints.endPreviewLink>) {
    if (!(await this.reader.endPreviewLink(actor.userId, params.id))) refuse({ code: 'NotFound' });
  }

  @Route(endpoints.unpublishPack)
  async unpublish(call: Call<typeof endpoints.unpublishPack>) {
    return this.write(call, new UnpublishPack(writerOf(call)));
  }

  private async write(call: WriteCall, command: Command<PackOutcome<OfferRefusal>>) {
    const outcome = await this.commands.execute(command);
    return outcome.accepted ? this.shown(call) : call.refuse(outcome.rejection);
  }

  private async shown({ actor, params, response, refuse }: WriteCall) {
    const pack = await this.reader.find(actor.userId, params.id);
    if (!pack) return refuse({ code: 'NotFound' });
    setVersion(response, pack.version);
    return pack;
  }
}

export const writerOf = ({
  actor,
  params,
  expectedVersion,
}: Pick<WriteCall, 'actor' | 'params' | 'expectedVersion'>): PackWriter => ({
  userId: actor.userId,
  packId: params.id,
  expectedVersion,
});
