import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { FeaturedSlugs } from '../../application/catalogue/contract.js';
import { FeaturedCollections } from '../../application/catalogue/featured-collections.js';
import { CollectionReader } from '../../application/catalogue/readers.js';
import { Clock } from '../../application/shared/clock.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { invalidRequest } from '../platform/http/validation.js';

/** Which collections the Sounds page puts forward. */
@ApiTags('Administration')
@Controller('api/admin/featured-collections')
@AccessFor('admin')
export class FeaturedCollectionsController {
  constructor(
    private readonly featured: FeaturedCollections,
    private readonly collections: CollectionReader,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: FeaturedSlugs })
  async read(): Promise<FeaturedSlugs> {
    return { slugs: await this.featured.slugs() };
  }

  /** All of them or none: each has to be a collection that is there. */
  @Put()
  @ApiResponse({ status: 200, standardSchema: FeaturedSlugs })
  async choose(
    @CurrentActor() admin: Actor,
    @Body({ schema: FeaturedSlugs }) { slugs }: FeaturedSlugs,
  ): Promise<FeaturedSlugs> {
    const chosen = [...new Set(slugs)];
    const known = await Promise.all(chosen.map((slug) => this.collections.bySlug(slug)));
    const unknown = known.flatMap((collection, at) => (collection ? [] : [at]));
    if (unknown.length > 0)
      throw invalidRequest(
        unknown.map((at) => ({ path: ['slugs', at], message: `There is no collection ${chosen[at]}` })),
      );
    await this.featured.choose(chosen, admin.userId, this.clock.now());
    return { slugs: chosen };
  }
}
