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
import { Clock } from '../../application/ports/clock.js';
import { CatalogueController } from '../http/catalogue.controller.js';
import { FeaturedCollectionsController } from '../http/featured-collections.controller.js';
import { ReadyPages } from '../http/ready-pages.js';
import { SamplesController } from '../http/samples.controller.js';
import { SiteController } from '../http/site.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresCatalogueVersion } from '../postgres/read-models/catalogue-version.js';
import { PostgresCollectionReader } from '../postgres/read-models/collection-reader.js';
import { PostgresFaceReader } from '../postgres/read-models/faces.js';
import { IndexFollower } from '../postgres/read-models/index-follower.js';
import { PostgresListedSamples } from '../postgres/read-models/listed-samples.js';
import { PostgresPackReader } from '../postgres/read-models/pack-reader.js';
import { PostgresSampleReader } from '../postgres/read-models/sample-reader.js';
import { PostgresTakedowns } from '../postgres/read-models/takedowns.js';
import { PostgresFeaturedCollections } from '../postgres/tables/featured-collections.js';
import { CONFIG, type Config } from './config.js';
import { CATALOGUE_DATABASE } from './core.module.js';

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
