import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StatusCause } from '../../../domain/publishing/sample-status.js';
import { strikeDecider } from '../../../domain/publishing/strikes.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';

export abstract class DecideOnStrike extends Command<void> {
  abstract readonly type: 'RecordStrike' | 'LiftStrike';

  constructor(
    readonly userId: string,
    readonly because: StatusCause,
    readonly by: string,
  ) {
    super();
  }
}

/** Records a strike, because a recording belonged to another creator. The same cause is recorded only once. */
export class RecordStrike extends DecideOnStrike {
  readonly type = 'RecordStrike';
}

/** Removes a strike, because the recording was the creator's own after all. */
export class LiftStrike extends DecideOnStrike {
  readonly type = 'LiftStrike';
}

@CommandHandler(DecideOnStrike)
export class DecideOnStrikeHandler implements ICommandHandler<DecideOnStrike> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ type, userId, because, by }: DecideOnStrike): Promise<void> {
    const now = this.clock.now().toISOString();
    const metadata = { actor: by, correlationId: because.id };
    await this.streams.execute(strikeDecider, userId, { type, userId, because, by, now }, metadata);
  }
}
