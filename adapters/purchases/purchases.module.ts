import { Module } from '@nestjs/common';
import { ListedSamples } from '../../application/library/readers.js';
import { Archiver } from '../../application/purchases/archive.js';
import { CertificatePrinter } from '../../application/purchases/certificate-printer.js';
import { ArchiveInspection } from '../../application/purchases/archive-contents.js';
import { ArchiveTicketStore, ArchiveTickets } from '../../application/purchases/archive-tickets.js';
import { AttachedFiles } from '../../application/purchases/attached-files.js';
import { BuySamplesHandler, FetchOwnedSamplesHandler } from '../../application/purchases/buy-samples.js';
import {
  CertificatePages,
  CertificateStore,
  Certificates,
} from '../../application/purchases/certificates.js';
import {
  CreditStatement,
  DownloadedSamples,
  OwnedFiles,
  SampleFiles,
} from '../../application/purchases/readers.js';
import { OwnedOriginals } from '../../application/purchases/owned-originals.js';
import { SampleDelivery } from '../../application/purchases/sample-delivery.js';
import { ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { CertificatesController } from './certificates.controller.js';
import { CreditsController } from '../credits/credits.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { OwnedFilesController } from './owned-files.controller.js';
import { WorkerCertificatePrinter } from '../vendors/pdf/worker-certificate-printer.js';
import { Database } from '../platform/database/database.js';
import { PostgresCreditStatement } from '../credits/credit-statement.js';
import { PostgresDownloadedSamples } from './downloaded-samples.js';
import { PostgresOwnedFiles } from './owned-files.js';
import { PostgresArchiveTickets } from './postgres-archive-tickets.js';
import { PostgresCertificates } from './postgres-certificates.js';
import { PostgresSampleFiles } from '../storage/sample-files.js';
import { YazlArchiver } from '../vendors/zip/yazl-archiver.js';
import { CONFIG, type Config } from '../../bootstrap/config.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';

@Module({
  imports: [SubscriptionsModule],
  controllers: [DownloadsController, OwnedFilesController, CreditsController, CertificatesController],
  providers: [
    BuySamplesHandler,
    FetchOwnedSamplesHandler,
    SampleDelivery,
    Certificates,
    AttachedFiles,
    OwnedOriginals,
    ZipDownloads,
    ArchiveInspection,
    ArchiveTickets,
    {
      provide: ArchiveTicketStore,
      useFactory: (database: Database) => new PostgresArchiveTickets(database),
      inject: [Database],
    },
    {
      provide: CertificatePages,
      useFactory: (config: Config) => new CertificatePages(config.publicUrl),
      inject: [CONFIG],
    },
    { provide: Archiver, useClass: YazlArchiver },
    { provide: CertificatePrinter, useClass: WorkerCertificatePrinter },
    {
      provide: OwnedFiles,
      useFactory: (database: Database) => new PostgresOwnedFiles(database),
      inject: [Database],
    },
    {
      provide: SampleFiles,
      useFactory: (database: Database) => new PostgresSampleFiles(database),
      inject: [Database],
    },
    {
      provide: CreditStatement,
      useFactory: (database: Database) => new PostgresCreditStatement(database),
      inject: [Database],
    },
    {
      provide: CertificateStore,
      useFactory: (database: Database) => new PostgresCertificates(database),
      inject: [Database],
    },
    {
      provide: DownloadedSamples,
      useFactory: (database: Database, listed: ListedSamples) =>
        new PostgresDownloadedSamples(database, listed),
      inject: [Database, ListedSamples],
    },
  ],
  exports: [Certificates, CreditStatement, SampleFiles],
})
export class PurchasesModule {}
