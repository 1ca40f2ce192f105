import { Module } from '@nestjs/common';
import {
  ReturnDefectiveSampleHandler,
  ReturnPurchaseHandler,
  TakeDownPackHandler,
} from '../../application/administration/handlers.js';
import { AdminQueries, ActivePurchaseQueries } from '../../application/administration/queries.js';
import { ReturnPurchases } from '../../application/administration/return-purchases.js';
import { CreditsModule } from '../credits/credits.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PublishingModule } from '../publishing/publishing.module.js';
import { PostgresAdminQueries, PostgresActivePurchaseQueries } from './admin-lists.js';
import { AdminController } from './admin.controller.js';

/** Decisions of administrators. */
@Module({
  imports: [CreditsModule, PaymentsModule, PublishingModule],
  controllers: [AdminController],
  providers: [
    ReturnDefectiveSampleHandler,
    ReturnPurchaseHandler,
    ReturnPurchases,
    TakeDownPackHandler,
    { provide: AdminQueries, useClass: PostgresAdminQueries },
    { provide: ActivePurchaseQueries, useClass: PostgresActivePurchaseQueries },
  ],
  exports: [AdminQueries, ReturnPurchases],
})
export class AdministrationModule {}
