import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '../adapters/accounts/accounts.module.js';
import { AdministrationModule } from '../adapters/administration/administration.module.js';
import { CatalogueModule } from '../adapters/catalogue/catalogue.module.js';
import { CommandsModule } from '../adapters/platform/commands/commands.module.js';
import { ClosingModule } from './closing.module.js';
import { CoreModule } from './core.module.js';
import { FinanceModule } from '../adapters/ledger/ledger.module.js';
import { HttpModule } from './http.module.js';
import { LibraryModule } from '../adapters/library/library.module.js';
import { MailingListModule } from '../adapters/mailing-list/mailing-list.module.js';
import { MediaModule } from '../adapters/media/media.module.js';
import { PayoutsModule } from '../adapters/payouts/payouts.module.js';
import { PublishingModule } from '../adapters/publishing/publishing.module.js';
import { PurchasesModule } from '../adapters/purchases/purchases.module.js';
import type { Resources } from './resources.js';
import { SubscriptionsModule } from '../adapters/subscriptions/subscriptions.module.js';

/** The product: every context, on the resources that were opened. */
@Module({})
export class AppModule {
  static with(resources: Resources): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.with(resources),
        HttpModule.forRoot({
          production: resources.config.production,
          stripeApiBase: resources.stripeSimulator?.url ?? resources.config.stripe?.apiBase,
        }),
        CommandsModule,
        AccountsModule,
        AdministrationModule,
        CatalogueModule,
        ClosingModule,
        FinanceModule,
        LibraryModule,
        MailingListModule,
        MediaModule,
        PayoutsModule,
        PublishingModule,
        PurchasesModule,
        SubscriptionsModule,
      ],
    };
  }
}
