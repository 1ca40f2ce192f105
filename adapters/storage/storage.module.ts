import { Module } from '@nestjs/common';
import { SampleFileQueries, PackFolderQueries } from '../../application/storage/queries.js';
import { CreatorFolders } from '../../application/storage/creator-folders.js';
import { ForgetFolders } from '../../application/storage/forget-folders.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { UnreferencedObjects } from '../../application/storage/unreferenced-objects.js';
import { PostgresPackFolderQueries, PostgresCreatorFolders } from './postgres-creator-folders.js';
import { PostgresUnreferencedObjects } from './postgres-unreferenced-objects.js';
import { PostgresSampleFileQueries } from './postgres-sample-files.js';
import { SignedMediaController, StorageController } from './storage.controller.js';

@Module({
  controllers: [SignedMediaController, StorageController],
  providers: [
    ForgetFolders,
    ObjectSweep,
    StorageProxy,
    { provide: CreatorFolders, useClass: PostgresCreatorFolders },
    { provide: PackFolderQueries, useClass: PostgresPackFolderQueries },
    { provide: SampleFileQueries, useClass: PostgresSampleFileQueries },
    { provide: UnreferencedObjects, useClass: PostgresUnreferencedObjects },
  ],
  exports: [CreatorFolders, ForgetFolders, SampleFileQueries, UnreferencedObjects],
})
export class StorageModule {}
