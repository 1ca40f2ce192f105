import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { limitsDecider } from '../../domain/administration/approval-limits.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { ChangeLimits } from './approval-commands.js';

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
