import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  Sample,
  SamplePage,
  SamplesQuery,
  SimilarSamples,
  Suggestions,
  SuggestionsQuery,
  SwipeQuery,
  SwipeSamples,
} from '../../application/catalogue/contract.js';
import { SampleReader, Takedowns } from '../../application/catalogue/readers.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException } from '../platform/http/problems.js';

/** Samples of published packs: for everybody; signed-in listeners also learn what they saved and own. */
@ApiTags('Catalogue')
@Controller('api')
@AccessFor('public')
export class SamplesController {
  constructor(
    private readonly samples: SampleReader,
    private readonly takedowns: Takedowns,
  ) {}

  @Get('samples')
  @ApiResponse({ status: 200, standardSchema: SamplePage })
  async search(
    @Query({ schema: SamplesQuery }) query: z.infer<typeof SamplesQuery>,
    @CurrentActor() actor: Actor | undefined,
  ): Promise<SamplePage> {
    return this.samples.search(query, actor?.userId);
  }

  @Get('samples/:id')
  @ApiResponse({ status: 200, standardSchema: Sample })
  async sample(@Param('id') id: string, @CurrentActor() actor: Actor | undefined): Promise<Sample> {
    const [sample] = await this.samples.byIds([id], actor?.userId);
    if (!sample) throw await this.missing(id);
    return sample;
  }

  @Get('samples/:id/similar')
  @ApiResponse({ status: 200, standardSchema: SimilarSamples })
  async similar(@Param('id') id: string, @CurrentActor() actor: Actor | undefined): Promise<SimilarSamples> {
    const similar = await this.samples.similar(id, actor?.userId);
    if (!similar) throw await this.missing(id);
    return similar;
  }

  @Get('search/suggestions')
  @ApiResponse({ status: 200, standardSchema: Suggestions })
  async suggestions(
    @Query({ schema: SuggestionsQuery }) { q }: z.infer<typeof SuggestionsQuery>,
  ): Promise<Suggestions> {
    return this.samples.suggestions(q);
  }

  @Get('swipe')
  @ApiResponse({ status: 200, standardSchema: SwipeSamples })
  async swipe(
    @Query({ schema: SwipeQuery }) query: z.infer<typeof SwipeQuery>,
    @CurrentActor() actor: Actor | undefined,
  ): Promise<SwipeSamples> {
    return { items: await this.samples.swipe(query, actor?.userId) };
  }

  private async missing(id: string): Promise<ProblemException> {
    return new ProblemException((await this.takedowns.hasSample(id)) ? 'TakenDown' : 'SampleNotAvailable');
  }
}
