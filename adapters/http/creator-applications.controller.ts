import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  CreatorApplicationPage,
  CreatorApplicationsQuery,
  CreatorState,
  ReasonBody,
} from '../../application/publishing/contract.js';
import { Creators, type StandingOutcome } from '../../application/publishing/creators.js';
import { CreatorReader } from '../../application/publishing/readers.js';
import { AccessFor, CurrentActor, type Actor } from './access.js';
import { refuse } from './problems.js';

/** Who may publish, as admins decide it. */
@ApiTags('Administration')
@Controller('api/admin')
@AccessFor('admin')
export class CreatorApplicationsController {
  constructor(
    private readonly creators: Creators,
    private readonly reader: CreatorReader,
  ) {}

  @Get('creator-applications')
  @ApiResponse({ status: 200, standardSchema: CreatorApplicationPage })
  async list(
    @Query({ schema: CreatorApplicationsQuery }) query: z.infer<typeof CreatorApplicationsQuery>,
  ): Promise<CreatorApplicationPage> {
    return this.reader.applications(query);
  }

  @Post('creator-applications/:id/approve')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: CreatorState })
  async approve(@CurrentActor() actor: Actor, @Param('id') userId: string): Promise<CreatorState> {
    return this.answer(userId, await this.creators.approve(userId, actor.userId));
  }

  @Post('creator-applications/:id/decline')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: CreatorState })
  async decline(
    @CurrentActor() actor: Actor,
    @Param('id') userId: string,
    @Body({ schema: ReasonBody }) { reason }: z.infer<typeof ReasonBody>,
  ): Promise<CreatorState> {
    return this.answer(userId, await this.creators.decline(userId, actor.userId, reason));
  }

  @Post('creators/:id/suspend')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: CreatorState })
  async suspend(
    @CurrentActor() actor: Actor,
    @Param('id') userId: string,
    @Body({ schema: ReasonBody }) { reason }: z.infer<typeof ReasonBody>,
  ): Promise<CreatorState> {
    return this.answer(userId, await this.creators.suspend(userId, actor.userId, reason));
  }

  @Post('creators/:id/reinstate')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: CreatorState })
  async reinstate(@CurrentActor() actor: Actor, @Param('id') userId: string): Promise<CreatorState> {
    return this.answer(userId, await this.creators.reinstate(userId, actor.userId));
  }

  private async answer(userId: string, outcome: StandingOutcome): Promise<CreatorState> {
    if (!outcome.accepted) return refuse(outcome.rejection);
    return this.reader.state(userId);
  }
}
