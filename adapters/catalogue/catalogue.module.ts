import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { FeaturedCollections } from '../../application/catalogue/featured-collections.js';
import {
  CatalogueVersion,
  CollectionReader,
  PackReader,
  SampleReader,
  SiteAddresses,
  Takedowns,
} from '../../application/catalogue/readers.js';
import { ListedSamples } from '../../application/library/readers.js';
import { ClientBuild } from '../platform/pages/client-build.js';
import { ResponseCache } from '../platform/pages/response-cache.js';
import { ServerRendering } from '../platform/pages/server-rendering.js';
import { VisitorAnswers } from '../platform/pages/visitor-answers.js';
import { PostgresCatalogueVersion } from './catalogue-version.js';
import { CatalogueController } from './catalogue.controller.js';
import { PostgresCollectionReader } from './collection-reader.js';
import { FeaturedCollectionsController } from './featured-collections.controller.js';
import { PostgresListedSamples } from './listed-samples.js';
import { PostgresPackReader } from './pack-reader.js';
import { PostgresFeaturedCollections } from './postgres-featured-collections.js';
import { PostgresTakedowns } from './postgres-takedowns.js';
import { PostgresSampleReader } from './sample-reader.js';
import { SamplesController } from './samples.controller.js';
import { SiteController } from './site.controller.js';
import { PostgresSiteAddresses } from './site-addresses.js';

/** Global: saved and downloaded things show the sample they name. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [CatalogueController, FeaturedCollectionsController, SamplesController, SiteController],
  providers: [
    ClientBuild,
    ResponseCache,
    ServerRendering,
    VisitorAnswers,
    { provide: CatalogueVersion, useClass: PostgresCatalogueVersion },
    { provide: CollectionReader, useClass: PostgresCollectionReader },
    { provide: SiteAddresses, useClass: PostgresSiteAddresses },
    { provide: FeaturedCollections, useClass: PostgresFeaturedCollections },
    { provide: ListedSamples, useClass: PostgresListedSamples },
    { provide: PackReader, useClass: PostgresPackReader },
    { provide: SampleReader, useClass: PostgresSampleReader },
    { provide: Takedowns, useClass: PostgresTakedowns },
  ],
  exports: [CollectionReader, ListedSamples, PackReader, ResponseCache, SampleReader],
})
export class CatalogueModule {}
