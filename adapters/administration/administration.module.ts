import { Module } from '@nestjs/common';
import { Adjustments } from '../../application/credits/adjustments.js';
import { ApplyAdjustments } from '../../application/credits/apply-adjustments.js';
import { ADJUSTMENT_HANDLERS } from '../../application/credits/handlers.js';
import { DeferredReturns } from '../../application/administration/deferred-returns.js';
import {
  AdjustmentRecords,
  AdminLists,
  StandingPurchases,
} from '../../application/administration/readers.js';
import { ReturnPurchases } from '../../application/administration/return-purchases.js';
import {
  ReturnDefectiveSampleHandler,
  TakeDownPackHandler,
} from '../../application/administration/handlers.js';
import { MoneyBackFacts } from '../../application/payments/money-back-facts.js';
import { InvoiceLots } from '../../application/payments/invoice-lots.js';
import { RefundInvoiceHandler } from '../../application/payments/refund-invoice.js';
import { SendRefunds } from '../../application/payments/send-refunds.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { AdminController } from './admin.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresAdjustmentRecords } from '../credits/adjustment-records.js';
import { PostgresAdminLists, PostgresStandingPurchases } from './admin-lists.js';
import { PostgresInvoiceLots } from '../payments/postgres-invoice-lots.js';
import { PublishingModule } from '../publishing/publishing.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';

@Module({
  imports: [PublishingModule, SubscriptionsModule],
  controllers: [AdminController],
  providers: [
    Adjustments,
    ApplyAdjustments,
    ...ADJUSTMENT_HANDLERS,
    DeferredReturns,
    ReturnPurchases,
    TakeDownPackHandler,
    ReturnDefectiveSampleHandler,
    MoneyBackFacts,
    RefundInvoiceHandler,
    SendRefunds,
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
