import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/catalogue/endpoints.js';
import { type Addressed } from '../../application/catalogue/queries.js';
import { CollectionQueries } from './collection-queries.js';
import { PackQueries } from './pack-queries.js';
import { TakedownQueries, takedownDetail } from './takedown-queries.js';
import { ProblemException, type HttpResponse } from '../platform/http/request.js';
import { markTraining } from '../platform/http/middleware.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class CatalogueController {
  constructor(
    private readonly packs: PackQueries,
    private readonly collections: CollectionQueries,
    private readonly takedowns: TakedownQueries,
    private readonly address: PublicAddress,
  ) {}

  @Route(endpoints.listPacks)
  listPacks({ query }: Call<typeof endpoints.listPacks>) {
    return this.packs.list(query);
  }

  @Route(endpoints.readPack)
  async pack({ actor, params, response, refuse }: Call<typeof endpoints.readPack>) {
    const { handle, slug } = params;
    const found = await this.packs.byAddress(handle, slug, actor?.userId);
    const takedown = found.kind === 'absent' && (await this.takedowns.ofPack(handle, slug));
    if (takedown) return refuse({ code: 'TakenDown', ...takedownDetail(takedown) });
    if (found.kind === 'found') this.mark(response, found.page.creator.aiTraining);
    return pageOrRedirect(found, response, (to) => ['packs', to.handle, to.slug]);
  }

  @Route(endpoints.readUnreleasedPack)
  async preview({ params, refuse }: Call<typeof endpoints.readUnreleasedPack>) {
    return (await this.packs.byPreviewLink(params.token)) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.readCreator)
  async creator({ actor, params, response }: Call<typeof endpoints.readCreator>) {
    const found = await this.packs.creator(params.handle, actor?.userId);
    if (found.kind === 'found') this.mark(response, found.page.aiTraining);
    return pageOrRedirect(found, response, (to) => ['creators', to.handle]);
  }

  private mark(response: HttpResponse, trains: boolean): void {
    markTraining(response, this.address.url, trains);
  }

  @Route(endpoints.readHome)
  home() {
    return this.packs.home();
  }

  @Route(endpoints.readSounds)
  sounds() {
    return this.packs.sounds();
  }

  @Route(endpoints.readDiscover)
  discover({ actor }: Call<typeof endpoints.readDiscover>) {
    return this.packs.discover(actor?.userId);
  }

  @Route(endpoints.listCollections)
  listCollections({ query }: Call<typeof endpoints.listCollections>) {
    return this.collections.list(query);
  }

  @Route(endpoints.readCollection)
  async collection({ params, refuse }: Call<typeof endpoints.readCollection>) {
    return (await this.collections.bySlug(params.slug)) ?? refuse({ code: 'NotFound' });
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
