import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from './accounts.module.js';
import { AdministrationModule } from './administration.module.js';
import { CatalogueModule } from './catalogue.module.js';
import { ClosingModule } from './closing.module.js';
import { CoreModule } from './core.module.js';
import { FinanceModule } from './finance.module.js';
import { HttpModule } from './http.module.js';
import { LibraryModule } from './library.module.js';
import { MailingListModule } from './mailing-list.module.js';
import { MediaModule } from './media.module.js';
import { PayoutsModule } from './payouts.module.js';
import { PublishingModule } from './publishing.module.js';
import { PurchasesModule } from './purchases.module.js';
import type { Resources } from './resources.js';
import { SubscriptionsModule } from './subscriptions.module.js';

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
