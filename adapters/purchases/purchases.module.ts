import { Module } from '@nestjs/common';
import { ArchiveInspection } from '../../application/purchases/archive-contents.js';
import { ArchiveTicketStore, ArchiveTickets } from '../../application/purchases/archive-tickets.js';
import { AttachedFiles } from '../../application/purchases/attached-files.js';
import {
  BuySamplesHandler,
  FetchOwnedSamplesHandler,
  SampleDelivery,
  Deliveries,
} from '../../application/purchases/buy-samples.js';
import { CertificateStore, Certificates } from '../../application/purchases/certificates.js';
import { OwnedOriginals } from '../../application/purchases/owned-originals.js';
import { OwnedFileQueries } from '../../application/purchases/queries.js';
import { DownloadedSampleQueries } from './downloaded-samples.js';
import { StemsAccess } from '../../application/purchases/stems-access.js';
import { ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { PresentObjects } from '../../application/storage/present-objects.js';
import { StorageModule } from '../storage/storage.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { CertificatesController } from './certificates.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { OwnedFilesController } from './owned-files.controller.js';
import { PostgresOwnedFileQueries } from './postgres-owned-files.js';
import { PostgresArchiveTickets } from './postgres-archive-tickets.js';
import { PostgresCertificates } from './postgres-certificates.js';
import { PostgresDeliveries } from './postgres-deliveries.js';

/** Purchases of samples, and repeated downloads. */
@Module({
  imports: [StorageModule, SubscriptionsModule],
  controllers: [CertificatesController, DownloadsController, OwnedFilesController],
  providers: [
    ArchiveInspection,
    ArchiveTickets,
    AttachedFiles,
    Certificates,
    BuySamplesHandler,
    FetchOwnedSamplesHandler,
    OwnedOriginals,
    PresentObjects,
    SampleDelivery,
    StemsAccess,
    ZipDownloads,
    { provide: ArchiveTicketStore, useClass: PostgresArchiveTickets },
    { provide: CertificateStore, useClass: PostgresCertificates },
    { provide: Deliveries, useClass: PostgresDeliveries },
    DownloadedSampleQueries,
    { provide: OwnedFileQueries, useClass: PostgresOwnedFileQueries },
  ],
  exports: [Certificates],
})
export class PurchasesModule {}
