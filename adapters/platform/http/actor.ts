import type { Role } from '../../../application/accounts/contract.js';

/** Who calls, as the session says; never as the body says. */
export interface Actor {
  userId: string;
  displayName: string;
  email: string;
  isCreator: boolean;
  roles: Role[];
  sessionId: string;
  /** When somebody last signed in, or gave the password, in this session. */
  authenticatedAt: Date;
  hasPassword: boolean;
  /** What counts only once this session has a second factor. */
  withheldRoles: Role[];
  /** What the account has beside the password. */
  factors: Array<'passkey' | 'app'>;
}
