import { randomUUID } from 'node:crypto';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { staffDecider, type StaffRole } from '../../../domain/accounts/staff.js';
import { DecideAlert } from '../../alerts/decide-alert.js';
import { Clock } from '../../shared/clock.js';
import { Remarks } from '../../shared/remarks.js';
import { Streams } from '../../shared/streams.js';

/** Grants a role when no administrator is available, and alerts finance. */
export class BreakGlass extends Command<void> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(BreakGlass)
export class BreakGlassHandler implements ICommandHandler<BreakGlass> {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, role, by, reason }: BreakGlass): Promise<void> {
    if ((await this.streams.load(staffDecider, userId)).has(role)) return;
    const correlationId = randomUUID();
    // Comes first, so that finance is alerted before the user holds a role that no one approved.
    const text = `The role ${role} was granted on the command line without the approval of an administrator. The list of staff acts shows who received it and why.`;
    const alert = { key: `break-glass-${correlationId}`, kind: 'break-glass', text, item: userId };
    await this.commands.execute(new DecideAlert({ type: 'RaiseAlert', alert }, by));
    const stream = staffDecider.streamOf(userId);
    const said = { reason: '', ...(await this.remarks.keep(reason, { stream, about: [userId] })) };
    const now = this.clock.now().toISOString();
    const command = { type: 'BreakGlass', userId, role, by, ...said, now } as const;
    await this.streams.execute(staffDecider, userId, command, { actor: by, correlationId });
  }
}
