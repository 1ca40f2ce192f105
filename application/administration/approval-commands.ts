import { Command } from '@nestjs/cqrs';
import type { LimitsChanged } from '../../domain/administration/approval-limits.js';
import type { ExcusedHeads } from '../../domain/administration/log-restore.js';
import type { Reason } from '../../domain/shared/remark.js';
import type { RefundRequest, RefundResult } from '../payments/commands.js';
import type {
  ApprovalRejection,
  ApprovalStatus,
  RequestedApproval,
} from '../../domain/administration/approval.js';

export type ApprovalResult =
  | { accepted: true; id: string; status: ApprovalStatus }
  | { accepted: false; rejection: ApprovalRejection };

export type RequestedRefund =
  | RefundResult
  | ApprovalResult
  | { accepted: false; rejection: { code: 'OwnInterest' } };

/** Refunds what is unspent of an invoice, or asks a second person where it is more than one may alone. */
export class RequestRefund extends Command<RequestedRefund> {
  constructor(readonly request: Omit<RefundRequest, 'mostMicroUsd' | 'approvedBy'>) {
    super();
  }
}

/** Asks for what a second person has to agree to, once by its id. */
export class RequestApproval extends Command<ApprovalResult> {
  constructor(readonly requested: RequestedApproval) {
    super();
  }
}

/** Sets what one person may do alone, as two agreed, once by their consent. */
export class ChangeLimits extends Command<void> {
  constructor(readonly change: Omit<LimitsChanged['data'], 'at'>) {
    super();
  }
}

/** Records that a backup replaced the log, as two people agreed, once by their consent. */
export class RecordRestore extends Command<void> {
  constructor(readonly restore: ExcusedHeads & Reason) {
    super();
  }
}

/** Agrees; then it is done at once. */
export class ApproveRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
  ) {
    super();
  }
}

export class DeclineRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

/** The asker takes it back. */
export class WithdrawRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Nobody decided in time. */
export class LapseRequest extends Command<ApprovalResult> {
  constructor(readonly approvalId: string) {
    super();
  }
}

/** Does what was agreed to; repeating does nothing more. */
export class CarryOutRequest extends Command<ApprovalResult> {
  constructor(readonly approvalId: string) {
    super();
  }
}
