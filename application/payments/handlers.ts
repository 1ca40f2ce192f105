import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { booksBeginDecider } from '../../domain/ledger/books-begin.js';
import { boundsOf } from '../../domain/ledger/period.js';
import { balanceTransactionDecider } from '../../domain/payments/balance-transaction.js';
import { bankPayoutDecider } from '../../domain/payments/bank-payout.js';
import { setAside } from '../alerts/set-aside.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { RecordBankPayout, RecordMovement } from './commands.js';

@CommandHandler(RecordBankPayout)
export class RecordBankPayoutHandler implements ICommandHandler<RecordBankPayout> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ payout, cause }: RecordBankPayout): Promise<void> {
    const { payoutId, sentAt, arrivalAt } = payout;
    const at = { sentAt: sentAt.toISOString(), arrivalAt: arrivalAt.toISOString() };
    const outcome = await this.streams.execute(
      bankPayoutDecider,
      payoutId,
      { type: 'RecordBankPayout', ...payout, ...at, now: this.clock.now().toISOString() },
      { ...cause, correlationId: bankPayoutDecider.streamOf(payoutId) },
    );
    if (!outcome.accepted)
      await this.commands.execute(setAside('bank-payout', payoutId, outcome.rejection.detail, cause));
  }
}

@CommandHandler(RecordMovement)
export class RecordMovementHandler implements ICommandHandler<RecordMovement> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
  ) {}

  async execute({ transactionId, decision, cause }: RecordMovement): Promise<boolean> {
    const metadata = { ...cause, correlationId: balanceTransactionDecider.streamOf(transactionId) };
    const begun = (await this.streams.load(booksBeginDecider, undefined)).at(-1);
    const command = { ...decision, ...(begun && { booksBegin: boundsOf(begun.month).from.toISOString() }) };
    const outcome = await this.streams.execute(balanceTransactionDecider, transactionId, command, metadata);
    if (outcome.accepted) return outcome.events.length > 0;
    await this.commands.execute(setAside('movement', transactionId, outcome.rejection.detail, cause));
    return false;
  }
}
