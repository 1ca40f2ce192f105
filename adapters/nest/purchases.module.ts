import { Module } from '@nestjs/common';
import { ListedSamples } from '../../application/library/readers.js';
import { Archiver } from '../../application/ports/archive.js';
import { CertificatePrinter } from '../../application/ports/certificate-printer.js';
import { ArchiveInspection } from '../../application/purchases/archive-contents.js';
import { ArchiveTicketStore, ArchiveTickets } from '../../application/purchases/archive-tickets.js';
import { AttachedFiles } from '../../application/purchases/attached-files.js';
import { SamplePurchases } from '../../application/purchases/buy-samples.js';
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
import { ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { CertificatesController } from '../http/certificates.controller.js';
import { CreditsController } from '../http/credits.controller.js';
import { DownloadsController } from '../http/downloads.controller.js';
import { OwnedFilesController } from '../http/owned-files.controller.js';
import { WorkerCertificatePrinter } from '../pdf/worker-certificate-printer.js';
import { Database } from '../postgres/database.js';
import { PostgresCreditStatement } from '../postgres/read-models/credit-statement.js';
import { PostgresDownloadedSamples } from '../postgres/read-models/downloaded-samples.js';
import { PostgresOwnedFiles } from '../postgres/read-models/owned-files.js';
import { PostgresArchiveTickets } from '../postgres/tables/archive-tickets.js';
import { PostgresCertificates } from '../postgres/tables/certificates.js';
import { PostgresSampleFiles } from '../postgres/tables/sample-files.js';
import { YazlArchiver } from '../zip/yazl-archiver.js';
import { CONFIG, type Config } from './config.js';
import { SubscriptionsModule } from './subscriptions.module.js';

@Module({
  imports: [SubscriptionsModule],
  controllers: [DownloadsController, OwnedFilesController, CreditsController, CertificatesController],
  providers: [
    SamplePurchases,
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
  exports: [SamplePurchases, Certificates, CreditStatement, SampleFiles],
})
export class PurchasesModule {}
