import { Command } from '@nestjs/cqrs';
import type { SecurityCommand } from '../../domain/accounts/security.js';
import type { Reason } from '../../domain/shared/remark.js';
import type { StaffRejection, StaffRole } from '../../domain/accounts/staff.js';

/** The actor for the command line's operator; people have user ids. */
export const OPERATOR = 'system:operator';

/** What the staff does about how somebody signs in; false: there is no such person. */
export abstract class SecureAccount extends Command<boolean> {
  abstract readonly type: SecurityCommand['type'];

  constructor(
    readonly userId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

/** Signs somebody out everywhere. */
export class EndSessions extends SecureAccount {
  readonly type = 'EndSessions';
}

/** Takes away what somebody who has lost it signed in with beside the password, and signs them out. */
export class ResetFactors extends SecureAccount {
  readonly type = 'ResetFactors';
}

export type StaffResult =
  /** Unchanged: the role was not held. */
  { accepted: true; changed: boolean } | { accepted: false; rejection: StaffRejection };

/** Gives a role, from the next request on. */
export class GrantStaffRole extends Command<void> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    /** Without one, nobody had to agree. */
    readonly approvedBy?: string,
  ) {
    super();
  }
}

/** Takes a role, from the next request on; the person reads the reason. */
export class RevokeStaffRole extends Command<StaffResult> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    readonly said: {
      /** Words to keep, or a reason that is kept already. */
      reason?: string | Reason;
      /** Absent for one's own role and for the operator. */
      approvedBy?: string;
    } = {},
  ) {
    super();
  }
}

/** Gives a role for which no administrator can be asked; finance is told. Answers whether that changed anything. */
export class BreakGlass extends Command<boolean> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}
