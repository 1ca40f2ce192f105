import type { Role } from '../../../application/accounts/contract.js';

/** The authenticated user of a request, read from the session and never from the body. */
export interface Actor {
  userId: string;
  displayName: string;
  email: string;
  isCreator: boolean;
  roles: Role[];
  sessionId: string;
  /** When the user last signed in or entered the password in this session. */
  authenticatedAt: Date;
  hasPassword: boolean;
  /** Roles that the session gets only after a second factor. */
  withheldRoles: Role[];
  factors: Array<'passkey' | 'app'>;
}
