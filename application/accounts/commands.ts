import { Command } from '@nestjs/cqrs';
import type { StaffCommand, StaffRole } from '../../domain/accounts/staff.js';

/** Whoever runs Offcut and works on its command line; people have user ids. */
export const OPERATOR = 'system:operator';

/** What somebody may do for the house; the next request sees it. Answers whether that changed anything. */
export abstract class ChangeStaffRole extends Command<boolean> {
  abstract readonly type: StaffCommand['type'];

  constructor(
    readonly userId: string,
    readonly role: StaffRole,
    readonly by: string,
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
