import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { ActivePurchaseQueries, OwnedFileQueries } from '../../application/purchases/queries.js';
import { ReturnPurchaseHandler, ReturnPurchases } from '../../application/purchases/return-purchases.js';
import {
  PostgresActivePurchaseQueries,
  DownloadedSampleQueries,
  PostgresOwnedFileQueries,
  PostgresArchiveTickets,
  PostgresDeliveries,
} from './postgres-owned-files.js';
import { ArchiveInspection } from '../../application/purchases/archive-contents.js';
import {
  ArchiveTicketStore,
  ArchiveTickets,
  ZipDownloads,
} from '../../application/purchases/zip-downloads.js';
import { FileNames } from '../../application/purchases/file-naming.js';
import { AttachedFiles, OwnedOriginals } from '../../application/purchases/owned-files.js';
import {
  BuySamplesHandler,
  FetchOwnedSamplesHandler,
  SampleDelivery,
  Deliveries,
  StemsAccess,
} from '../../application/purchases/buy-samples.js';
import { CertificateStore, Certificates } from '../../application/purchases/certificates.js';
import { CertifiedCopies, OriginalDecoder, TaggedCopies } from '../../application/purchases/tagged-copies.js';
import { WorkbenchExports } from '../../application/purchases/workbench-exports.js';
import { DisputePacks } from '../../application/purchases/dispute-packs.js';
import { PresentObjects } from '../../application/storage/present-objects.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { LibraryModule } from '../library/library.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { CertificatesController, OwnedFilesController } from './owned-files.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { PostgresCertificates, PostgresCertifiedCopies } from './postgres-certificates.js';
import { WorkerOriginalDecoder } from './worker-original-decoder.js';

@Module({
  providers: [
    ReturnPurchaseHandler,
    ReturnPurchases,
    { provide: ActivePurchaseQueries, useClass: PostgresActivePurchaseQueries },
  ],
  exports: [ActivePurchaseQueries, ReturnPurchases],
})
export class ReturnsModule {}

@Module({
  imports: [CreditsModule, LedgerModule, LibraryModule, StorageModule, SubscriptionsModule],
  controllers: [CertificatesController, DownloadsController, OwnedFilesController],
  providers: [
    ArchiveInspection,
    ArchiveTickets,
    AttachedFiles,
    Certificates,
    BuySamplesHandler,
    DisputePacks,
    FetchOwnedSamplesHandler,
    FileNames,
    OwnedOriginals,
    PresentObjects,
    SampleDelivery,
    StemsAccess,
    TaggedCopies,
    WorkbenchExports,
    ZipDownloads,
    { provide: ArchiveTicketStore, useClass: PostgresArchiveTickets },
    { provide: CertificateStore, useClass: PostgresCertificates },
    { provide: CertifiedCopies, useClass: PostgresCertifiedCopies },
    { provide: Deliveries, useClass: PostgresDeliveries },
    DownloadedSampleQueries,
    { provide: OriginalDecoder, useClass: WorkerOriginalDecoder },
    { provide: OwnedFileQueries, useClass: PostgresOwnedFileQueries },
  ],
  exports: [Certificates],
})
export class PurchasesModule {}
