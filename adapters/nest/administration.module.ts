import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Adjustments } from '../../application/administration/adjustments.js';
import { DeferredReturns } from '../../application/administration/deferred-returns.js';
import {
  AdjustmentRecords,
  AdminLists,
  StandingPurchases,
} from '../../application/administration/readers.js';
import { ReturnPurchases } from '../../application/administration/return-purchases.js';
import { Takedowns } from '../../application/administration/takedowns.js';
import { MoneyBackFacts } from '../../application/refunds/money-back-facts.js';
import { InvoiceLots } from '../../application/refunds/readers.js';
import { RefundInvoices } from '../../application/refunds/refund-invoices.js';
import { PaymentEvents } from '../../application/subscriptions/payment-events.js';
import { AdminController } from '../http/admin.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresAdjustmentRecords } from '../postgres/read-models/adjustment-records.js';
import { PostgresAdminLists, PostgresStandingPurchases } from '../postgres/read-models/admin-lists.js';
import { PostgresInvoiceLots } from '../postgres/read-models/invoice-lots.js';
import { PublishingModule } from './publishing.module.js';
import { SubscriptionsModule } from './subscriptions.module.js';

@Module({
  imports: [CqrsModule, PublishingModule, SubscriptionsModule],
  controllers: [AdminController],
  providers: [
    Adjustments,
    DeferredReturns,
    ReturnPurchases,
    Takedowns,
    MoneyBackFacts,
    RefundInvoices,
    {
      provide: InvoiceLots,
      useFactory: (database: Database) => new PostgresInvoiceLots(database),
      inject: [Database],
    },
    {
      provide: AdjustmentRecords,
      useFactory: (database: Database) => new PostgresAdjustmentRecords(database),
      inject: [Database],
    },
    {
      provide: AdminLists,
      useFactory: (database: Database) => new PostgresAdminLists(database),
      inject: [Database],
    },
    {
      provide: StandingPurchases,
      useFactory: (database: Database) => new PostgresStandingPurchases(database),
      inject: [Database],
    },
  ],
  exports: [AdminLists],
})
export class AdministrationModule {
  constructor(events: PaymentEvents, facts: MoneyBackFacts) {
    events.listen((event) => facts.handle(event));
  }
}
