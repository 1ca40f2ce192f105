import { Controller, Get, HttpStatus, Param, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { AttachedFiles, type AttachedKind } from '../../application/purchases/attached-files.js';
import { AttachedAnswer, ZipQuery } from '../../application/purchases/contract.js';
import { OwnedOriginals } from '../../application/purchases/owned-originals.js';
import { ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { Id } from '../../application/shared/contract.js';
import { AccessFor, CurrentActor, type Actor } from './access.js';
import { refuse } from './problems.js';
import type { HttpResponse } from './request.js';
import { sendArchive } from './send-archive.js';

/** What comes with ownership: everything at once as an archive, stems, MIDI. Nothing here charges. */
@ApiTags('Downloads')
@Controller('api')
@AccessFor('user')
export class OwnedFilesController {
  constructor(
    private readonly zips: ZipDownloads,
    private readonly attached: AttachedFiles,
    private readonly originals: OwnedOriginals,
  ) {}

  @Get('library/downloads.zip')
  @ApiProduces('application/zip')
  async zip(
    @CurrentActor() actor: Actor,
    @Query({ schema: ZipQuery }) { ids }: z.infer<typeof ZipQuery>,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const result = await this.zips.pack(actor.userId, ids);
    if (!result.ok) return refuse(result.rejection);
    await sendArchive(response, result);
  }

  /** For browsers that fetch a file by themselves, such as when it is dragged to a desktop: they send no body. */
  @Get('downloads/:sampleId/file')
  @ApiResponse({ status: 302, description: 'To the file, for a short time' })
  async file(
    @CurrentActor() actor: Actor,
    @Param('sampleId', { schema: Id }) sampleId: string,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const result = await this.originals.hand(actor.userId, sampleId);
    if (!result.ok) return refuse(result.rejection);
    response.statusCode = HttpStatus.FOUND;
    response.setHeader('Location', result.download.url);
    response.setHeader('Cache-Control', 'private, no-store');
    response.end();
  }

  @Get('downloads/:sampleId/stems')
  @ApiResponse({ status: 200, standardSchema: AttachedAnswer })
  async stems(@CurrentActor() actor: Actor, @Param('sampleId', { schema: Id }) sampleId: string) {
    return this.hand(actor, sampleId, 'stems');
  }

  @Get('downloads/:sampleId/midi')
  @ApiResponse({ status: 200, standardSchema: AttachedAnswer })
  async midi(@CurrentActor() actor: Actor, @Param('sampleId', { schema: Id }) sampleId: string) {
    return this.hand(actor, sampleId, 'midi');
  }

  private async hand(actor: Actor, sampleId: string, kind: AttachedKind): Promise<AttachedAnswer> {
    const result = await this.attached.hand(actor.userId, sampleId, kind);
    return result.ok ? { download: result.download } : refuse(result.rejection);
  }
}
