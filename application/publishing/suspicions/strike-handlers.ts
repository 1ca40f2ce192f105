import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { strikeDecider } from '../../../domain/publishing/strikes.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { LiftStrike, RecordStrike } from './commands.js';

@Injectable()
export class CountedStrikes {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async decide(
    type: 'RecordStrike' | 'LiftStrike',
    { userId, because, by }: RecordStrike | LiftStrike,
  ): Promise<void> {
    const now = this.clock.now().toISOString();
    const metadata = { actor: by, correlationId: because.id };
    await this.streams.execute(strikeDecider, userId, { type, userId, because, by, now }, metadata);
  }
}

@CommandHandler(RecordStrike)
export class RecordStrikeHandler implements ICommandHandler<RecordStrike> {
  constructor(private readonly strikes: CountedStrikes) {}

  execute(command: RecordStrike): Promise<void> {
    return this.strikes.decide('RecordStrike', command);
  }
}

@CommandHandler(LiftStrike)
export class LiftStrikeHandler implements ICommandHandler<LiftStrike> {
  constructor(private readonly strikes: CountedStrikes) {}

  execute(command: LiftStrike): Promise<void> {
    return this.strikes.decide('LiftStrike', command);
  }
}

export const STRIKE_HANDLERS = [LiftStrikeHandler, RecordStrikeHandler];
