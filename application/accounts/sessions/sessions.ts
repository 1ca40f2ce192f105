import { hash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deviceName } from '../../../domain/accounts/device-name.js';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import {
  SessionStore,
  RememberedBrowsers,
  type OpenSession,
  type Device,
  type NewToken,
  type SessionOwner,
  type SessionProof,
} from './session-store.js';
import type { SessionItem } from '../contract.js';
import { WallClock } from '../../shared/clock.js';
import { keepNewest } from '../../shared/keep-newest.js';
import { AccountSettings } from '../account-settings.js';
import { AccountStore } from '../account-store.js';

/** Returns a place such as "Germany, 203.0.113.0/24"; null if country and network are unknown. */
export function placeOf({ country, network }: Pick<OpenSession, 'country' | 'network'>): string | null {
  const name = country && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country);
  return [name, network].filter(Boolean).join(', ') || null;
}

export const sessionItem = (session: OpenSession, ownId: string): SessionItem => ({
  id: session.sessionId,
  device: deviceName(session.userAgent),
  place: placeOf(session),
  startedAt: session.startedAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  current: session.sessionId === ownId,
});

/** A new token, which only its owner receives. The store has only its hash. */
export interface IssuedToken {
  token: string;
  expiresAt: Date;
}

export interface Proved {
  authenticatedAt?: Date | undefined;
  secondFactor?: boolean;
}

/** No token is longer than this. Longer input is rejected without a query. */
const TOKEN_MAX_LENGTH = 100;
/** The maximum number of invalid tokens in the cache: about a megabyte of hashes. */
const DEAD_LIMIT = 10_000;

export const hashToken = (token: string): string => hash('sha256', token);
export const newSecret = (): string => randomBytes(32).toString('base64url');

@Injectable()
export class Sessions {
  /**
   * Hashes of tokens that are unknown or no longer valid. They can be cached, because tokens are random and are
   * never revived.
   */
  private readonly dead = new Map<string, true>();

  constructor(
    private readonly store: SessionStore,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  /** Starts a session with a new token. @param proved.authenticatedAt when the user gave the proof */
  async start(
    userId: string,
    device: Device,
    { authenticatedAt = this.clock.now(), secondFactor = false }: Proved = {},
  ): Promise<IssuedToken> {
    const [issued, stored] = this.issue();
    const known = new Date(Math.min(authenticatedAt.getTime(), stored.createdAt.getTime()));
    const secondFactorAt = secondFactor ? stored.createdAt : null;
    await this.store.start({
      sessionId: randomUUID(),
      userId,
      device,
      authenticatedAt: secondFactorAt ?? known,
      secondFactorAt,
      ...stored,
    });
    return issued;
  }

  async find(token: string): Promise<SessionOwner | undefined> {
    if (token.length > TOKEN_MAX_LENGTH) return undefined;
    const hash = hashToken(token);
    if (this.dead.has(hash)) return undefined;
    const owner = await this.store.findOwner(hash, this.clock.now());
    if (!owner) keepNewest(this.dead, hash, true, DEAD_LIMIT);
    return owner && this.withinItsLife(owner);
  }

  /** Returns undefined if the session exceeds its maximum age, which renewals do not extend. */
  private withinItsLife(owner: SessionOwner): SessionOwner | undefined {
    const now = this.clock.now().getTime();
    const endsAt = this.endOf({ startedAt: owner.startedAt, isStaff: owner.user.roles.length > 0 });
    if (endsAt <= now) return undefined;
    const noted = new Date(now - accountPolicy.lastUsedMs);
    if (owner.lastUsedAt === null || owner.lastUsedAt < noted) {
      // Not awaited: if the write fails, a request after the next interval records the use. The cached time is set now,
      // so that requests until then do not write it again.
      this.store.used(owner.sessionId, new Date(now), noted).catch(() => {});
      owner.lastUsedAt = new Date(now);
    }
    return {
      ...owner,
      user: this.userAs(owner),
      factors: owner.factors.filter((factor) => factor !== 'passkey' || this.settings.passkeysOffered),
      expiresAt: new Date(Math.min(endsAt, owner.expiresAt.getTime())),
    };
  }

  /** Withholds staff roles until the session has a second factor, if the settings require one. */
  private userAs({ user, secondFactorAt }: SessionOwner): SessionOwner['user'] {
    const { roles } = user;
    if (roles.length === 0 || secondFactorAt || !this.settings.staffNeedsSecondFactor) return user;
    return { ...user, roles: [], withheldRoles: roles };
  }

  private endOf({ startedAt, isStaff }: Pick<OpenSession, 'startedAt' | 'isStaff'>): number {
    const { maxMs, staffMaxMs } = this.settings.sessions;
    return startedAt.getTime() + (isStaff ? staffMaxMs : maxMs);
  }

  async open(userId: string): Promise<OpenSession[]> {
    const now = this.clock.now();
    const sessions = await this.store.open(userId, now);
    return sessions.filter((session) => this.endOf(session) > now.getTime());
  }

  /**
   * Replaces a token. If the token was already replaced, the session ends. @returns undefined if the token is not
   * valid
   */
  async renew(token: string): Promise<IssuedToken | undefined> {
    if (token.length > TOKEN_MAX_LENGTH) return undefined;
    const [issued, stored] = this.issue();
    return (await this.store.rotate(hashToken(token), stored)) === 'rotated' ? issued : undefined;
  }

  isFresh({ authenticatedAt }: { authenticatedAt: Date }): boolean {
    return this.clock.now().getTime() - authenticatedAt.getTime() <= accountPolicy.freshSignInMs;
  }

  /** Records a proof of the user. The session then counts as freshly signed in. */
  async authenticated(sessionId: string, proof: SessionProof): Promise<void> {
    await this.store.authenticated(sessionId, this.clock.now(), proof);
  }

  async end(sessionId: string): Promise<void> {
    await this.store.end(sessionId, this.clock.now());
  }

  async endOwn(userId: string, sessionId: string): Promise<boolean> {
    return this.store.endOwn(userId, sessionId, this.clock.now());
  }

  async endAll(userId: string, options: { exceptSessionId?: string } = {}): Promise<void> {
    await this.store.endAll(userId, this.clock.now(), options);
  }

  async sweep(): Promise<void> {
    await this.store.sweep(new Date(this.clock.now().getTime() - accountPolicy.endedKeptMs));
  }

  private issue(): [IssuedToken, NewToken] {
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + accountPolicy.sessionLifetimeMs);
    const token = newSecret();
    return [
      { token, expiresAt },
      { tokenHash: hashToken(token), createdAt, expiresAt },
    ];
  }
}

/**
 * Recognises browsers in which the user has signed in before. Wrong guesses of strangers do not delay sign-ins in
 * these browsers.
 */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly accounts: AccountStore,
    private readonly browsers: RememberedBrowsers,
    private readonly clock: WallClock,
  ) {}

  /** @param browser the token in the cookie of the browser */
  async isKnown(userId: string | undefined, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    const since = new Date(this.clock.now().getTime() - accountPolicy.rememberedBrowserMs);
    return this.browsers.includes(userId, hashToken(browser), since);
  }

  /** Like `isKnown`, for the account with this e-mail address. Takes as long if the address has no account. */
  async isKnownTo(email: string, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    return this.isKnown((await this.accounts.findByEmail(email))?.userId, browser);
  }
}
