import type { User } from '../contract.js';

/** Status as a creator; `none` for people who never applied. */
export type CreatorStatus = 'none' | 'applied' | 'approved' | 'declined' | 'suspended';

/** Which proof was given in a session; the second factor counts for both. */
export type SessionProof = 'password' | 'second factor';

/** Where a session is begun, as far as the request tells. */
export interface Device {
  userAgent: string | null;
  /** A /24 or /48. */
  network: string | null;
  /** By ISO 3166; a proxy knows it. */
  country: string | null;
}

/** A session that has not ended, unless it is too old by now. */
export interface OpenSession extends Device {
  sessionId: string;
  startedAt: Date;
  lastUsedAt: Date;
  isStaff: boolean;
}

/** The owner of a live token. */
export interface SessionOwner {
  sessionId: string;
  user: User;
  creatorStatus: CreatorStatus;
  expiresAt: Date;
  startedAt: Date;
  lastUsedAt: Date | null;
  /** When this session's owner last proved to be who they are: by signing in, or by the password in it. */
  authenticatedAt: Date;
  /** When somebody showed a second factor in this session. */
  secondFactorAt: Date | null;
  /** What the account has beside the password. */
  factors: Array<'passkey' | 'app'>;
  /** Whether the account has a password; without one its owner signs in through Google. */
  hasPassword: boolean;
}

export interface NewToken {
  tokenHash: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface NewSession extends NewToken {
  sessionId: string;
  userId: string;
  authenticatedAt: Date;
  secondFactorAt: Date | null;
  device: Device;
}

/**
 * Sessions as families of tokens: each renewal replaces the newest token by another of the same session.
 * Tokens are known by hash only.
 */
export abstract class SessionStore {
  abstract start(session: NewSession): Promise<void>;
  /** @returns undefined when the token is unknown, replaced, expired, or its session has ended */
  abstract findOwner(tokenHash: string, now: Date): Promise<SessionOwner | undefined>;
  /**
   * Replaces a live token by a new one. Presenting a replaced token ends its whole session, because one of its two
   * holders is a thief.
   */
  abstract rotate(tokenHash: string, next: NewToken): Promise<'rotated' | 'reused' | 'unknown'>;
  /** The owner gave a proof in this session. */
  abstract authenticated(sessionId: string, now: Date, proof: SessionProof): Promise<void>;
  /** Notes that a session is in use, unless that was noted lately. */
  abstract used(sessionId: string, now: Date, unlessSince: Date): Promise<void>;
  /** The sessions of a person with a live token, the last used first. */
  abstract open(userId: string, now: Date): Promise<OpenSession[]>;
  abstract end(sessionId: string, now: Date): Promise<void>;
  /** @returns false when this person has no such session, or it has ended */
  abstract endOwn(userId: string, sessionId: string, now: Date): Promise<boolean>;
  /** No browser goes ahead at sign-in any more, either. */
  abstract endAll(userId: string, now: Date, options?: { exceptSessionId?: string }): Promise<void>;
  /**
   * Notes a browser of this person. @returns whether it is another than those seen since `since`; the first one is not
   */
  abstract isNewBrowser(userId: string, browser: string, now: Date, since: Date): Promise<boolean>;
  /** Removes sessions, mailed tokens and run-once answers that ended before `before`. */
  abstract sweep(before: Date): Promise<void>;
}
