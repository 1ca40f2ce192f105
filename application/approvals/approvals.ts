import { Injectable } from '@nestjs/common';
import {
  approvalDecider,
  type ApprovalCommand,
  type ApprovalRejection,
  type ApprovalState,
  type ApprovalStatus,
  type RequestedApproval,
} from '../../domain/approvals/approval.js';
import { assert, type Outcome } from '../../domain/shared/decision.js';
import type { Reason } from '../../domain/shared/remark.js';
import type { Approver } from '../../domain/shared/second-person.js';
import { Adjustments } from '../credits/adjustments.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams, type Unclocked } from '../shared/streams.js';

/** @param Further the refusals of a command that checks its request first */
export type ApprovalResult<Further extends { code: string } = never> = Outcome<
  { id: string; status: ApprovalStatus },
  ApprovalRejection | Further
>;

/** The actor of events without a person. */
export const APPROVALS_ACTOR = 'system:approvals';

/** Decides on requests, and loads the facts about people that a decision needs. */
@Injectable()
export class Approvals {
  constructor(
    private readonly streams: Streams,
    private readonly adjustments: Adjustments,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  load(approvalId: string): Promise<ApprovalState> {
    return this.streams.load(approvalDecider, approvalId);
  }

  async decide(
    approvalId: string,
    decided: Unclocked<ApprovalCommand>,
    actor: string,
  ): Promise<ApprovalResult> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: approvalId };
    const outcome = await this.streams.execute(approvalDecider, approvalId, command, metadata);
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'what was decided on was asked for');
    return { accepted: true, id: approvalId, status: outcome.state.status };
  }

  /** Stores a reason outside the log. It is deleted with the users that it may concern. */
  async keep(
    reason: string,
    { approvalId, beneficiary, work }: Pick<RequestedApproval, 'approvalId' | 'beneficiary' | 'work'>,
  ): Promise<Reason> {
    const buyer = work.kind === 'release-sale' ? work.buyerId : undefined;
    const about = [beneficiary, buyer].filter((userId) => userId !== undefined);
    const stream = approvalDecider.streamOf(approvalId);
    return { reason: '', ...(await this.remarks.keep(reason, { stream, about })) };
  }

  async approver(approvalId: string, by: string): Promise<Approver> {
    const request = await this.load(approvalId);
    return this.adjustments.approver(by, request.status === 'none' ? undefined : request.beneficiary);
  }
}
