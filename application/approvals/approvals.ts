import { Injectable } from '@nestjs/common';
import { staffDecider } from '../../domain/accounts/staff.js';
import {
  approvalDecider,
  type ApprovalCommand,
  type ApprovalRejection,
  type ApprovalState,
  type ApprovalStatus,
  type RequestedApproval,
} from '../../domain/approvals/approval.js';
import { togetherCounter } from '../../domain/approvals/adjustment.js';
import { oldAdjustmentDecider } from '../../domain/approvals/old-adjustment.js';
import { assert, type Outcome } from '../../domain/shared/decision.js';
import type { Reason } from '../../domain/shared/remark.js';
import { RELATED_BUYER_DAYS, type Approver } from '../../domain/shared/second-person.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import { ApprovalQueries } from './queries.js';

/** The outcome of a request or decision. `Further`: refusals of the command that requests the approval. */
export type ApprovalResult<Further extends { code: string } = never> = Outcome<
  { id: string; status: ApprovalStatus },
  ApprovalRejection | Further
>;

export const APPROVALS_ACTOR = 'system:approvals';

const DAY_MS = 86_400_000;

/** Decides on requests for approval, and loads the facts about people that a decision needs. */
@Injectable()
export class Approvals {
  constructor(
    private readonly streams: Streams,
    private readonly queries: ApprovalQueries,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  /** Returns the decider of a request. Older adjustments have streams and a decider of their own. */
  async deciderOf(approvalId: string): Promise<typeof approvalDecider> {
    const old = await this.streams.load(oldAdjustmentDecider, approvalId);
    return old.status === 'none' ? approvalDecider : oldAdjustmentDecider;
  }

  async load(approvalId: string): Promise<ApprovalState> {
    return this.streams.load(await this.deciderOf(approvalId), approvalId);
  }

  async decide(
    approvalId: string,
    decided: Unclocked<ApprovalCommand>,
    actor: string,
  ): Promise<ApprovalResult> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: approvalId };
    const decider = await this.deciderOf(approvalId);
    const outcome = await this.streams.execute(decider, approvalId, command, metadata);
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'what was decided on was asked for');
    return { accepted: true, id: approvalId, status: outcome.state.status };
  }

  /** Approves a request. An adjustment's value counts towards what requester and approver may give together. */
  async approve(approvalId: string, approvedBy: string): Promise<ApprovalResult> {
    const approver = await this.approver(approvalId, approvedBy);
    const decider = await this.deciderOf(approvalId);
    return this.streams.transact({ actor: approvedBy, correlationId: approvalId }, async (work) => {
      const request = await work.open(decider, approvalId);
      const asked = request.state;
      if (asked.status === 'none') return { accepted: false, rejection: { code: 'NotFound' } };
      const { by } = asked;
      const both = await work.open(togetherCounter, { by, approvedBy });
      const at = this.clock.now().toISOString();
      const decision = request.decide({ type: 'Approve', ...approver, together: both.state, now: at });
      if (!decision.accepted) return decision;
      const valueMicroUsd = asked.work.kind === 'adjustment' ? asked.work.valueMicroUsd : 0;
      if (decision.events.length > 0 && valueMicroUsd > 0)
        both.decide({ adjustmentId: approvalId, by, approvedBy, valueMicroUsd, at });
      return { accepted: true, id: approvalId, status: 'approved' };
    });
  }

  /** Stores a reason outside the log until the beneficiary, or the buyer of a sale under review, is erased. */
  async keep(
    reason: string,
    { approvalId, beneficiary, work }: Pick<RequestedApproval, 'approvalId' | 'beneficiary' | 'work'>,
  ): Promise<Reason> {
    const buyer = work.kind === 'release-sale' ? work.buyerId : undefined;
    const about = [beneficiary, buyer].filter((userId) => userId !== undefined);
    const stream = (await this.deciderOf(approvalId)).streamOf(approvalId);
    return { reason: '', ...(await this.remarks.keep(reason, { stream, about })) };
  }

  /** Returns the person who decides on a request, with the roles that the person holds now. */
  async approver(approvalId: string, by: string): Promise<Approver> {
    const request = await this.load(approvalId);
    const beneficiary = request.status === 'none' ? undefined : request.beneficiary;
    const roles = await this.streams.load(staffDecider, by);
    return { by, roles, boughtFromThem: await this.boughtFrom(by, beneficiary) };
  }

  async boughtFrom(creatorId: string, buyerId: string | undefined): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - RELATED_BUYER_DAYS * DAY_MS);
    return buyerId !== undefined && (await this.queries.boughtFrom({ creatorId, buyerId, since }));
  }
}
