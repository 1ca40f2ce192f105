import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  CreatorState,
  DeletePackBody,
  ImagesCleanedUp,
  UploadProgress,
} from '../../application/publishing/contract.js';
import { Covers } from '../../application/publishing/covers.js';
import { ApplyAsCreator } from '../../application/publishing/creator-commands.js';
import { CreatorReader, OwnPackReader } from '../../application/publishing/readers.js';
import { UploadBoard, type UploadState } from '../../application/publishing/upload-progress.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import { DeletePack } from '../../application/publishing/pack-commands.js';

/** Becoming a creator, and what does not belong to one pack. */
@ApiTags('Creators')
@Controller('api')
@AccessFor('user')
export class CreatorController {
  constructor(
    private readonly commands: CommandBus,
    private readonly creatorReader: CreatorReader,
    private readonly packReader: OwnPackReader,
    private readonly uploads: UploadBoard,
    private readonly covers: Covers,
  ) {}

  @Post('creator/application')
  @ApiResponse({ status: 201, standardSchema: CreatorState })
  async apply(@CurrentActor() actor: Actor): Promise<CreatorState> {
    const outcome = await this.commands.execute(new ApplyAsCreator(actor.userId));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.creatorReader.state(actor.userId);
  }

  @Get('creator')
  @ApiResponse({ status: 200, standardSchema: CreatorState })
  async state(@CurrentActor() actor: Actor): Promise<CreatorState> {
    return this.creatorReader.state(actor.userId);
  }

  @Get('creator/uploads/:uploadId')
  @ApiResponse({ status: 200, standardSchema: UploadProgress })
  upload(@CurrentActor() actor: Actor, @Param('uploadId') uploadId: string): UploadState {
    const state = this.uploads.find(uploadId, actor.userId);
    if (!state) throw new ProblemException('NotFound');
    return state;
  }

  /** Removes the caller's own pack images that nothing shows any more. */
  @Post('storage/cleanup-images')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: ImagesCleanedUp })
  async cleanUpImages(@CurrentActor() actor: Actor): Promise<z.infer<typeof ImagesCleanedUp>> {
    return { success: true, removed: await this.covers.removeUnused(actor.userId) };
  }

  /** The call older clients make: what it says about whose pack it is must agree with the session. */
  @Delete('packs')
  @HttpCode(200)
  async deleteBySlug(
    @CurrentActor() actor: Actor,
    @Body({ schema: DeletePackBody }) { slug, userId, userFolder }: z.infer<typeof DeletePackBody>,
  ): Promise<{ success: true }> {
    const error = 'Failed to delete pack';
    if (userId !== actor.userId) throw new ProblemException('NotAllowed', { error });
    const pack = await this.packReader.find(actor.userId, slug);
    const place = pack && (await this.packReader.place(actor.userId, pack.id));
    if (!place) throw new ProblemException('NotFound', { error });
    const folders = [place.creatorFolder, pack.creatorHandle].map((folder) => folder.toLowerCase());
    const named = userFolder.replace(/^\/+|\/+$/g, '').replace(/^Users\//i, '');
    if (!folders.includes(named.toLowerCase())) throw new ProblemException('NotAllowed', { error });
    const outcome = await this.commands.execute(new DeletePack({ userId: actor.userId, packId: pack.id }));
    if (!outcome.accepted) return refuse({ ...outcome.rejection, error });
    return { success: true };
  }
}
