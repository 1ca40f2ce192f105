import { Module } from '@nestjs/common';
import { DecideOnJobHandler, DecidedJobs } from '../../application/administration/decide-on-job.js';
import { ApprovedWorkOfContexts } from '../../application/administration/approved-work.js';
import { RecordRestoreHandler } from '../../application/administration/record-restore.js';
import { RequestAdjustmentHandler } from '../../application/administration/request-adjustment.js';
import { RequestRefundHandler } from '../../application/administration/request-refund.js';
import { ApprovedWork, CarryOutRequestHandler } from '../../application/approvals/carry-out-request.js';
import { ApprovalMails } from '../../application/administration/approval-mails.js';
import { AdminQueries } from '../../application/administration/queries.js';
import { StoredJobs } from '../platform/jobs/stored-jobs.js';
import { StaffActQueries } from './staff-act-queries.js';
import { SkipParkedEventHandler } from '../../application/administration/skip-parked-event.js';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { TakedownsModule } from '../publishing/takedowns.module.js';
import { PostgresAdminQueries } from './postgres-admin-lists.js';
import { AdminController } from './admin.controller.js';
import { JobsController } from './jobs.controller.js';
import { ApprovalsController } from './approvals.controller.js';

@Module({
  imports: [ApprovalsModule, CreditsModule, MailModule, PaymentsModule, PayoutsModule, TakedownsModule],
  controllers: [AdminController, ApprovalsController, JobsController],
  providers: [
    ApprovalMails,
    CarryOutRequestHandler,
    DecideOnJobHandler,
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
  exports: [ApprovalMails],
})
export class AdministrationModule {}
