import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { limitsDecider, type LimitsChanged } from '../../domain/approvals/limits-set.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';

/** Changes what one person may decide alone, once per approval. */
export class ChangeLimits extends Command<void> {
  constructor(readonly change: Omit<LimitsChanged['data'], 'at'>) {
    super();
  }
}

@CommandHandler(ChangeLimits)
export class ChangeLimitsHandler implements ICommandHandler<ChangeLimits> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ change }: ChangeLimits): Promise<void> {
    const command = { type: 'ChangeLimits', ...change, now: this.clock.now().toISOString() } as const;
    const metadata = { actor: change.by, correlationId: change.approvalId };
    await this.streams.execute(limitsDecider, undefined, command, metadata);
  }
}
