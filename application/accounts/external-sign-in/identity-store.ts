export interface PendingLink {
  tokenHash: string;
  issuer: string;
  subject: string;
  /** The account whose password is needed first. */
  userId: string;
  expiresAt: Date;
}

/** Which account signs in through which provider's identity. */
export abstract class IdentityStore {
  abstract findUser(issuer: string, subject: string): Promise<string | undefined>;
  abstract link(identity: { issuer: string; subject: string; userId: string; linkedAt: Date }): Promise<void>;
  /** Stores an identity that waits for the account's password. */
  abstract keepPending(link: PendingLink): Promise<void>;
  /** Links the waiting identity, once and to that account only. */
  abstract linkPending(tokenHash: string, userId: string, now: Date): Promise<void>;
}
