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

/** Returns for example "Germany, 203.0.113.0/24"; null if both are unknown. */
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

/** A new token, which its owner receives once. The store keeps only the hash. */
export interface IssuedToken {
  token: string;
  expiresAt: Date;
}

export interface Proved {
  authenticatedAt?: Date | undefined;
  secondFactor?: boolean;
}

/** Longer than any token we issue. Longer input is rejected without a lookup. */
const TOKEN_MAX_LENGTH = 100;
/** The most unknown tokens to cache: about a megabyte of hashes. */
const DEAD_LIMIT = 10_000;

export const hashToken = (token: string): string => hash('sha256', token);
export const newSecret = (): string => randomBytes(32).toString('base64url');

@Injectable()
export class Sessions {
  /** An unknown token stays unknown: tokens are random and are never revived, so misses can be cached. */
  private readonly dead = new Map<string, true>();

  constructor(
    private readonly store: SessionStore,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  /** Starts a session with a new id and a new token. @param proved.authenticatedAt the time of the proof */
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

  /** Returns undefined once the session has its maximum age, however often it was renewed. */
  private withinItsLife(owner: SessionOwner): SessionOwner | undefined {
    const now = this.clock.now().getTime();
    const endsAt = this.endOf({ startedAt: owner.startedAt, isStaff: owner.user.roles.length > 0 });
    if (endsAt <= now) return undefined;
    const noted = new Date(now - accountPolicy.lastUsedMs);
    if (owner.lastUsedAt === null || owner.lastUsedAt < noted) {
      // Not awaited, because a later request can record the use. The cached owner is updated to skip repeats.
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

  /** Withholds roles until the session has a second factor, if the settings require one. */
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

  /** Replaces the token. A token that was already replaced ends its session. @returns undefined if it is not live */
  async renew(token: string): Promise<IssuedToken | undefined> {
    if (token.length > TOKEN_MAX_LENGTH) return undefined;
    const [issued, stored] = this.issue();
    return (await this.store.rotate(hashToken(token), stored)) === 'rotated' ? issued : undefined;
  }

  isFresh({ authenticatedAt }: { authenticatedAt: Date }): boolean {
    return this.clock.now().getTime() - authenticatedAt.getTime() <= accountPolicy.freshSignInMs;
  }

  /** Records that the user gave a proof in this session, which then counts as freshly signed in. */
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

/** Recognises browsers that signed in to an account before. Strangers' wrong guesses do not delay these browsers. */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly accounts: AccountStore,
    private readonly browsers: RememberedBrowsers,
    private readonly clock: WallClock,
  ) {}

  /** @param browser the token in the cookie that identifies the browser */
  async isKnown(userId: string | undefined, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    const since = new Date(this.clock.now().getTime() - accountPolicy.rememberedBrowserMs);
    return this.browsers.includes(userId, hashToken(browser), since);
  }

  /** Looks up the account by its address. Takes the same time if the address has no account. */
  async isKnownTo(email: string, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    return this.isKnown((await this.accounts.findByEmail(email))?.userId, browser);
  }
}
