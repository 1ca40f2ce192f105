import { join } from 'node:path';
import { Module, type OnModuleInit } from '@nestjs/common';
import { Archiver } from '../../application/purchases/archive.js';
import { PackNames } from '../../application/publishing/pack-names.js';
import { PublishedRecordings } from '../../application/publishing/published-recordings.js';
import { UnreferencedObjects } from '../../application/storage/unreferenced-objects.js';
import { AddSample } from '../../application/publishing/add-sample.js';
import { Attachments } from '../../application/publishing/attachments.js';
import { AudioIntake } from '../../application/publishing/audio-intake.js';
import { ChangeSamples } from '../../application/publishing/change-samples.js';
import { Covers } from '../../application/publishing/covers.js';
import { CreatorMails } from '../../application/publishing/creator-mails.js';
import {
  ApplyAsCreatorHandler,
  DecideOnCreatorHandler,
} from '../../application/publishing/creator-handlers.js';
import { Creators } from '../../application/publishing/creators.js';
import { PackCommandHandler } from '../../application/publishing/execute-pack-commands.js';
import { ExportPack } from '../../application/publishing/export-pack.js';
import { MirrorPackJson } from '../../application/publishing/mirror-pack-json.js';
import { Packs } from '../../application/publishing/packs.js';
import { CreatorReader, OwnPackReader, PackDocumentReader } from '../../application/publishing/readers.js';
import { RemoveSample } from '../../application/publishing/remove-sample.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import { removeAbandonedUploads } from '../../application/publishing/upload-folder.js';
import { UploadBoard } from '../../application/publishing/upload-progress.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import { CreatorController } from './creator.controller.js';
import { CreatorExportController } from './creator-export.controller.js';
import { CreatorPacksController } from './creator-packs.controller.js';
import { CreatorSampleFactsController } from './creator-sample-facts.controller.js';
import { CreatorSamplesController } from './creator-samples.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresCreatorReader } from './creator-reader.js';
import { PostgresOwnPackReader } from './own-pack-reader.js';
import { PostgresPackDocumentReader } from './pack-document.js';
import { PostgresPackNames } from './postgres-pack-names.js';
import { PostgresPublishedRecordings } from './postgres-published-recordings.js';
import { PostgresUnreferencedObjects } from '../storage/postgres-unreferenced-objects.js';
import { YazlArchiver } from '../vendors/zip/yazl-archiver.js';
import { CONFIG, type Config } from '../../bootstrap/config.js';

@Module({
  controllers: [
    CreatorController,
    CreatorExportController,
    CreatorPacksController,
    CreatorSampleFactsController,
    CreatorSamplesController,
  ],
  providers: [
    AddSample,
    Attachments,
    AudioIntake,
    ChangeSamples,
    Covers,
    CreatorMails,
    Creators,
    ApplyAsCreatorHandler,
    DecideOnCreatorHandler,
    ExportPack,
    MirrorPackJson,
    ObjectSweep,
    PackCommandHandler,
    Packs,
    RemoveSample,
    UploadBoard,
    {
      provide: PublishingSettings,
      useFactory: (config: Config) =>
        new PublishingSettings(config.autoApproveCreators, join(config.dataDir, 'uploads')),
      inject: [CONFIG],
    },
    {
      provide: OwnPackReader,
      useFactory: (database: Database) => new PostgresOwnPackReader(database),
      inject: [Database],
    },
    {
      provide: PublishedRecordings,
      useFactory: (database: Database) => new PostgresPublishedRecordings(database),
      inject: [Database],
    },
    { provide: Archiver, useClass: YazlArchiver },
    {
      provide: PackDocumentReader,
      useFactory: (database: Database) => new PostgresPackDocumentReader(database),
      inject: [Database],
    },
    {
      provide: CreatorReader,
      useFactory: (database: Database) => new PostgresCreatorReader(database),
      inject: [Database],
    },
    {
      provide: UnreferencedObjects,
      useFactory: (database: Database) => new PostgresUnreferencedObjects(database),
      inject: [Database],
    },
    {
      provide: PackNames,
      useFactory: (database: Database) => new PostgresPackNames(database),
      inject: [Database],
    },
  ],
  exports: [AddSample, Creators, MirrorPackJson, ObjectSweep, OwnPackReader, Packs],
})
export class PublishingModule implements OnModuleInit {
  constructor(private readonly settings: PublishingSettings) {}

  async onModuleInit(): Promise<void> {
    await removeAbandonedUploads(this.settings.uploadFolder, new Date());
  }
}
