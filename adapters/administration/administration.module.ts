import { Module } from '@nestjs/common';
import { DecideOnJobHandler, DecidedJobs } from '../../application/administration/decide-on-job.js';
import { ApprovedWorkOfContexts } from '../../application/administration/approved-work.js';
import {
  RecordRestoreHandler,
  SkipParkedEventHandler,
} from '../../application/administration/log-commands.js';
import {
  RequestAdjustmentHandler,
  RequestRefundHandler,
} from '../../application/administration/request-money.js';
import { ApprovedWork, CarryOutRequestHandler } from '../../application/approvals/decide-on-request.js';
import { LostPurchases } from '../../application/administration/lost-purchases.js';
import { FindMissingFacts } from '../../application/administration/missing-facts.js';
import { ApprovalMails } from '../../application/administration/approval-mails.js';
import { AdminQueries } from '../../application/administration/queries.js';
import { StoredJobs } from '../platform/jobs/stored-jobs.js';
import { StaffActQueries } from './staff-act-queries.js';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentRecordsModule, PaymentsModule } from '../payments/payments.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { TakedownsModule } from '../publishing/publishing.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { PostgresAdminQueries } from './postgres-admin-lists.js';
import { AdminController, JobsController, MissingFactsController } from './admin.controller.js';
import { ApprovalsController } from './approvals.controller.js';

@Module({
  imports: [
    ApprovalsModule,
    CreditsModule,
    LedgerModule,
    MailModule,
    PaymentRecordsModule,
    PaymentsModule,
    PayoutsModule,
    PurchasesModule,
    StorageModule,
    TakedownsModule,
  ],
  controllers: [AdminController, ApprovalsController, JobsController, MissingFactsController],
  providers: [
    ApprovalMails,
    CarryOutRequestHandler,
    DecideOnJobHandler,
    FindMissingFacts,
    LostPurchases,
    RecordRestoreHandler,
    RequestAdjustmentHandler,
    RequestRefundHandler,
    SkipParkedEventHandler,
    StoredJobs,
    { provide: DecidedJobs, useExisting: StoredJobs },
    { provide: ApprovedWork, useClass: ApprovedWorkOfContexts },
    { provide: AdminQueries, useClass: PostgresAdminQueries },
    StaffActQueries,
  ],
})
export class AdministrationModule {}
