import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import {
  booksBeginDecider,
  type BooksBegin,
  type BeginBooksRejection,
} from '../../../domain/ledger/books-begin.js';
import { periodDecider, type PeriodRejection, type Reopening } from '../../../domain/ledger/period.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import type { ApprovalResult } from '../../approvals/approvals.js';
import { ApprovalQueries } from '../../approvals/queries.js';
import { RequestApproval } from '../../approvals/decide-on-request.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { BookQueries } from '../queries.js';

interface MonthRequest {
  approvalId: string;
  month: string;
  reason: string;
  by: string;
}

/** Placeholders for the second person: the decider also checks a request before that person has decided. */
const UNDECIDED = { approvedBy: '', reason: '' };

export class RequestBeginning extends Command<
  ApprovalResult<BeginBooksRejection | { code: 'AlreadyRequested' }>
> {
  constructor(readonly request: MonthRequest) {
    super();
  }
}

/**
 * Sets the first month of the books, once per approval. The next run of `BalanceTransactions.sweep` posts the
 * opening balances.
 */
export class BeginBooks extends Command<Outcome<object, BeginBooksRejection>> {
  constructor(readonly beginning: BooksBegin) {
    super();
  }
}

const commandOf = async (beginning: BooksBegin, books: BookQueries, clock: Clock) => ({
  type: 'BeginBooks' as const,
  ...beginning,
  closedMonths: (await books.turn()).closedMonths,
  firstOwnMonth: await books.firstOwnMonth(),
  now: clock.now().toISOString(),
});

@CommandHandler(RequestBeginning)
export class RequestBeginningHandler implements ICommandHandler<RequestBeginning> {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly approvals: ApprovalQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: RequestBeginning): Promise<CommandResult<RequestBeginning>> {
    const { approvalId, month, reason, by } = request;
    const possible = booksBeginDecider.decide(
      await commandOf({ month, by, approvalId, ...UNDECIDED }, this.books, this.clock),
      await this.streams.load(booksBeginDecider, undefined),
    );
    if (!possible.accepted) return possible;
    const waiting = await this.approvals.list({ state: 'waiting', limit: 100 });
    if (waiting.items.some(({ work }) => work.kind === 'begin-books'))
      return reject({ code: 'AlreadyRequested' });
    const work = { kind: 'begin-books', month } as const;
    return this.commands.execute(new RequestApproval({ approvalId, work, by, reason }));
  }
}

@CommandHandler(BeginBooks)
export class BeginBooksHandler implements ICommandHandler<BeginBooks> {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ beginning }: BeginBooks): Promise<CommandResult<BeginBooks>> {
    const command = await commandOf(beginning, this.books, this.clock);
    const metadata = { actor: beginning.by, correlationId: beginning.approvalId };
    return this.streams.execute(booksBeginDecider, undefined, command, metadata);
  }
}

export class RequestReopening extends Command<ApprovalResult<PeriodRejection>> {
  constructor(readonly request: MonthRequest) {
    super();
  }
}

/** Reopens a month. The log keeps the balances that the closing stored. */
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

  async execute({ request }: RequestReopening): Promise<CommandResult<RequestReopening>> {
    const { approvalId, month, reason, by } = request;
    const { closedMonths } = await this.books.turn();
    const now = this.clock.now().toISOString();
    const possible = periodDecider.decide(
      { type: 'ReopenPeriod', month, by, approvalId, ...UNDECIDED, now, closedMonths },
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

  async execute({ reopening }: ReopenPeriod): Promise<CommandResult<ReopenPeriod>> {
    const { month, by: actor, approvalId } = reopening;
    const { closedMonths } = await this.books.turn();
    const now = this.clock.now().toISOString();
    const command = { type: 'ReopenPeriod', ...reopening, closedMonths, now } as const;
    return this.streams.execute(periodDecider, month, command, { actor, correlationId: approvalId });
  }
}
