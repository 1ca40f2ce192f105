import { Module } from '@nestjs/common';
import { Approvals } from '../../application/approvals/approvals.js';
import { CarryOutApprovals } from '../../application/approvals/carry-out-approvals.js';
import { ChangeLimitsHandler } from '../../application/approvals/change-limits.js';
import {
  ApproveRequestHandler,
  DeclineRequestHandler,
  LapseRequestHandler,
  WithdrawRequestHandler,
} from '../../application/approvals/decide-on-request.js';
import { ApprovalQueries } from '../../application/approvals/queries.js';
import { RequestApprovalHandler } from '../../application/approvals/request-approval.js';
import { PostgresApprovalQueries } from './postgres-approval-queries.js';

@Module({
  providers: [
    Approvals,
    ApproveRequestHandler,
    CarryOutApprovals,
    ChangeLimitsHandler,
    DeclineRequestHandler,
    LapseRequestHandler,
    RequestApprovalHandler,
    WithdrawRequestHandler,
    { provide: ApprovalQueries, useClass: PostgresApprovalQueries },
  ],
  exports: [ApprovalQueries, Approvals, CarryOutApprovals],
})
export class ApprovalsModule {}
