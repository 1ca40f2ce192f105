import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { alertDecider, type Alert } from '../../domain/alerts/alert.js';
import { transferGroupOf } from '../../domain/payouts/payouts.js';
import { RetryFact, type RetryOutcome } from './commands.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { AlertQueries } from './queries.js';
import { SET_ASIDE } from '../alerts/set-aside.js';
import { PayoutGateway } from '../payments/payout-gateway.js';
import { Streams } from '../shared/streams.js';
import { BalanceTransactions } from '../payments/balance-transactions.js';
import { RecordBankPayout, RecordTransfer } from '../payments/commands.js';
import { MoneyBackFacts } from '../payments/money-back.js';

@CommandHandler(RetryFact)
export class RetryFactHandler implements ICommandHandler<RetryFact> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly alerts: AlertQueries,
    private readonly movements: BalanceTransactions,
    private readonly moneyBack: MoneyBackFacts,
    private readonly payouts: PayoutGateway,
  ) {}

  async execute({ id, by }: RetryFact): Promise<RetryOutcome> {
    const keys = await this.alerts.lasting(SET_ASIDE);
    const key = keys.find((each) => each === id || each.endsWith(`-${id}`));
    if (key === undefined) return 'unknown';
    const history = await this.streams.history(alertDecider, key);
    const raised = history.findLast(({ type }) => type === 'AlertRaised');
    await this.commands.execute(new DecideAlert({ type: 'RetryAlert', key, by }, by));
    if (!(await this.readAgain(raised?.data as Alert, by))) return 'unknown';
    // If the report still contradicts, the alert was just raised again, and this does nothing.
    await this.commands.execute(new DecideAlert({ type: 'SettleAlert', key, afterRetry: true }, by));
    return (await this.streams.load(alertDecider, key)) === 'settled' ? 'agrees' : 'contradicts';
  }

  /** @returns whether the provider still has the report */
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
        for (const transfer of found) await this.commands.execute(new RecordTransfer(transfer, cause));
        return found.length > 0;
      }
      default:
        return false;
    }
  }
}
