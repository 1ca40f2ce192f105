import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import {
  balanceTransactionDecider,
  type BalanceTransactionCommand,
  type BalanceTransactionRejection,
} from '../../domain/payments/balance-transaction.js';
import { booksBeginDecider } from '../../domain/ledger/books-begin.js';
import { boundsOf } from '../../domain/ledger/period.js';
import type { Cause } from '../shared/event-store.js';
import { setAside } from '../alerts/set-aside.js';
import { Streams } from '../shared/streams.js';

/** Records a movement, or moves it into or out of suspense. Raises an alert if it contradicts the record. */
export class RecordMovement extends Command<Outcome<{ changed: boolean }, BalanceTransactionRejection>> {
  constructor(
    readonly transactionId: string,
    readonly decision: BalanceTransactionCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}

@CommandHandler(RecordMovement)
export class RecordMovementHandler implements ICommandHandler<RecordMovement> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
  ) {}

  async execute({ transactionId, decision, cause }: RecordMovement): Promise<CommandResult<RecordMovement>> {
    const metadata = { ...cause, correlationId: balanceTransactionDecider.streamOf(transactionId) };
    const begun = (await this.streams.load(booksBeginDecider, undefined)).at(-1);
    const command = { ...decision, ...(begun && { booksBegin: boundsOf(begun.month).from.toISOString() }) };
    const outcome = await this.streams.execute(balanceTransactionDecider, transactionId, command, metadata);
    if (outcome.accepted) return { accepted: true, changed: outcome.events.length > 0 };
    await this.commands.execute(setAside('movement', transactionId, outcome.rejection.detail, cause));
    return outcome;
  }
}
