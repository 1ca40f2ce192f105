import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { skippedEventDecider } from '../../domain/administration/skipped-event.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { SkipParkedEvent } from './commands.js';

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
