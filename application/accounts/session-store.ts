import type { User } from './contract.js';

/** Status as a creator; `none` for people who never applied. */
export type CreatorStatus = 'none' | 'applied' | 'approved' | 'declined' | 'suspended';

/** The owner of a live token. */
export interface SessionOwner {
  sessionId: string;
  user: User;
  creatorStatus: CreatorStatus;
  expiresAt: Date;
  /** When this session's owner last proved to be who they are: by signing in, or by the password in it. */
  authenticatedAt: Date;
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
  /** The owner gave the password in this session. */
  abstract authenticated(sessionId: string, now: Date): Promise<void>;
  abstract end(sessionId: string, now: Date): Promise<void>;
  abstract endAll(userId: string, now: Date, options?: { exceptSessionId?: string }): Promise<void>;
  /** Removes sessions, mailed tokens and run-once answers that ended before `before`. */
  abstract sweep(before: Date): Promise<void>;
}
