import { Module } from '@nestjs/common';
import { DecideOnJobHandler } from '../../application/administration/job-handlers.js';
import { DecidedJobs } from '../../application/administration/decided-jobs.js';
import { APPROVAL_HANDLERS, Approvals } from '../../application/administration/approval-handlers.js';
import { ApprovalMails } from '../../application/administration/approval-mails.js';
import { CarryOutApprovals } from '../../application/administration/carry-out-approvals.js';
import {
  AdminQueries,
  JobQueries,
  ApprovalQueries,
  StaffActQueries,
} from '../../application/administration/queries.js';
import { SkipParkedEventHandler } from '../../application/administration/skip-parked-event.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { StoredJobs } from '../platform/jobs/stored-jobs.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { TakedownsModule } from '../publishing/takedowns.module.js';
import { PostgresAdminQueries } from './admin-lists.js';
import { AdminController } from './admin.controller.js';
import { JobsController } from './jobs.controller.js';
import { ApprovalsController } from './approvals.controller.js';
import { PostgresApprovalQueries } from './approval-queries.js';
import { PostgresStaffActQueries } from './staff-act-queries.js';

/** Decisions of administrators. */
@Module({
  imports: [CreditsModule, MailModule, PaymentsModule, PayoutsModule, TakedownsModule],
  controllers: [AdminController, ApprovalsController, JobsController],
  providers: [
    ...APPROVAL_HANDLERS,
    Approvals,
    ApprovalMails,
    CarryOutApprovals,
    DecideOnJobHandler,
    SkipParkedEventHandler,
    StoredJobs,
    { provide: DecidedJobs, useExisting: StoredJobs },
    { provide: JobQueries, useExisting: StoredJobs },
    { provide: AdminQueries, useClass: PostgresAdminQueries },
    { provide: ApprovalQueries, useClass: PostgresApprovalQueries },
    { provide: StaffActQueries, useClass: PostgresStaffActQueries },
  ],
  exports: [AdminQueries, ApprovalMails, ApprovalQueries, CarryOutApprovals],
})
export class AdministrationModule {}
