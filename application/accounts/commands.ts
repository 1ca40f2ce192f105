import { Command } from '@nestjs/cqrs';
import type { StaffCommand, StaffRole } from '../../domain/accounts/staff.js';

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

/** What a person may do as staff, from the next request on. Answers whether that changed anything. */
export abstract class ChangeStaffRole extends Command<boolean> {
  abstract readonly type: StaffCommand['type'];

  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
    /** Who agreed to a grant; why a role is taken. */
    readonly more: { approvedBy?: string; reason?: string } = {},
  ) {
    super();
  }
}

export class GrantStaffRole extends ChangeStaffRole {
  readonly type = 'GrantStaffRole';
}

export class RevokeStaffRole extends ChangeStaffRole {
  readonly type = 'RevokeStaffRole';
}
