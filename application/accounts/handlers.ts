import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { staffDecider } from '../../domain/accounts/staff.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { ChangeStaffRole } from './commands.js';

@CommandHandler(ChangeStaffRole)
export class ChangeStaffRoleHandler implements ICommandHandler<ChangeStaffRole> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ type, userId, role, by, more }: ChangeStaffRole): Promise<boolean> {
    const now = this.clock.now().toISOString();
    const metadata = { actor: by, correlationId: randomUUID() };
    const outcome = await this.streams.execute(
      staffDecider,
      userId,
      { type, userId, role, by, ...more, now },
      metadata,
    );
    return outcome.accepted && outcome.events.length > 0;
  }
}
