import { Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  approvalDecider,
  type ApprovalCommand,
  type ApprovalState,
  type RequestedApproval,
} from '../../domain/administration/approval.js';
import type { Approver } from '../../domain/shared/second-person.js';
import { reasonIn, type Reason } from '../../domain/shared/remark.js';
import { assert, unreachable } from '../../domain/shared/decision.js';
import { GrantStaffRole, RevokeStaffRole } from '../accounts/commands.js';
import { BeginBooks, PostAdjustingEntry, ReopenPeriod } from '../ledger/commands.js';
import { RefundInvoice } from '../payments/commands.js';
import { WriteOffDebts } from '../payouts/write-off-debts.js';
import { Adjustments } from '../credits/adjustments.js';
import { Clock } from '../shared/clock.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import {
  ApproveRequest,
  CarryOutRequest,
  ChangeLimits,
  DeclineRequest,
  LapseRequest,
  RecordRestore,
  RequestApproval,
  WithdrawRequest,
  type ApprovalResult,
} from './approval-commands.js';
import { AdminQueries } from './queries.js';
import { ChangeLimitsHandler } from './change-limits.js';
import { RecordRestoreHandler } from './record-restore.js';
import { RequestRefundHandler } from './request-refund.js';

const HOUSE = 'system:approvals';

/** Decides on requests, and knows of people what such a decision depends on. */
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

  /** What people said is kept beside the log, and forgotten with each whom it may tell of. */
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

@CommandHandler(RequestApproval)
export class RequestApprovalHandler implements ICommandHandler<RequestApproval> {
  constructor(private readonly approvals: Approvals) {}

  async execute({ requested }: RequestApproval): Promise<ApprovalResult> {
    const { approvalId, by, reason } = requested;
    const said = await this.approvals.keep(reason, requested);
    return this.approvals.decide(approvalId, { type: 'RequestApproval', ...requested, ...said }, by);
  }
}

@CommandHandler(ApproveRequest)
export class ApproveRequestHandler implements ICommandHandler<ApproveRequest> {
  constructor(
    private readonly approvals: Approvals,
    private readonly commands: CommandBus,
  ) {}

  async execute({ approvalId, by }: ApproveRequest): Promise<ApprovalResult> {
    const approver = await this.approvals.approver(approvalId, by);
    const decided = await this.approvals.decide(approvalId, { type: 'Approve', ...approver }, by);
    return decided.accepted ? this.commands.execute(new CarryOutRequest(approvalId)) : decided;
  }
}

@CommandHandler(DeclineRequest)
export class DeclineRequestHandler implements ICommandHandler<DeclineRequest> {
  constructor(private readonly approvals: Approvals) {}

  async execute({ approvalId, by, reason }: DeclineRequest): Promise<ApprovalResult> {
    const request = await this.approvals.load(approvalId);
    if (request.status === 'none') return { accepted: false, rejection: { code: 'NotFound' } };
    const approver = await this.approvals.approver(approvalId, by);
    const said = await this.approvals.keep(reason, request);
    return this.approvals.decide(approvalId, { type: 'Decline', ...approver, ...said }, by);
  }
}

@CommandHandler(WithdrawRequest)
export class WithdrawRequestHandler implements ICommandHandler<WithdrawRequest> {
  constructor(private readonly approvals: Approvals) {}

  execute({ approvalId, by }: WithdrawRequest): Promise<ApprovalResult> {
    return this.approvals.decide(approvalId, { type: 'Withdraw', by }, by);
  }
}

@CommandHandler(LapseRequest)
export class LapseRequestHandler implements ICommandHandler<LapseRequest> {
  constructor(private readonly approvals: Approvals) {}

  execute({ approvalId }: LapseRequest): Promise<ApprovalResult> {
    return this.approvals.decide(approvalId, { type: 'Lapse' }, HOUSE);
  }
}

@CommandHandler(CarryOutRequest)
export class CarryOutRequestHandler implements ICommandHandler<CarryOutRequest> {
  constructor(
    private readonly approvals: Approvals,
    private readonly people: AdminQueries,
    private readonly debts: WriteOffDebts,
    private readonly remarks: Remarks,
    private readonly commands: CommandBus,
  ) {}

  async execute({ approvalId }: CarryOutRequest): Promise<ApprovalResult> {
    const state = await this.approvals.load(approvalId);
    if (state.status === 'none') return { accepted: false, rejection: { code: 'NotFound' } };
    if (state.status !== 'approved') return { accepted: true, id: approvalId, status: state.status };
    const obstacle = await this.perform(state);
    const outcome = { type: 'RecordOutcome', ...(obstacle !== undefined && { obstacle }) } as const;
    return this.approvals.decide(approvalId, outcome, HOUSE);
  }

  /** Does it, or says why it cannot be done; may be called again after it was done. */
  private async perform(request: Exclude<ApprovalState, { status: 'none' }>): Promise<string | undefined> {
    const { approvalId, work, by, approvedBy } = request;
    assert(approvedBy !== undefined, 'only what somebody agreed to is done');
    switch (work.kind) {
      case 'grant-role':
        if (!(await this.people.userExists(work.userId))) return 'NotFound';
        await this.commands.execute(new GrantStaffRole(work.userId, work.role, by, approvedBy));
        return undefined;
      case 'revoke-role': {
        const consent = { reason: reasonIn(request), approvedBy };
        const revoke = new RevokeStaffRole(work.userId, work.role, by, consent);
        const revoked = await this.commands.execute(revoke);
        return revoked.accepted ? undefined : revoked.rejection.code;
      }
      case 'refund': {
        const { of, amountMicroUsd: mostMicroUsd } = work;
        const explanation = await textOf(this.remarks, request);
        const consent = { refundId: approvalId, of, by, approvedBy, explanation, mostMicroUsd };
        const refunded = await this.commands.execute(new RefundInvoice(consent));
        return refunded.accepted ? undefined : refunded.rejection.code;
      }
      case 'write-off':
        await this.debts.writeOff(work.creatorId, {
          approvalId,
          approvedBy,
          mostMicroUsd: work.amountMicroUsd,
        });
        return undefined;
      case 'adjusting-entry': {
        const { kind: _, ...entry } = work;
        const consent = { entryId: approvalId, requestedBy: by, approvedBy, ...reasonIn(request) };
        const posted = await this.commands.execute(new PostAdjustingEntry({ ...entry, ...consent }));
        return posted.accepted ? undefined : posted.rejection.code;
      }
      case 'limits': {
        const { kind: _, ...limits } = work;
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        await this.commands.execute(new ChangeLimits({ limits, ...consent }));
        return undefined;
      }
      case 'reopen-month': {
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        const reopened = await this.commands.execute(new ReopenPeriod({ month: work.month, ...consent }));
        return reopened.accepted ? undefined : reopened.rejection.code;
      }
      case 'begin-books': {
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        const begun = await this.commands.execute(new BeginBooks({ month: work.month, ...consent }));
        return begun.accepted ? undefined : begun.rejection.code;
      }
      case 'record-restore': {
        const { position, heads } = work;
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        await this.commands.execute(new RecordRestore({ position, heads, ...consent }));
        return undefined;
      }
      case 'release-sale':
        return undefined; // The consent itself releases it.
      default:
        return unreachable(work);
    }
  }
}

export const APPROVAL_HANDLERS = [
  RequestApprovalHandler,
  ApproveRequestHandler,
  DeclineRequestHandler,
  WithdrawRequestHandler,
  LapseRequestHandler,
  CarryOutRequestHandler,
  RequestRefundHandler,
  ChangeLimitsHandler,
  RecordRestoreHandler,
];
