import { Command, CommandHandler, CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import type { RequestedApproval, ApprovalState, ApprovalEvent } from '../../domain/approvals/approval.js';
import { reject } from '../../domain/shared/decision.js';
import { asApprovalEvent, type OldAdjustmentEvent } from '../../domain/approvals/old-adjustment.js';
import { limitsDecider, type LimitsChanged } from '../../domain/approvals/limits-set.js';
import { Approvals, APPROVALS_ACTOR, type ApprovalResult } from './approvals.js';
import { Clock } from '../shared/clock.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { ApprovalQueries } from './queries.js';
import { Streams } from '../shared/streams.js';

/** Requests the approval of a second person. A repeated id has no effect. */
export class RequestApproval extends Command<ApprovalResult> {
  constructor(readonly requested: RequestedApproval) {
    super();
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

export type ApprovedRequest = Exclude<ApprovalState, { status: 'none' }>;

export abstract class ApprovedWork {
  /** Carries out an approved request. Returns the code of the obstacle if that is impossible. Idempotent. */
  abstract perform(request: ApprovedRequest): Promise<string | undefined>;
}

/** Runs the work of an approved request. Idempotent. */
export class CarryOutRequest extends Command<ApprovalResult> {
  constructor(readonly approvalId: string) {
    super();
  }
}

@CommandHandler(CarryOutRequest)
export class CarryOutRequestHandler implements ICommandHandler<CarryOutRequest> {
  constructor(
    private readonly approvals: Approvals,
    private readonly work: ApprovedWork,
  ) {}

  async execute({ approvalId }: CarryOutRequest): Promise<ApprovalResult> {
    const state = await this.approvals.load(approvalId);
    if (state.status === 'none') return reject({ code: 'NotFound' });
    if (state.status !== 'approved') return { accepted: true, id: approvalId, status: state.status };
    const obstacle = await this.work.perform(state);
    const outcome = { type: 'RecordOutcome', ...(obstacle !== undefined && { obstacle }) } as const;
    return this.approvals.decide(approvalId, outcome, APPROVALS_ACTOR);
  }
}

export type RequestDecision =
  | { type: 'Approve' | 'Withdraw' | 'Lapse' }
  | { type: 'Decline'; reason: string };

/** Records a decision on a request, or that it lapsed. After an approval, the requested work runs at once. */
export class DecideOnRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
    readonly decision: RequestDecision,
  ) {
    super();
  }
}

@CommandHandler(DecideOnRequest)
export class DecideOnRequestHandler implements ICommandHandler<DecideOnRequest> {
  constructor(
    private readonly approvals: Approvals,
    private readonly commands: CommandBus,
  ) {}

  async execute({ approvalId, by, decision }: DecideOnRequest): Promise<ApprovalResult> {
    switch (decision.type) {
      case 'Approve': {
        const decided = await this.approvals.approve(approvalId, by);
        return decided.accepted ? this.commands.execute(new CarryOutRequest(approvalId)) : decided;
      }
      case 'Decline': {
        const request = await this.approvals.load(approvalId);
        if (request.status === 'none') return reject({ code: 'NotFound' });
        const approver = await this.approvals.approver(approvalId, by);
        const said = await this.approvals.keep(decision.reason, request);
        return this.approvals.decide(approvalId, { type: 'Decline', ...approver, ...said }, by);
      }
      case 'Withdraw':
        return this.approvals.decide(approvalId, { type: 'Withdraw', by }, by);
      case 'Lapse':
        return this.approvals.decide(approvalId, { type: 'Lapse' }, by);
    }
  }
}

type Given = Extract<
  ApprovalEvent | OldAdjustmentEvent,
  { type: 'ApprovalGiven' | 'ApprovalNotNeeded' | 'AdjustmentApproved' | 'AdjustmentMadeAlone' }
>;

/** Runs approved work that a crashed node did not run, and lapses overdue requests. */
@Injectable()
export class CarryOutApprovals implements Reactor<Given> {
  readonly name = 'carry-out-approvals';
  readonly types = [
    'ApprovalGiven',
    'ApprovalNotNeeded',
    'AdjustmentApproved',
    'AdjustmentMadeAlone',
  ] as const;

  constructor(
    private readonly commands: CommandBus,
    private readonly approvals: ApprovalQueries,
    private readonly clock: Clock,
  ) {}

  async handle(event: Recorded<Given>): Promise<void> {
    await this.commands.execute(new CarryOutRequest(asApprovalEvent(event).data.approvalId));
  }

  async lapse(): Promise<void> {
    for (const approvalId of await this.approvals.overdue(this.clock.now()))
      await this.commands.execute(new DecideOnRequest(approvalId, APPROVALS_ACTOR, { type: 'Lapse' }));
  }
}

/** Changes what one person may decide alone. A repeated approval id has no effect. */
export class ChangeLimits extends Command<void> {
  constructor(readonly change: Omit<LimitsChanged['data'], 'at'>) {
    super();
  }
}

@CommandHandler(ChangeLimits)
export class ChangeLimitsHandler implements ICommandHandler<ChangeLimits> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ change }: ChangeLimits): Promise<void> {
    const command = { type: 'ChangeLimits', ...change, now: this.clock.now().toISOString() } as const;
    const metadata = { actor: change.by, correlationId: change.approvalId };
    await this.streams.execute(limitsDecider, undefined, command, metadata);
  }
}
