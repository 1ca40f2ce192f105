import { Module } from '@nestjs/common';
import {
  ChoosePreviewHandler,
  OriginalsAtHand,
  Previews,
  SoundOverviews,
} from '../../application/publishing/samples/previews.js';
import { AudioIntake } from '../../application/publishing/samples/audio-intake.js';
import { Covers } from '../../application/publishing/covers.js';
import { DecisionNotices } from '../../application/publishing/decision-notices.js';
import { CreatorMails } from '../../application/publishing/creators/creator-mails.js';
import { ApplicationPacks } from '../../application/publishing/creators/application-packs.js';
import { ApplicationSounds } from '../../application/publishing/creators/application-sounds.js';
import { Creators } from '../../application/publishing/creators/creators.js';
import { ExportPack } from '../../application/publishing/export-pack.js';
import {
  ApplyAsCreatorHandler,
  DecideOnCreatorHandler,
  VerifyCreatorHandler,
  WithdrawApplicationHandler,
} from '../../application/publishing/creators/decide-on-creator.js';
import {
  ChangePackInfoHandler,
  DecideOnPackHandler,
  DraftPackHandler,
  ReplaceCoverHandler,
} from '../../application/publishing/change-pack.js';
import { ChangeOfferHandler } from '../../application/publishing/publish-pack.js';
import {
  AddSampleHandler,
  ReplaceSampleAudioHandler,
  SampleUploads,
} from '../../application/publishing/samples/sample-uploads.js';
import { AttachFileHandler } from '../../application/publishing/samples/attach-file.js';
import {
  RemoveSampleHandler,
  SaveSampleFactsHandler,
  UndoReplacementHandler,
} from '../../application/publishing/samples/change-samples.js';
import { SetAiPreferenceHandler } from '../../application/publishing/creators/set-ai-preference.js';
import { MirrorPackJson } from '../../application/publishing/mirror-pack-json.js';
import { PackSlugs, Packs, PublishedRecordings } from '../../application/publishing/packs.js';
import {
  OwnPackQueries,
  PackDocumentQueries,
  SamplePlaceQueries,
} from '../../application/publishing/queries.js';
import { CreatorQueries } from './creator-queries.js';
import { DecideOnSampleHandler } from '../../application/publishing/decide-on-sample.js';
import {
  DirectUploads,
  DirectUploadStore,
  UnfinishedUploads,
} from '../../application/publishing/samples/direct-uploads.js';
import { EncodeFiles } from '../../application/publishing/samples/encode-files.js';
import { Encodings, EncodingStore } from '../../application/publishing/samples/encodings.js';
import { UploadBoard, UploadProgressStore } from '../../application/publishing/samples/upload-progress.js';
import { ReleaseDuePacks } from '../../application/publishing/release-due-packs.js';
import { CopyCheck } from '../../application/publishing/sounds/copy-check.js';
import { DescribeSounds } from '../../application/publishing/sounds/describe-sounds.js';
import { DescribedSounds } from '../../application/publishing/sounds/described-sounds.js';
import { KnownSounds } from '../../application/publishing/sounds/known-sounds.js';
import { MailModule } from '../mail/mail.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CreatorPacksController } from './creator-packs.controller.js';
import { CreatorSamplesController, DirectUploadsController } from './creator-samples.controller.js';
import { CreatorController } from './creator.controller.js';
import { ApprovalTimes, PostgresApplicationPacks } from './postgres-application-packs.js';
import { PostgresOwnPackQueries } from './postgres-own-pack-queries.js';
import { PostgresPackDocumentQueries } from './postgres-pack-document.js';
import {
  PostgresDirectUploadStore,
  PostgresEncodingStore,
  PostgresUploadProgressStore,
} from './postgres-uploads.js';
import {
  PostgresPackSlugs,
  PostgresPublishedRecordings,
  PostgresSamplePlaceQueries,
} from './postgres-packs.js';
import { ReceivedFiles } from './received-files.js';
import { PostgresDescribedSounds } from './sounds/postgres-described-sounds.js';
import { PostgresKnownSounds } from './sounds/postgres-known-sounds.js';
import {
  ReturnDefectiveSampleHandler,
  TakeDownPackHandler,
  TakeDownSampleHandler,
} from '../../application/publishing/takedowns.js';
import { ReturnsModule } from '../purchases/purchases.module.js';

@Module({
  imports: [MailModule, ProfilesModule, StorageModule],
  controllers: [CreatorController, CreatorPacksController, CreatorSamplesController, DirectUploadsController],
  providers: [
    AddSampleHandler,
    ApplyAsCreatorHandler,
    AttachFileHandler,
    ChangeOfferHandler,
    ChangePackInfoHandler,
    DecideOnCreatorHandler,
    DecideOnPackHandler,
    DecideOnSampleHandler,
    DraftPackHandler,
    RemoveSampleHandler,
    ReplaceCoverHandler,
    ReplaceSampleAudioHandler,
    SaveSampleFactsHandler,
    SetAiPreferenceHandler,
    UndoReplacementHandler,
    ChoosePreviewHandler,
    VerifyCreatorHandler,
    WithdrawApplicationHandler,
    ApplicationSounds,
    ApprovalTimes,
    AudioIntake,
    Previews,
    OriginalsAtHand,
    SoundOverviews,
    CopyCheck,
    Covers,
    CreatorMails,
    DecisionNotices,
    Creators,
    DescribeSounds,
    DirectUploads,
    EncodeFiles,
    Encodings,
    ExportPack,
    MirrorPackJson,
    Packs,
    ReceivedFiles,
    ReleaseDuePacks,
    SampleUploads,
    UnfinishedUploads,
    UploadBoard,
    CreatorQueries,
    { provide: ApplicationPacks, useClass: PostgresApplicationPacks },
    { provide: DescribedSounds, useClass: PostgresDescribedSounds },
    { provide: DirectUploadStore, useClass: PostgresDirectUploadStore },
    { provide: EncodingStore, useClass: PostgresEncodingStore },
    { provide: KnownSounds, useClass: PostgresKnownSounds },
    { provide: OwnPackQueries, useClass: PostgresOwnPackQueries },
    { provide: PackDocumentQueries, useClass: PostgresPackDocumentQueries },
    { provide: PackSlugs, useClass: PostgresPackSlugs },
    { provide: SamplePlaceQueries, useClass: PostgresSamplePlaceQueries },
    { provide: PublishedRecordings, useClass: PostgresPublishedRecordings },
    { provide: UploadProgressStore, useClass: PostgresUploadProgressStore },
  ],
  exports: [CopyCheck, DescribeSounds, EncodeFiles, OwnPackQueries, Packs, SamplePlaceQueries],
})
export class PublishingModule {}

@Module({
  imports: [PublishingModule, ReturnsModule],
  providers: [ReturnDefectiveSampleHandler, TakeDownPackHandler, TakeDownSampleHandler],
})
export class TakedownsModule {}
