import type { StaffRole } from '../../../domain/accounts/staff.js';

export interface StaffMember {
  userId: string;
  email: string;
  displayName: string;
  role: StaffRole;
  /** A user id, or a system actor such as the operator. */
  grantedBy: string;
  grantedAt: Date;
  /** The user has a passkey or an authenticator app. */
  hasSecondFactor: boolean;
}

export abstract class StaffQueries {
  /** @returns one entry per user and role, sorted by address */
  abstract members(): Promise<StaffMember[]>;
}
