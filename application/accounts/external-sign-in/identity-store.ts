export interface PendingLink {
  tokenHash: string;
  issuer: string;
  subject: string;
  /** The account whose password must be given first. */
  userId: string;
  expiresAt: Date;
}

/** Maps identities of providers to accounts. */
export abstract class IdentityStore {
  abstract findUser(issuer: string, subject: string): Promise<string | undefined>;
  abstract link(identity: { issuer: string; subject: string; userId: string; linkedAt: Date }): Promise<void>;
  /** Stores an identity that waits for the account's password. */
  abstract keepPending(link: PendingLink): Promise<void>;
  /** Links the waiting identity once, and only to its own account. */
  abstract linkPending(tokenHash: string, userId: string, now: Date): Promise<void>;
}
