import { randomUUID } from 'node:crypto';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { administratorsDecider, staffDecider } from '../../../domain/accounts/staff.js';
import { DecideAlert } from '../../alerts/decide-alert.js';
import { Clock } from '../../shared/clock.js';
import { Remarks } from '../../shared/remarks.js';
import { Streams } from '../../shared/streams.js';
import { BreakGlass, GrantStaffRole, RevokeStaffRole, type StaffResult } from '../commands.js';
import { StaffQueries } from './staff-queries.js';

@CommandHandler(GrantStaffRole)
export class GrantStaffRoleHandler implements ICommandHandler<GrantStaffRole> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, role, by, approvedBy }: GrantStaffRole): Promise<void> {
    const agreed = approvedBy === undefined ? {} : { approvedBy };
    const command = { type: 'GrantStaffRole', userId, role, by, ...agreed } as const;
    const metadata = { actor: by, correlationId: randomUUID() };
    await this.streams.execute(
      staffDecider,
      userId,
      { ...command, now: this.clock.now().toISOString() },
      metadata,
    );
  }
}

@CommandHandler(RevokeStaffRole)
export class RevokeStaffRoleHandler implements ICommandHandler<RevokeStaffRole> {
  constructor(
    private readonly streams: Streams,
    private readonly staff: StaffQueries,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, role, by, said: { reason, ...agreed } }: RevokeStaffRole): Promise<StaffResult> {
    const of = { stream: staffDecider.streamOf(userId), about: [userId] };
    const said =
      typeof reason === 'string' ? { reason: '', ...(await this.remarks.keep(reason, of)) } : reason;
    return this.streams.transact({ actor: by, correlationId: randomUUID() }, async (work) => {
      // Opened before the others are counted, so that a concurrent revocation conflicts and restarts this work.
      const administrators = await work.open(administratorsDecider, undefined);
      const person = await work.open(staffDecider, userId);
      const others = (await this.staff.members()).filter(
        (member) => member.role === 'admin' && member.userId !== userId,
      );
      const now = this.clock.now().toISOString();
      const revoke = {
        type: 'RevokeStaffRole',
        userId,
        role,
        by,
        otherAdministrators: others.length,
      } as const;
      const decision = person.decide({ ...revoke, ...agreed, ...said, now });
      if (!decision.accepted) return decision;
      const changed = decision.events.length > 0;
      if (changed && role === 'admin') administrators.decide({ userId, by, now });
      return { accepted: true, changed };
    });
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

  async execute({ userId, role, by, reason }: BreakGlass): Promise<boolean> {
    if ((await this.streams.load(staffDecider, userId)).has(role)) return false;
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
    return true;
  }
}

export const STAFF_HANDLERS = [GrantStaffRoleHandler, RevokeStaffRoleHandler, BreakGlassHandler];
