import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { FeaturedCollections } from '../../application/catalogue/featured-collections.js';
import {
  CatalogueVersionQueries,
  CollectionQueries,
  PackQueries,
  SampleQueries,
  SiteAddressQueries,
  TakedownQueries,
} from '../../application/catalogue/queries.js';
import { ListedSampleQueries } from '../../application/library/queries.js';
import { ClientBuild } from '../platform/pages/client-build.js';
import { KnownVersion } from '../platform/pages/known-version.js';
import { ResponseCache } from '../platform/pages/response-cache.js';
import { ServerRendering } from '../platform/pages/server-rendering.js';
import { VisitorAnswers } from '../platform/pages/visitor-answers.js';
import { PostgresCatalogueVersionQueries } from './catalogue-version.js';
import { CatalogueController } from './catalogue.controller.js';
import { PostgresCollectionQueries } from './collection-queries.js';
import { FeaturedCollectionsController } from './featured-collections.controller.js';
import { PostgresListedSampleQueries } from './listed-samples.js';
import { PostgresPackQueries } from './pack-queries.js';
import { PostgresFeaturedCollections } from './postgres-featured-collections.js';
import { PostgresTakedownQueries } from './postgres-takedowns.js';
import { PostgresSampleQueries } from './sample-queries.js';
import { SamplesController } from './samples.controller.js';
import { SiteController } from './site.controller.js';
import { PostgresSiteAddressQueries } from './site-addresses.js';

/** Global: lists of saved and downloaded samples show catalogue cards. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [CatalogueController, FeaturedCollectionsController, SamplesController, SiteController],
  providers: [
    ClientBuild,
    KnownVersion,
    ResponseCache,
    ServerRendering,
    VisitorAnswers,
    { provide: CatalogueVersionQueries, useClass: PostgresCatalogueVersionQueries },
    { provide: CollectionQueries, useClass: PostgresCollectionQueries },
    { provide: SiteAddressQueries, useClass: PostgresSiteAddressQueries },
    { provide: FeaturedCollections, useClass: PostgresFeaturedCollections },
    { provide: ListedSampleQueries, useClass: PostgresListedSampleQueries },
    { provide: PackQueries, useClass: PostgresPackQueries },
    { provide: SampleQueries, useClass: PostgresSampleQueries },
    { provide: TakedownQueries, useClass: PostgresTakedownQueries },
  ],
  exports: [CollectionQueries, ListedSampleQueries, PackQueries, ResponseCache, SampleQueries],
})
export class CatalogueModule {}
