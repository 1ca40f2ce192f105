import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  Collection,
  CollectionPage,
  CollectionsQuery,
  CreatorProfile,
  DiscoverPage,
  HomePage,
  PackDetail,
  PackPage,
  PacksQuery,
  SoundsPage,
} from '../../application/catalogue/contract.js';
import {
  CollectionReader,
  PackReader,
  Takedowns,
  type Addressed,
} from '../../application/catalogue/readers.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';

/** Published packs and the pages made of them: for everybody. */
@ApiTags('Catalogue')
@Controller('api')
@AccessFor('public')
export class CatalogueController {
  constructor(
    private readonly packs: PackReader,
    private readonly collections: CollectionReader,
    private readonly takedowns: Takedowns,
  ) {}

  @Get('packs')
  @ApiResponse({ status: 200, standardSchema: PackPage })
  async listPacks(@Query({ schema: PacksQuery }) query: z.infer<typeof PacksQuery>): Promise<PackPage> {
    return this.packs.list(query);
  }

  /** A former handle or slug answers 301 with the address now, a pack that was taken down 410. */
  @Get('packs/:handle/:slug')
  @ApiResponse({ status: 200, standardSchema: PackDetail })
  async pack(
    @Param('handle') handle: string,
    @Param('slug') slug: string,
    @CurrentActor() actor: Actor | undefined,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<PackDetail | { redirect: string }> {
    const found = await this.packs.byAddress(handle, slug, actor?.userId);
    if (found.kind === 'absent' && (await this.takedowns.hasPack(handle, slug)))
      throw new ProblemException('TakenDown');
    return pageOrRedirect(found, response, (to) => ['packs', to.handle, to.slug]);
  }

  @Get('creators/:handle')
  @ApiResponse({ status: 200, standardSchema: CreatorProfile })
  async creator(
    @Param('handle') handle: string,
    @CurrentActor() actor: Actor | undefined,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<CreatorProfile | { redirect: string }> {
    const found = await this.packs.creator(handle, actor?.userId);
    return pageOrRedirect(found, response, (to) => ['creators', to.handle]);
  }

  @Get('home')
  @ApiResponse({ status: 200, standardSchema: HomePage })
  async home(): Promise<HomePage> {
    return this.packs.home();
  }

  @Get('sounds')
  @ApiResponse({ status: 200, standardSchema: SoundsPage })
  async sounds(): Promise<SoundsPage> {
    return this.packs.sounds();
  }

  @Get('discover')
  @ApiResponse({ status: 200, standardSchema: DiscoverPage })
  async discover(@CurrentActor() actor: Actor | undefined): Promise<DiscoverPage> {
    return this.packs.discover(actor?.userId);
  }

  @Get('collections')
  @ApiResponse({ status: 200, standardSchema: CollectionPage })
  async listCollections(
    @Query({ schema: CollectionsQuery }) query: z.infer<typeof CollectionsQuery>,
  ): Promise<CollectionPage> {
    return this.collections.list(query);
  }

  @Get('collections/:slug')
  @ApiResponse({ status: 200, standardSchema: Collection })
  async collection(@Param('slug') slug: string): Promise<Collection> {
    const collection = await this.collections.bySlug(slug);
    if (!collection) throw new ProblemException('NotFound');
    return collection;
  }
}

function pageOrRedirect<Page, Address>(
  found: Addressed<Page, Address>,
  response: HttpResponse,
  pathTo: (address: Address) => string[],
): Page | { redirect: string } {
  if (found.kind === 'absent') throw new ProblemException('NotFound');
  if (found.kind === 'found') return found.page;
  const redirect = `/api/${pathTo(found.to).map(encodeURIComponent).join('/')}`;
  response.statusCode = 301;
  response.setHeader('Location', redirect);
  return { redirect };
}
