import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { alertDecider, type AlertCommand } from '../../domain/alerts/alert.js';
import { Clock } from '../shared/clock.js';
import { Streams, type Unclocked } from '../shared/streams.js';

/** Raises or settles an alert, or records who saw it. Returns whether the alert exists. */
export class DecideAlert extends Command<boolean> {
  constructor(
    readonly decision: Unclocked<AlertCommand>,
    readonly actor: string,
  ) {
    super();
  }
}

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

const keyOf = (decision: Unclocked<AlertCommand>): string =>
  decision.type === 'RaiseAlert' ? decision.alert.key : decision.key;
