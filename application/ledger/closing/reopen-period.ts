import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { periodDecider, type PeriodRejection, type Reopening } from '../../../domain/ledger/period.js';
import type { Outcome } from '../../../domain/shared/decision.js';
import { RequestApproval } from '../../approvals/request-approval.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { BookQueries } from '../queries.js';
import type { ApprovalResult } from '../../approvals/approvals.js';

export class RequestReopening extends Command<ApprovalResult<PeriodRejection>> {
  constructor(
    readonly approvalId: string,
    readonly month: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Reopens a month. The balances of the closing stay in the log. */
export class ReopenPeriod extends Command<Outcome<object, PeriodRejection>> {
  constructor(readonly reopening: Reopening) {
    super();
  }
}

@CommandHandler(RequestReopening)
export class RequestReopeningHandler implements ICommandHandler<RequestReopening> {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute(asked: RequestReopening): ReturnType<ICommandHandler<RequestReopening>['execute']> {
    const { approvalId, month, reason, by } = asked;
    const { closedMonths } = await this.books.turn();
    const now = this.clock.now().toISOString();
    const consent = { approvalId, approvedBy: '', reason: '' };
    const possible = periodDecider.decide(
      { type: 'ReopenPeriod', month, by, ...consent, now, closedMonths },
      await this.streams.load(periodDecider, month),
    );
    if (!possible.accepted) return possible;
    const work = { kind: 'reopen-month', month } as const;
    return this.commands.execute(new RequestApproval({ approvalId, work, by, reason }));
  }
}

@CommandHandler(ReopenPeriod)
export class ReopenPeriodHandler implements ICommandHandler<ReopenPeriod> {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ reopening }: ReopenPeriod): ReturnType<ICommandHandler<ReopenPeriod>['execute']> {
    const { month, by: actor, approvalId } = reopening;
    const { closedMonths } = await this.books.turn();
    const command = {
      type: 'ReopenPeriod',
      ...reopening,
      closedMonths,
      now: this.clock.now().toISOString(),
    } as const;
    const metadata = { actor, correlationId: approvalId };
    const outcome = await this.streams.execute(periodDecider, month, command, metadata);
    return outcome.accepted ? { accepted: true } : outcome;
  }
}
