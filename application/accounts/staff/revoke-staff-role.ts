import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  administratorsDecider,
  staffDecider,
  type StaffRejection,
  type StaffRole,
} from '../../../domain/accounts/staff.js';
import type { Outcome } from '../../../domain/shared/decision.js';
import type { Reason } from '../../../domain/shared/remark.js';
import { Clock } from '../../shared/clock.js';
import { Remarks } from '../../shared/remarks.js';
import { Streams } from '../../shared/streams.js';
import { StaffQueries } from './staff-queries.js';

/** `changed` is false if the user did not have the role. */
export type RevocationOutcome = Outcome<{ changed: boolean }, StaffRejection>;

/** Revokes a role from the next request on. The user can read the reason. */
export class RevokeStaffRole extends Command<RevocationOutcome> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    readonly said: {
      /** The text of the reason, or a reason that is already stored. */
      reason?: string | Reason;
      /** Absent if staff revoke their own role, or if the operator revokes a role. */
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
