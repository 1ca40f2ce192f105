import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { alertDecider, type AlertCommand } from '../../domain/ledger/alert.js';
import { Clock } from '../shared/clock.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { DecideAlert, SeeCause } from './commands.js';
import { AlertQueries } from './queries.js';

/** Keeps what a person has to see until somebody has, or until it is over. */
@CommandHandler(DecideAlert)
export class DecideAlertHandler implements ICommandHandler<DecideAlert> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ decision, actor }: DecideAlert): Promise<boolean> {
    const key = keyOf(decision);
    const command: AlertCommand = { ...decision, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: alertDecider.streamOf(key) };
    return (await this.streams.execute(alertDecider, key, command, metadata)).accepted;
  }
}

/** If it is interrupted, repeating it sees the rest. */
@CommandHandler(SeeCause)
export class SeeCauseHandler implements ICommandHandler<SeeCause> {
  constructor(
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ cause, by }: SeeCause): Promise<number> {
    const keys = await this.alerts.unseen(cause);
    await forEachCollectingErrors(keys, (key) =>
      this.commands.execute(new DecideAlert({ type: 'SeeAlert', key, by }, by)),
    );
    return keys.length;
  }
}

const keyOf = (decision: Unclocked<AlertCommand>): string =>
  decision.type === 'RaiseAlert' ? decision.alert.key : decision.key;
