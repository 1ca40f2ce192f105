import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '../adapters/accounts/accounts.module.js';
import { AdministrationModule } from '../adapters/administration/administration.module.js';
import { CatalogueModule } from '../adapters/catalogue/catalogue.module.js';
import { ComplaintsModule } from '../adapters/complaints/complaints.module.js';
import { CreditsModule } from '../adapters/credits/credits.module.js';
import { ExportsModule } from '../adapters/exports/exports.module.js';
import { LedgerModule } from '../adapters/ledger/ledger.module.js';
import { LegalModule } from '../adapters/legal/legal.module.js';
import { LibraryModule } from '../adapters/library/library.module.js';
import { NoticesModule } from '../adapters/notices/notices.module.js';
import { MailingListModule } from '../adapters/mailing-list/mailing-list.module.js';
import { MediaModule } from '../adapters/media/media.module.js';
import { PaymentEventsModule } from '../adapters/payments/payment-events.module.js';
import { PromotionsModule } from '../adapters/promotions/promotions.module.js';
import { PayoutsModule } from '../adapters/payouts/payouts.module.js';
import { ProfilesModule } from '../adapters/profiles/profiles.module.js';
import { PublishingModule } from '../adapters/publishing/publishing.module.js';
import { SuspicionsModule } from '../adapters/publishing/suspicions/suspicions.module.js';
import { PurchasesModule } from '../adapters/purchases/purchases.module.js';
import { ReportsModule } from '../adapters/reports/reports.module.js';
import { StorageModule } from '../adapters/storage/storage.module.js';
import { SubscriptionsModule } from '../adapters/subscriptions/subscriptions.module.js';
import { CommandsModule } from '../adapters/platform/commands/commands.module.js';
import { ClosingModule } from './closing.module.js';
import { HttpModule } from './http.module.js';
import type { Resources } from './resources.js';
import { ResourcesModule } from './resources.module.js';
import { SettingsModule } from './settings.module.js';
import { WorkModule } from './work.module.js';

@Module({})
export class AppModule {
  static with(resources: Resources): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ResourcesModule.with(resources),
        SettingsModule,
        CommandsModule,
        HttpModule.forRoot(
          resources.config,
          resources.stripeSimulator?.url ?? resources.config.stripe?.apiBase,
        ),
        AccountsModule,
        AdministrationModule,
        // `LibraryModule` must come before `CatalogueModule`, whose route /api/collections/:slug would otherwise also
        // match /api/collections/own.
        LibraryModule,
        NoticesModule,
        CatalogueModule,
        ComplaintsModule,
        CreditsModule,
        ExportsModule,
        LedgerModule,
        LegalModule,
        MailingListModule,
        MediaModule,
        PaymentEventsModule,
        PayoutsModule,
        PromotionsModule,
        ProfilesModule,
        PublishingModule,
        PurchasesModule,
        ReportsModule,
        StorageModule,
        SubscriptionsModule,
        SuspicionsModule,
        ClosingModule,
        WorkModule,
      ],
    };
  }
}
