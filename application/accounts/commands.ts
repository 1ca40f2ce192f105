import { Command } from '@nestjs/cqrs';
import type { StaffRejection, StaffRole } from '../../domain/accounts/staff.js';

/** The actor for the command line's operator; people have user ids. */
export const OPERATOR = 'system:operator';

/** Signs somebody out everywhere; false: there is no such person. */
export class EndSessions extends Command<boolean> {
  constructor(
    readonly userId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
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
    readonly reason?: string,
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
