import { Module } from '@nestjs/common';
import { Approvals } from '../../application/approvals/approvals.js';
import {
  CarryOutApprovals,
  DecideOnRequestHandler,
  RequestApprovalHandler,
  ChangeLimitsHandler,
} from '../../application/approvals/decide-on-request.js';
import { ApprovalQueries } from '../../application/approvals/queries.js';
import { PostgresApprovalQueries } from './postgres-approval-queries.js';

@Module({
  providers: [
    Approvals,
    CarryOutApprovals,
    ChangeLimitsHandler,
    DecideOnRequestHandler,
    RequestApprovalHandler,
    { provide: ApprovalQueries, useClass: PostgresApprovalQueries },
  ],
  exports: [ApprovalQueries, Approvals],
})
export class ApprovalsModule {}
