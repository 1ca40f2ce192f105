import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  booksBeginDecider,
  type BooksBegin,
  type BeginBooksRejection,
} from '../../../domain/ledger/books-begin.js';
import type { Outcome } from '../../../domain/shared/decision.js';
import { RequestApproval } from '../../approvals/request-approval.js';
import { ApprovalQueries } from '../../approvals/queries.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { BookQueries } from '../queries.js';
import type { ApprovalResult } from '../../approvals/approvals.js';

export class RequestBeginning extends Command<
  ApprovalResult<BeginBooksRejection | { code: 'AlreadyRequested' }>
> {
  constructor(
    readonly approvalId: string,
    readonly month: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Sets the first month of the books, once per approval. The next sweep of the balance posts the opening balances. */
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

  async execute(asked: RequestBeginning): ReturnType<ICommandHandler<RequestBeginning>['execute']> {
    const { approvalId, month, reason, by } = asked;
    const consent = { approvalId, approvedBy: '', reason: '' };
    const possible = booksBeginDecider.decide(
      await commandOf({ month, by, ...consent }, this.books, this.clock),
      await this.streams.load(booksBeginDecider, undefined),
    );
    if (!possible.accepted) return possible;
    const waiting = await this.approvals.list({ state: 'waiting', limit: 100 });
    if (waiting.items.some(({ work }) => work.kind === 'begin-books'))
      return { accepted: false, rejection: { code: 'AlreadyRequested' } };
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

  async execute({ beginning }: BeginBooks): ReturnType<ICommandHandler<BeginBooks>['execute']> {
    const { by: actor, approvalId } = beginning;
    const command = await commandOf(beginning, this.books, this.clock);
    const metadata = { actor, correlationId: approvalId };
    const outcome = await this.streams.execute(booksBeginDecider, undefined, command, metadata);
    return outcome.accepted ? { accepted: true } : outcome;
  }
}
