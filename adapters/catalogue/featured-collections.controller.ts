import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/catalogue/endpoints.js';
import { FeaturedCollections, CollectionQueries } from './collection-queries.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';
import { invalidRequest } from '../platform/http/validation.js';

@Controller()
export class FeaturedCollectionsController {
  constructor(
    private readonly featured: FeaturedCollections,
    private readonly collections: CollectionQueries,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listFeatured)
  async read() {
    return { slugs: await this.featured.slugs() };
  }

  @Route(endpoints.chooseFeatured)
  async choose({ actor: admin, body: { slugs } }: Call<typeof endpoints.chooseFeatured>) {
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
