import { Module } from '@nestjs/common';
import { ListedSamples } from '../../application/library/readers.js';
import { SamplePurchases } from '../../application/purchases/buy-samples.js';
import { CertificateStore, Certificates } from '../../application/purchases/certificates.js';
import { CreditStatement, DownloadedSamples, SampleFiles } from '../../application/purchases/readers.js';
import { CertificatesController } from '../http/certificates.controller.js';
import { CreditsController } from '../http/credits.controller.js';
import { DownloadsController } from '../http/downloads.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresCreditStatement } from '../postgres/read-models/credit-statement.js';
import { PostgresDownloadedSamples } from '../postgres/read-models/downloaded-samples.js';
import { PostgresCertificates } from '../postgres/tables/certificates.js';
import { PostgresSampleFiles } from '../postgres/tables/sample-files.js';
import { SubscriptionsModule } from './subscriptions.module.js';

@Module({
  imports: [SubscriptionsModule],
  controllers: [DownloadsController, CreditsController, CertificatesController],
  providers: [
    SamplePurchases,
    Certificates,
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
