import { Module } from '@nestjs/common';
import {
  ReturnDefectiveSampleHandler,
  ReturnPurchaseHandler,
  TakeDownPackHandler,
  TakeDownSampleHandler,
} from '../../application/administration/handlers.js';
import { APPROVAL_HANDLERS, Approvals } from '../../application/administration/approval-handlers.js';
import { CarryOutApprovals } from '../../application/administration/carry-out-approvals.js';
import {
  AdminQueries,
  ActivePurchaseQueries,
  ApprovalQueries,
} from '../../application/administration/queries.js';
import { ReturnPurchases } from '../../application/administration/return-purchases.js';
import { CreditsModule } from '../credits/credits.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PublishingModule } from '../publishing/publishing.module.js';
import { PostgresAdminQueries, PostgresActivePurchaseQueries } from './admin-lists.js';
import { AdminController } from './admin.controller.js';
import { ApprovalsController } from './approvals.controller.js';
import { PostgresApprovalQueries } from './approvals.js';

/** Decisions of administrators. */
@Module({
  imports: [CreditsModule, PaymentsModule, PublishingModule],
  controllers: [AdminController, ApprovalsController],
  providers: [
    ...APPROVAL_HANDLERS,
    Approvals,
    CarryOutApprovals,
    ReturnDefectiveSampleHandler,
    ReturnPurchaseHandler,
    ReturnPurchases,
    TakeDownPackHandler,
    TakeDownSampleHandler,
    { provide: AdminQueries, useClass: PostgresAdminQueries },
    { provide: ApprovalQueries, useClass: PostgresApprovalQueries },
    { provide: ActivePurchaseQueries, useClass: PostgresActivePurchaseQueries },
  ],
  exports: [AdminQueries, CarryOutApprovals, ReturnPurchases],
})
export class AdministrationModule {}
