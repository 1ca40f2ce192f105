import type { StaffRole } from '../../../domain/accounts/staff.js';
import type { NamesAnswer, PeopleAnswer } from '../contract.js';

export abstract class PeopleQueries {
  /** Finds users by name, handle, e-mail address or id. Exact matches come first. */
  abstract people(text: string): Promise<PeopleAnswer>;
  abstract names(ids: readonly string[]): Promise<NamesAnswer>;
  abstract exists(userId: string): Promise<boolean>;
}

export interface StaffMember {
  userId: string;
  email: string;
  displayName: string;
  role: StaffRole;
  /** The user id of an administrator, or a system actor such as the operator. */
  grantedBy: string;
  grantedAt: Date;
  hasSecondFactor: boolean;
}

export abstract class StaffQueries {
  abstract members(): Promise<StaffMember[]>;
}
