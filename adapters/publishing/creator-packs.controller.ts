import { CommandBus } from '@nestjs/cqrs';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { LibraryQuery } from '../../application/library/contract.js';
import {
  COVER_LIMIT_BYTES,
  DefaultCostBody,
  NewPackBody,
  OrderBody,
  OwnPack,
  OwnPackPage,
  PackInfoBody,
} from '../../application/publishing/contract.js';
import { OwnPackReader } from '../../application/publishing/readers.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { readImageUpload } from '../platform/http/uploads/image-upload.js';
import { IfMatch, setVersion } from '../platform/http/version.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import { RateLimited } from '../platform/http/rate-limits.js';
import type { HttpRequest, HttpResponse } from '../platform/http/request.js';
import type { ProblemCode } from '../../application/shared/problems.js';
import {
  ChangeDefaultCost,
  ChangePackInfo,
  DeletePack,
  DraftPack,
  PublishPack,
  ReorderSamples,
  ReplaceCover,
  UnpublishPack,
} from '../../application/publishing/pack-commands.js';

type Outcome = { accepted: true } | { accepted: false; rejection: { code: ProblemCode } };

/** A creator's own packs. Anybody signed in may draft; publishing needs an approved creator. */
@ApiTags('Creators')
@Controller('api/creator/packs')
@AccessFor('user')
export class CreatorPacksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: OwnPackReader,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: OwnPackPage })
  async list(
    @CurrentActor() actor: Actor,
    @Query({ schema: LibraryQuery }) query: z.infer<typeof LibraryQuery>,
  ): Promise<z.infer<typeof OwnPackPage>> {
    return this.reader.list(actor.userId, query);
  }

  @Post()
  @RateLimited('new-pack')
  @ApiResponse({ status: 201, standardSchema: OwnPack })
  async create(
    @CurrentActor() actor: Actor,
    @Body({ schema: NewPackBody }) body: z.infer<typeof NewPackBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const { packId, outcome } = await this.commands.execute(new DraftPack(actor.userId, body));
    return this.answer(actor, packId, outcome, response);
  }

  /** By id, by its present slug, or by one that it had before: the answer names the present one. */
  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async find(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const pack =
      (await this.reader.find(actor.userId, id)) ?? (await this.reader.findRenamed(actor.userId, id));
    return shown(pack, response);
  }

  @Patch(':id')
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async changeInfo(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Body({ schema: PackInfoBody }) body: z.infer<typeof PackInfoBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const outcome = await this.commands.execute(
      new ChangePackInfo({ userId: actor.userId, packId, expectedVersion }, body),
    );
    return this.answer(actor, packId, outcome, response);
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
  ): Promise<void> {
    const outcome = await this.commands.execute(
      new DeletePack({ userId: actor.userId, packId, expectedVersion }),
    );
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Put(':id/cover')
  @Takes('multipart')
  @RateLimited('picture')
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async replaceCover(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const bytes = await readImageUpload(request, COVER_LIMIT_BYTES);
    const outcome = await this.commands.execute(
      new ReplaceCover({ userId: actor.userId, packId, expectedVersion }, bytes),
    );
    return this.answer(actor, packId, outcome, response);
  }

  @Put(':id/order')
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async reorder(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Body({ schema: OrderBody }) { sampleIds }: z.infer<typeof OrderBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const outcome = await this.commands.execute(
      new ReorderSamples({ userId: actor.userId, packId, expectedVersion }, sampleIds),
    );
    return this.answer(actor, packId, outcome, response);
  }

  @Post(':id/default-cost')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async changeDefaultCost(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Body({ schema: DefaultCostBody }) body: z.infer<typeof DefaultCostBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const writer = { userId: actor.userId, packId, expectedVersion };
    return this.answer(
      actor,
      packId,
      await this.commands.execute(new ChangeDefaultCost(writer, body)),
      response,
    );
  }

  @Post(':id/publish')
  @HttpCode(200)
  @AccessFor('creator')
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async publish(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const outcome = await this.commands.execute(
      new PublishPack({ userId: actor.userId, packId, expectedVersion }),
    );
    return this.answer(actor, packId, outcome, response);
  }

  @Post(':id/unpublish')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: OwnPack })
  async unpublish(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OwnPack> {
    const outcome = await this.commands.execute(
      new UnpublishPack({ userId: actor.userId, packId, expectedVersion }),
    );
    return this.answer(actor, packId, outcome, response);
  }

  /** The pack as it is after a write, with its version for the next one. */
  private async answer(
    actor: Actor,
    packId: string,
    outcome: Outcome,
    response: HttpResponse,
  ): Promise<OwnPack> {
    if (!outcome.accepted) return refuse(outcome.rejection);
    return shown(await this.reader.find(actor.userId, packId), response);
  }
}

function shown(pack: OwnPack | undefined, response: HttpResponse): OwnPack {
  if (!pack) throw new ProblemException('NotFound');
  setVersion(response, pack.version);
  return pack;
}
