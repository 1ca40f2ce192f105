import { Module } from '@nestjs/common';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { MediaUses } from '../../application/media/uses.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { SignedUrlVerifier } from '../../application/storage/signed-urls.js';
import { CreatorFolders } from '../../application/storage/creator-folders.js';
import { PackFolders } from '../../application/storage/readers.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { DiskObjectStorage } from '../vendors/disk/disk-object-storage.js';
import { MediaController } from './media.controller.js';
import { SignedMediaController } from '../storage/signed-media.controller.js';
import { StorageController } from '../storage/storage.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresMediaUses } from './media-uses.js';
import { PostgresPackFolders } from '../storage/pack-folders.js';
import { CATALOGUE_DATABASE } from '../../bootstrap/core.module.js';
import { PostgresCreatorFolders } from '../storage/postgres-creator-folders.js';
import { PurchasesModule } from '../purchases/purchases.module.js';

/** Files over HTTP. Who may read an original is asked of the purchases. */
@Module({
  imports: [PurchasesModule],
  controllers: [MediaController, SignedMediaController, StorageController],
  providers: [
    StorageProxy,
    NarrowPictures,
    {
      provide: MediaUses,
      useFactory: (catalogue: Database, primary: Database) => new PostgresMediaUses(catalogue, primary),
      inject: [CATALOGUE_DATABASE, Database],
    },
    {
      provide: CreatorFolders,
      useFactory: (database: Database) => new PostgresCreatorFolders(database),
      inject: [Database],
    },
    {
      provide: PackFolders,
      useFactory: (database: Database) => new PostgresPackFolders(database),
      inject: [Database],
    },
    {
      provide: SignedUrlVerifier,
      useFactory: (storage: ObjectStorage) =>
        storage instanceof DiskObjectStorage ? storage.signedUrls : null,
      inject: [ObjectStorage],
    },
  ],
})
export class MediaModule {}
