import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import {
  staffDecider,
  administratorsDecider,
  type StaffRole,
  type StaffRejection,
} from '../../../domain/accounts/staff.js';
import type { Outcome } from '../../../domain/shared/decision.js';
import type { Reason } from '../../../domain/shared/remark.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { Remarks } from '../../shared/remarks.js';
import { StaffQueries } from './staff-queries.js';
import { DecideAlert } from '../../alerts/decide-alert.js';

/** The actor of commands that the operator runs on the command line without signing in. */
export const OPERATOR = 'system:operator';

/** Grants a staff role, which applies from the next HTTP request on. */
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

/** `changed` is false if the user did not have the role. */
export type RevocationOutcome = Outcome<{ changed: boolean }, StaffRejection>;

/** Revokes a staff role from the next HTTP request on. The user can read the reason. */
export class RevokeStaffRole extends Command<RevocationOutcome> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    readonly said: {
      /** The reason as text, or as a reason that is already stored. */
      reason?: string | Reason;
      /** Absent if staff give up their own role, or if the operator revokes a role. */
      approvedBy?: string;
    } = {},
  ) {
    super();
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

  async execute({
    userId,
    role,
    by,
    said: { reason, ...agreed },
  }: RevokeStaffRole): Promise<RevocationOutcome> {
    const of = { stream: staffDecider.streamOf(userId), about: [userId] };
    const said =
      typeof reason === 'string' ? { reason: '', ...(await this.remarks.keep(reason, of)) } : reason;
    return this.streams.transact({ actor: by }, async (work) => {
      // Opens the stream `administrators` before counting the other administrators, so that a concurrent revocation
      // conflicts and restarts the work.
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

/** Grants a role on the command line when no administrator is available, and alerts finance. */
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
    // Raises the alert first, so that finance knows of the role before it applies.
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
