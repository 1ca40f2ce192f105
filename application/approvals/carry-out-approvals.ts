import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ApprovalEvent } from '../../domain/approvals/approval.js';
import { asApprovalEvent, type OldAdjustmentEvent } from '../../domain/approvals/old-adjustment.js';
import { Clock } from '../shared/clock.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { CarryOutRequest } from './carry-out-request.js';
import { LapseRequest } from './decide-on-request.js';
import { ApprovalQueries } from './queries.js';

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
      await this.commands.execute(new LapseRequest(approvalId));
  }
}
