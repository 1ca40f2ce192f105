import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { alertDecider, type AlertCommand, type AlertRejection } from '../../domain/alerts/alert.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { Streams, type Unclocked } from '../shared/streams.js';

/** Raises or settles an alert, or records who saw or retried it. */
export class DecideAlert extends Command<Outcome<object, AlertRejection>> {
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

  async execute({ decision, actor }: DecideAlert): Promise<CommandResult<DecideAlert>> {
    const key = keyOf(decision);
    const command: AlertCommand = { ...decision, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: alertDecider.streamOf(key) };
    return this.streams.execute(alertDecider, key, command, metadata);
  }
}

const keyOf = (decision: Unclocked<AlertCommand>): string =>
  decision.type === 'RaiseAlert' ? decision.alert.key : decision.key;
