import { Body, Controller, Get, HttpStatus, Param, Post, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { AttachedFiles, type AttachedKind } from '../../application/purchases/attached-files.js';
import { ArchiveTickets } from '../../application/purchases/archive-tickets.js';
import {
  ArchiveAnswer,
  ArchiveBody,
  ArchiveStatus,
  AttachedAnswer,
  ZipQuery,
} from '../../application/purchases/contract.js';
import { OwnedOriginals } from '../../application/purchases/owned-originals.js';
import { ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { Id } from '../../application/shared/contract.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';
import { sendArchive } from '../platform/http/send-archive.js';

/** What comes with ownership: everything at once as an archive, stems, MIDI. Nothing here charges. */
@ApiTags('Downloads')
@Controller('api')
@AccessFor('user')
export class OwnedFilesController {
  constructor(
    private readonly zips: ZipDownloads,
    private readonly archives: ArchiveTickets,
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

  /** Any number of samples: what will be missing is known before the browser fetches the archive. */
  @Post('library/archives')
  @ApiResponse({ status: 201, standardSchema: ArchiveAnswer })
  async issue(
    @CurrentActor() actor: Actor,
    @Body({ schema: ArchiveBody }) { sampleIds, name }: z.infer<typeof ArchiveBody>,
  ): Promise<ArchiveAnswer> {
    const result = await this.archives.issue(actor.userId, sampleIds, name);
    return result.ok ? result.answer : refuse(result.rejection);
  }

  @Get('library/archives/:id.zip')
  @ApiProduces('application/zip')
  async archive(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: Id }) id: string,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const result = await this.archives.open(actor.userId, id);
    if (!result) throw new ProblemException('NotFound');
    if (!result.ok) return refuse(result.rejection);
    await this.archives.close(id, await sendArchive(response, result));
  }

  @Get('library/archives/:id')
  @ApiResponse({ status: 200, standardSchema: ArchiveStatus })
  async archiveStatus(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: Id }) id: string,
  ): Promise<ArchiveStatus> {
    const status = await this.archives.status(actor.userId, id);
    if (!status) throw new ProblemException('NotFound');
    return status;
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
