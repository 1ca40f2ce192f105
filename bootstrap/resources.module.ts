import { CommandBus } from '@nestjs/cqrs';
import { PostgresFirstCredits } from '../adapters/credits/postgres-first-credits.js';
import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AudioStudio, WavWriter } from '../application/publishing/samples/audio-studio.js';
import { BalanceGateway } from '../application/payments/balance-gateway.js';
import { FirstCredits } from '../application/accounts/first-credits.js';
import { Clock, WallClock } from '../application/shared/clock.js';
import { CreditExecutor } from '../application/credits/credit-executor.js';
import { EventStore } from '../application/shared/event-store.js';
import { ImageStudio } from '../application/media/image-studio.js';
import { Mailer } from '../application/mail/mailer.js';
import { Outbox } from '../application/mail/outbox.js';
import { ObjectStorage } from '../application/storage/object-storage.js';
import { PaymentGateway, PaymentWords } from '../application/payments/payment-gateway.js';
import { stripeWords } from '../adapters/vendors/stripe/stripe-words.js';
import { PayerGateway } from '../application/payments/forget-payers.js';
import { PayoutGateway } from '../application/payments/payout-gateway.js';
import { RefundGateway } from '../application/payments/refund-gateway.js';
import { ReadModelProgress } from '../application/shared/read-model-progress.js';
import { Remarks } from '../application/shared/remarks.js';
import { JobQueue } from '../application/shared/job-queue.js';
import { SigningKeys, Secrets } from '../application/shared/keys/signing-keys.js';
import { CATALOGUE_DATABASE, Database } from '../adapters/platform/database/database.js';
import { PostgresRemarks } from '../adapters/platform/database/postgres-remarks.js';
import { StoredBookQueries } from '../application/ledger/queries.js';
import { PostgresStoredBookQueries } from '../adapters/ledger/proof/postgres-stored-books.js';
import { BossJobQueue } from '../adapters/platform/jobs/boss-job-queue.js';
import { InlineVersions } from '../adapters/platform/projections/inline-versions.js';
import { Projector } from '../adapters/platform/projections/projector.js';
import { CONFIG } from './config.js';
import { PROJECTIONS } from './projections.js';
import type { Resources } from './resources.js';

@Global()
@Module({})
export class ResourcesModule {
  static with(resources: Resources): DynamicModule {
    const { clock, config, database, secrets } = resources;
    const providers: Provider[] = [
      { provide: CONFIG, useValue: resources.config },
      { provide: Clock, useValue: resources.clock },
      { provide: WallClock, useValue: resources.wallClock },
      { provide: Database, useValue: resources.database },
      { provide: CATALOGUE_DATABASE, useValue: resources.catalogueDatabase },
      { provide: EventStore, useValue: resources.eventStore },
      { provide: InlineVersions, useValue: resources.inlineVersions },
      { provide: ReadModelProgress, useValue: resources.logSubscriptions },
      { provide: CreditExecutor, useValue: resources.creditExecutor },
      { provide: Secrets, useValue: resources.secrets },
      {
        provide: FirstCredits,
        useFactory: (commands: CommandBus) =>
          new PostgresFirstCredits(config.firstCredits, database, secrets, clock, commands),
        inject: [CommandBus],
      },
      { provide: SigningKeys, useValue: resources.signingKeys },
      { provide: Remarks, useClass: PostgresRemarks },
      { provide: ObjectStorage, useValue: resources.storage },
      { provide: AudioStudio, useValue: resources.audioStudio },
      { provide: WavWriter, useValue: resources.wavWriter },
      { provide: ImageStudio, useValue: resources.imageStudio },
      { provide: Mailer, useValue: resources.mailer },
      { provide: Outbox, useValue: resources.outbox },
      { provide: BossJobQueue, useValue: resources.jobs },
      { provide: JobQueue, useValue: resources.jobs },
      { provide: PaymentGateway, useValue: resources.payments },
      { provide: PaymentWords, useValue: stripeWords },
      { provide: PayerGateway, useValue: resources.payers },
      { provide: PayoutGateway, useValue: resources.payouts },
      { provide: RefundGateway, useValue: resources.refunds },
      { provide: BalanceGateway, useValue: resources.balance },
      {
        provide: StoredBookQueries,
        useValue: new PostgresStoredBookQueries(
          resources.database,
          new Projector(resources.database, resources.eventStore),
          PROJECTIONS.all,
        ),
      },
    ];
    return {
      module: ResourcesModule,
      providers,
      exports: providers.map((provider) => (provider as { provide: symbol }).provide),
    };
  }
}
