import type { User } from '../contract.js';

/** Status as a creator; `none` for users who never applied. */
export type CreatorStatus = 'none' | 'applied' | 'approved' | 'declined' | 'suspended';

/** The proof given in a session. A second factor also counts as a password. */
export type SessionProof = 'password' | 'second factor';

export interface Device {
  userAgent: string | null;
  /** The network of the IP address: /24 for IPv4, /48 for IPv6. */
  network: string | null;
  /** ISO 3166 code, supplied by a proxy. */
  country: string | null;
}

/** A session that was not ended. It may still exceed its maximum age. */
export interface OpenSession extends Device {
  sessionId: string;
  startedAt: Date;
  lastUsedAt: Date;
  isStaff: boolean;
}

export interface SessionOwner {
  sessionId: string;
  user: User;
  creatorStatus: CreatorStatus;
  expiresAt: Date;
  startedAt: Date;
  lastUsedAt: Date | null;
  /** When the owner last signed in, or gave a proof in this session. */
  authenticatedAt: Date;
  secondFactorAt: Date | null;
  factors: Array<'passkey' | 'app'>;
  /** False if the owner signs in through Google only. */
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

/** A session is a family of tokens: a renewal replaces the newest one. Tokens are stored only as hashes. */
export abstract class SessionStore {
  abstract start(session: NewSession): Promise<void>;
  /** @returns undefined if the token is unknown, replaced or expired, or its session has ended */
  abstract findOwner(tokenHash: string, now: Date): Promise<SessionOwner | undefined>;
  /** Replaces the token. Ends the session if the token was already replaced, because a thief must have copied it. */
  abstract rotate(tokenHash: string, next: NewToken): Promise<'rotated' | 'reused' | 'unknown'>;
  abstract authenticated(sessionId: string, now: Date, proof: SessionProof): Promise<void>;
  /** Records that a session is in use, unless a use after `unlessSince` is already recorded. */
  abstract used(sessionId: string, now: Date, unlessSince: Date): Promise<void>;
  /** @returns the sessions of a user that have a live token, last used first */
  abstract open(userId: string, now: Date): Promise<OpenSession[]>;
  abstract end(sessionId: string, now: Date): Promise<void>;
  /** @returns false if the user has no such session, or it has already ended */
  abstract endOwn(userId: string, sessionId: string, now: Date): Promise<boolean>;
  /**
   * Ends the sessions and forgets the remembered browsers, so that no browser of a thief skips the sign-in delay.
   * Revokes the access tokens as well, unless a session is excepted.
   */
  abstract endAll(userId: string, now: Date, options?: { exceptSessionId?: string }): Promise<void>;
  /** Records the browser. @returns whether the user signed in since `since`, but only with other browsers */
  abstract isNewBrowser(userId: string, browser: string, now: Date, since: Date): Promise<boolean>;
  /** Removes sessions, mailed tokens and answers of idempotent requests that ended before `before`. */
  abstract sweep(before: Date): Promise<void>;
}

/** Browsers that signed in to an account. The hash of its cookie identifies a browser. */
export abstract class RememberedBrowsers {
  abstract remember(userId: string, cookieHash: string, now: Date): Promise<void>;
  /** @param userId undefined for an unknown account; the query takes the same time */
  abstract includes(userId: string | undefined, cookieHash: string, since: Date): Promise<boolean>;
  abstract forget(userId: string, cookieHash: string): Promise<void>;
}
