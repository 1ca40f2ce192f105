import { Controller } from '@nestjs/common';
import { exportPack } from '../../application/publishing/endpoints.js';
import { ExportPack } from '../../application/publishing/export-pack.js';
import { Route, type Call } from '../platform/http/route.js';
import { sendArchive } from '../platform/http/files/send-archive.js';

/** Exports a creator's pack as a folder that the importer accepts. */
@Controller()
export class CreatorExportController {
  constructor(private readonly packs: ExportPack) {}

  @Route(exportPack)
  async export({ actor, params, response, refuse }: Call<typeof exportPack>): Promise<void> {
    const outcome = await this.packs.archive(actor.userId, params.id);
    if (!outcome.accepted) return refuse(outcome.rejection);
    await sendArchive(response, outcome);
  }
}
