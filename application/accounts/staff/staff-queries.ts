import type { StaffRole } from '../../../domain/accounts/staff.js';

export interface StaffMember {
  userId: string;
  email: string;
  displayName: string;
  role: StaffRole;
  /** A user id, or who did it on behalf of the house. */
  grantedBy: string;
  grantedAt: Date;
  /** Whether there is a passkey or an authenticator app. */
  hasSecondFactor: boolean;
}

export abstract class StaffQueries {
  /** Everybody with a role, by address; one entry a role. */
  abstract members(): Promise<StaffMember[]>;
}
