import { Global, Logger, Module } from '@nestjs/common';
import { FaceReader, PageHeads } from '../../application/catalogue/page-heads.js';
import {
  CatalogueVersion,
  CollectionReader,
  PackReader,
  SampleReader,
  Takedowns,
} from '../../application/catalogue/readers.js';
import { FeaturedCollections } from '../../application/catalogue/featured-collections.js';
import { ListedSamples } from '../../application/library/readers.js';
import { Clock } from '../../application/shared/clock.js';
import { CatalogueController } from './catalogue.controller.js';
import { FeaturedCollectionsController } from './featured-collections.controller.js';
import { ReadyPages } from '../platform/pages/response-cache.js';
import { SamplesController } from './samples.controller.js';
import { SiteController } from './site.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresCatalogueVersion } from './catalogue-version.js';
import { PostgresCollectionReader } from './collection-reader.js';
import { PostgresFaceReader } from './summaries.js';
import { IndexFollower } from './search/index-follower.js';
import { PostgresListedSamples } from './listed-samples.js';
import { PostgresPackReader } from './pack-reader.js';
import { PostgresSampleReader } from './sample-reader.js';
import { PostgresTakedowns } from './postgres-takedowns.js';
import { PostgresFeaturedCollections } from './postgres-featured-collections.js';
import { CONFIG, type Config } from '../../bootstrap/config.js';
import { CATALOGUE_DATABASE } from '../../bootstrap/core.module.js';

/** Global: saved and downloaded things show the sample they name. */
@Global()
@Module({
  controllers: [CatalogueController, FeaturedCollectionsController, SamplesController, SiteController],
  providers: [
    PageHeads,
    ReadyPages,
    {
      provide: CatalogueVersion,
      useFactory: (database: Database) => new PostgresCatalogueVersion(database),
      inject: [CATALOGUE_DATABASE],
    },
    {
      provide: FaceReader,
      useFactory: (database: Database) => new PostgresFaceReader(database),
      inject: [CATALOGUE_DATABASE],
    },
    {
      provide: IndexFollower,
      useFactory: (database: Database, config: Config) =>
        config.searchIndex ? new IndexFollower(database, new Logger('Search')) : null,
      inject: [CATALOGUE_DATABASE, CONFIG],
    },
    {
      provide: Takedowns,
      useFactory: (database: Database) => new PostgresTakedowns(database),
      inject: [CATALOGUE_DATABASE],
    },
    {
      provide: SampleReader,
      useFactory: (database: Database, indexes: IndexFollower | null) =>
        new PostgresSampleReader(database, indexes ?? undefined),
      inject: [CATALOGUE_DATABASE, IndexFollower],
    },
    {
      provide: PackReader,
      useFactory: (database: Database, clock: Clock) => new PostgresPackReader(database, clock),
      inject: [CATALOGUE_DATABASE, Clock],
    },
    {
      provide: CollectionReader,
      useFactory: (database: Database) => new PostgresCollectionReader(database),
      inject: [CATALOGUE_DATABASE],
    },
    {
      provide: FeaturedCollections,
      useFactory: (database: Database) => new PostgresFeaturedCollections(database),
      inject: [Database],
    },
    {
      provide: ListedSamples,
      useFactory: (database: Database) => new PostgresListedSamples(database),
      inject: [Database],
    },
  ],
  exports: [ListedSamples, SampleReader, PackReader, CollectionReader],
})
export class CatalogueModule {}
