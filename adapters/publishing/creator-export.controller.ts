import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import { ExportPack } from '../../application/publishing/export-pack.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';
import { sendArchive } from '../platform/http/send-archive.js';

/** A creator takes a pack of theirs away: the folder that the importer takes. */
@ApiTags('Creators')
@Controller('api/creator/packs')
@AccessFor('user')
export class CreatorExportController {
  constructor(private readonly packs: ExportPack) {}

  @Get(':id/export.zip')
  @ApiProduces('application/zip')
  async export(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const outcome = await this.packs.archive(actor.userId, packId);
    if (!outcome.ok) return refuse(outcome.rejection);
    await sendArchive(response, outcome);
  }
}
