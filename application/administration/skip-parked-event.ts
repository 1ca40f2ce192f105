import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { skippedEventDecider } from '../../domain/administration/skipped-event.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';

/** Records that a subscription of the log skips an event that it cannot handle. */
export class SkipParkedEvent extends Command<void> {
  constructor(
    readonly subscription: string,
    readonly position: number,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SkipParkedEvent)
export class SkipParkedEventHandler implements ICommandHandler<SkipParkedEvent> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ subscription, position, reason, by }: SkipParkedEvent): Promise<void> {
    const now = this.clock.now().toISOString();
    await this.streams.execute(
      skippedEventDecider,
      subscription,
      { type: 'SkipParkedEvent', subscription, position, reason, by, now },
      {
        actor: by,
        correlationId: skippedEventDecider.streamOf(subscription),
        causationId: String(position),
      },
    );
  }
}
