import type { User } from '../contract.js';

/** A user's status as a creator. `none`: the user never applied. */
export type CreatorStatus = 'none' | 'applied' | 'asked' | 'approved' | 'declined' | 'suspended';

/** What a user proved in a session. A second factor also counts as a password. */
export type SessionProof = 'password' | 'second factor';

export interface Device {
  userAgent: string | null;
  /** The network of the IP address: 24 bits of IPv4, 48 bits of IPv6. */
  network: string | null;
  /** ISO 3166 code, supplied by a proxy. */
  country: string | null;
}

/** A session that was not ended. It may be older than its maximum age, and then no longer works. */
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
  /** When the user last signed in, or last gave a proof in this session. */
  authenticatedAt: Date;
  secondFactorAt: Date | null;
  factors: Array<'passkey' | 'app'>;
  /** False if the user signs in only through Google. */
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

/** Sessions. A session has a chain of tokens: each renewal replaces the newest. Tokens are stored only as hashes. */
export abstract class SessionStore {
  abstract start(session: NewSession): Promise<void>;
  /** @returns undefined if the token is unknown, replaced or expired, or if its session has ended */
  abstract findOwner(tokenHash: string, now: Date): Promise<SessionOwner | undefined>;
  /** Replaces the token. If it was already replaced, a thief must have copied it, so the session ends. */
  abstract rotate(tokenHash: string, next: NewToken): Promise<'rotated' | 'reused' | 'unknown'>;
  abstract authenticated(sessionId: string, now: Date, proof: SessionProof): Promise<void>;
  /** Records the use of a session, unless a use since `unlessSince` is already recorded. */
  abstract used(sessionId: string, now: Date, unlessSince: Date): Promise<void>;
  /** @returns the user's sessions with a valid token, last used first */
  abstract open(userId: string, now: Date): Promise<OpenSession[]>;
  abstract end(sessionId: string, now: Date): Promise<void>;
  /** @returns false if the user has no such session, or if it has already ended */
  abstract endOwn(userId: string, sessionId: string, now: Date): Promise<boolean>;
  /**
   * Ends the user's sessions. Forgets the user's
   * browsers, so that no browser of a thief skips the delay at sign-in. Also
   * revokes the access tokens, unless a session is excepted.
   */
  abstract endAll(userId: string, now: Date, options?: { exceptSessionId?: string }): Promise<void>;
  /** Records the browser. @returns whether the user has signed in since `since`, but not with this browser */
  abstract isNewBrowser(userId: string, browser: string, now: Date, since: Date): Promise<boolean>;
  /**
   * Deletes sessions, mailed tokens and unfinished sign-ins that ended before this time, and answers to idempotent
   * requests that began before it.
   */
  abstract sweep(before: Date): Promise<void>;
}

/** Browsers in which a user has signed in. A browser is identified by the hash of its cookie. */
export abstract class RememberedBrowsers {
  abstract remember(userId: string, cookieHash: string, now: Date): Promise<void>;
  /** @param userId undefined without an account, so that the query takes as long as with one */
  abstract includes(userId: string | undefined, cookieHash: string, since: Date): Promise<boolean>;
  abstract forget(userId: string, cookieHash: string): Promise<void>;
}
