import { Module } from '@nestjs/common';
import { SampleFiles } from '../../application/purchases/readers.js';
import { CreatorFolders, NamedFolders } from '../../application/storage/creator-folders.js';
import { ForgetFolders } from '../../application/storage/forget-folders.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import { PackFolders } from '../../application/storage/readers.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { UnreferencedObjects } from '../../application/storage/unreferenced-objects.js';
import { PostgresPackFolders } from './pack-folders.js';
import { PostgresCreatorFolders, PostgresNamedFolders } from './postgres-creator-folders.js';
import { PostgresUnreferencedObjects } from './postgres-unreferenced-objects.js';
import { PostgresSampleFiles } from './sample-files.js';
import { SignedMediaController } from './signed-media.controller.js';
import { StorageController } from './storage.controller.js';

/** Stored files: whose folder, who may read, what nobody needs any more. */
@Module({
  controllers: [SignedMediaController, StorageController],
  providers: [
    ForgetFolders,
    ObjectSweep,
    StorageProxy,
    { provide: CreatorFolders, useClass: PostgresCreatorFolders },
    { provide: NamedFolders, useClass: PostgresNamedFolders },
    { provide: PackFolders, useClass: PostgresPackFolders },
    { provide: SampleFiles, useClass: PostgresSampleFiles },
    { provide: UnreferencedObjects, useClass: PostgresUnreferencedObjects },
  ],
  exports: [CreatorFolders, ForgetFolders, ObjectSweep, SampleFiles, UnreferencedObjects],
})
export class StorageModule {}
