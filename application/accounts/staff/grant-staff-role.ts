import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { staffDecider, type StaffRole } from '../../../domain/accounts/staff.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';

/** The actor of commands that the operator runs on the command line. Users have user ids. */
export const OPERATOR = 'system:operator';

/** Grants a role. It applies from the next request. */
export class GrantStaffRole extends Command<void> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    /** Absent if no second person had to approve. */
    readonly approvedBy?: string,
  ) {
    super();
  }
}

@CommandHandler(GrantStaffRole)
export class GrantStaffRoleHandler implements ICommandHandler<GrantStaffRole> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, role, by, approvedBy }: GrantStaffRole): Promise<void> {
    const now = this.clock.now().toISOString();
    const agreed = approvedBy === undefined ? {} : { approvedBy };
    const command = { type: 'GrantStaffRole', userId, role, by, ...agreed, now } as const;
    await this.streams.execute(staffDecider, userId, command, { actor: by });
  }
}
