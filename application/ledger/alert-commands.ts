import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { alertDecider, type Alert } from '../../domain/alerts/alert.js';
import { transferGroupOf } from '../../domain/payouts/payouts.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import type { SeenCause } from './alert-contract.js';
import { AlertQueries } from './queries.js';
import { SET_ASIDE } from '../alerts/set-aside.js';
import { PayoutGateway } from '../payments/payout-gateway.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { Streams } from '../shared/streams.js';
import { BalanceTransactions } from '../payments/balance-transactions.js';
import { RecordBankPayout } from '../payments/record-bank-payout.js';
import { MoneyBackFacts } from '../payments/money-back.js';
import { TransferFacts } from '../payouts/transfer-facts.js';

/**
 * Reads the provider's report behind an alert again. Settles the alert if the report no longer contradicts the log.
 * `NotFound`: no open alert of the kind `fact-set-aside` has this id, or the provider no longer has the report.
 */
export class RetryFact extends Command<Outcome<{ agrees: boolean }, { code: 'NotFound' }>> {
  constructor(
    /** The key of an alert or the id of its subject: an id of the provider, or our id of a refund or withdrawal. */
    readonly id: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(RetryFact)
export class RetryFactHandler implements ICommandHandler<RetryFact> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly alerts: AlertQueries,
    private readonly movements: BalanceTransactions,
    private readonly moneyBack: MoneyBackFacts,
    private readonly payouts: PayoutGateway,
    private readonly transfers: TransferFacts,
  ) {}

  async execute({ id, by }: RetryFact): Promise<CommandResult<RetryFact>> {
    const keys = await this.alerts.lasting(SET_ASIDE);
    const key = keys.find((each) => each === id || each.endsWith(`-${id}`));
    if (key === undefined) return reject({ code: 'NotFound' });
    const history = await this.streams.history(alertDecider, key);
    const raised = history.findLast(({ type }) => type === 'AlertRaised');
    await this.commands.execute(new DecideAlert({ type: 'RetryAlert', key, by }, by));
    if (!(await this.readAgain(raised?.data as Alert, by))) return reject({ code: 'NotFound' });
    // If the report still contradicts the log, `readAgain` has raised the alert again, and `SettleAlert` has no effect.
    await this.commands.execute(new DecideAlert({ type: 'SettleAlert', key, afterRetry: true }, by));
    return { accepted: true, agrees: (await this.streams.load(alertDecider, key)) === 'settled' };
  }

  /** Records the provider's current report. @returns false if the provider no longer has the report */
  private async readAgain({ key, item = '', chargeId }: Alert, actor: string): Promise<boolean> {
    const cause = { actor, causationId: alertDecider.streamOf(key) };
    switch (key.slice(0, -item.length - 1)) {
      case 'movement':
        await this.movements.record(item, cause);
        return true;
      case 'bank-payout': {
        const payout = await this.payouts.readBankPayout(item);
        if (payout) await this.commands.execute(new RecordBankPayout(payout, cause));
        return payout !== undefined;
      }
      case 'money-back':
        return chargeId !== undefined && this.moneyBack.record(chargeId, cause.causationId);
      case 'withdrawal': {
        const found = await this.payouts.findTransfers(transferGroupOf(item));
        for (const transfer of found) await this.transfers.record(transfer, cause);
        return found.length > 0;
      }
      default:
        return false;
    }
  }
}

/**
 * Marks the alerts of a cause that were raised up to `lastPosition` as
 * seen. Repeating an interrupted command is safe.
 */
export class SeeCause extends Command<Outcome<object, { code: 'NotFound' }>> {
  constructor(
    readonly cause: SeenCause,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SeeCause)
export class SeeCauseHandler implements ICommandHandler<SeeCause> {
  constructor(
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ cause, by }: SeeCause): Promise<CommandResult<SeeCause>> {
    const keys = await this.alerts.unseen(cause);
    await forEachCollectingErrors(keys, (key) =>
      this.commands.execute(new DecideAlert({ type: 'SeeAlert', key, by }, by)),
    );
    return keys.length > 0 ? { accepted: true } : reject({ code: 'NotFound' });
  }
}
