import { Command } from '@nestjs/cqrs';
import type { SecurityCommand } from '../../domain/accounts/security.js';
import type { Reason } from '../../domain/shared/remark.js';
import type { StaffRejection, StaffRole } from '../../domain/accounts/staff.js';

/** The actor of commands that the operator runs on the command line. Users have user ids. */
export const OPERATOR = 'system:operator';

/** An action of staff on a user's sign-in. Returns false if the user is unknown. */
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

/** Ends every session of a user. */
export class EndSessions extends SecureAccount {
  readonly type = 'EndSessions';
}

/** Removes the passkeys, authenticator app and recovery codes of a user, and ends every session. */
export class ResetFactors extends SecureAccount {
  readonly type = 'ResetFactors';
}

export type StaffResult =
  /** `changed` is false if the user did not have the role. */
  { accepted: true; changed: boolean } | { accepted: false; rejection: StaffRejection };

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

/** Revokes a role from the next request on. The user can read the reason. */
export class RevokeStaffRole extends Command<StaffResult> {
  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    readonly said: {
      /** The text of the reason, or a reason that is already stored. */
      reason?: string | Reason;
      /** Absent if users revoke their own role, and for the operator. */
      approvedBy?: string;
    } = {},
  ) {
    super();
  }
}

/** Grants a role when no administrator is available, and alerts finance. Returns false if the role was already held. */
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
