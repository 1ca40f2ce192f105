import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { FeaturedCollections, CollectionQueries } from './collection-queries.js';
import { PackQueries } from './pack-queries.js';
import { SampleQueries } from './sample-queries.js';
import { SiteAddressQueries } from './site-addresses.js';
import { TakedownQueries } from './takedown-queries.js';
import { CatalogueVersionQueries } from '../../application/catalogue/queries.js';
import { Reach } from '../../application/library/reach.js';
import { ListedSampleQueries } from '../../application/library/queries.js';
import { ClientBuild } from '../platform/pages/client-build.js';
import { KnownVersion } from '../platform/pages/known-version.js';
import { ResponseCache } from '../platform/pages/response-cache.js';
import { ServerRendering, VisitorAnswers } from '../platform/pages/server-rendering.js';
import { PostgresCatalogueVersionQueries } from './postgres-catalogue-version.js';
import { CatalogueController } from './catalogue.controller.js';
import { EmbedsController } from './embeds.controller.js';
import { FeedsController } from './feeds.controller.js';
import { FeaturedCollectionsController } from './featured-collections.controller.js';
import { PostgresListedSampleQueries } from './postgres-listed-samples.js';
import { PostgresReach } from './postgres-reach.js';
import { SamplesController } from './samples.controller.js';
import { SiteController } from './site.controller.js';

/** Global, because lists of saved and downloaded samples in other modules show entries of the catalogue. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [
    CatalogueController,
    EmbedsController,
    FeaturedCollectionsController,
    FeedsController,
    SamplesController,
    SiteController,
  ],
  providers: [
    ClientBuild,
    KnownVersion,
    ResponseCache,
    ServerRendering,
    VisitorAnswers,
    { provide: CatalogueVersionQueries, useClass: PostgresCatalogueVersionQueries },
    CollectionQueries,
    SiteAddressQueries,
    FeaturedCollections,
    { provide: ListedSampleQueries, useClass: PostgresListedSampleQueries },
    PackQueries,
    PostgresReach,
    { provide: Reach, useExisting: PostgresReach },
    SampleQueries,
    TakedownQueries,
  ],
  exports: [ListedSampleQueries, Reach],
})
export class CatalogueModule {}
