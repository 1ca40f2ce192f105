import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { periodDecider, type PeriodRejection } from '../../../domain/ledger/period.js';
import type { Outcome } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';

/** Signs a closed month, as a person who did not close it. Has no effect if it is signed already. */
export class SignPeriod extends Command<Outcome<object, PeriodRejection>> {
  constructor(
    readonly month: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SignPeriod)
export class SignPeriodHandler implements ICommandHandler<SignPeriod> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  execute({ month, by }: SignPeriod): Promise<CommandResult<SignPeriod>> {
    const command = { type: 'SignPeriod', month, by, now: this.clock.now().toISOString() } as const;
    return this.streams.execute(periodDecider, month, command, {
      actor: by,
      correlationId: periodDecider.streamOf(month),
    });
  }
}
