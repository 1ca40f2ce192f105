import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { WallClock } from '../../shared/clock.js';
import type { TokenScope } from '../../shared/endpoint.js';
import { AccountMails } from '../account-mails.js';
import type { User } from '../contract.js';
import type { CreatorStatus } from '../sessions/session-store.js';
import { hashToken, newSecret } from '../sessions/sessions.js';
import type { NewAccessToken } from './contract.js';

/** Begins every token, so that scanners of public code recognise leaked tokens. */
const PREFIX = 'offcut_';

export interface AccessToken {
  tokenId: string;
  userId: string;
  name: string;
  scopes: TokenScope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** A valid token with its owner. The owner appears without staff roles, which tokens never have. */
export interface TokenOwner extends Pick<AccessToken, 'tokenId' | 'scopes' | 'lastUsedAt'> {
  user: User;
  creatorStatus: CreatorStatus;
}

/** Tokens are stored only as hashes. */
export abstract class AccessTokenStore {
  /** @returns false if the user already has `limit` tokens; nothing is stored then */
  abstract add(token: Omit<AccessToken, 'lastUsedAt'>, tokenHash: string, limit: number): Promise<boolean>;
  /** Returns the user's tokens, newest first. */
  abstract of(userId: string): Promise<AccessToken[]>;
  /** @returns undefined if the token is unknown, revoked or expired */
  abstract find(tokenHash: string, now: Date): Promise<TokenOwner | undefined>;
  abstract used(tokenId: string, now: Date): Promise<void>;
  /** @returns false if the user does not have this token */
  abstract remove(userId: string, tokenId: string): Promise<boolean>;
}

/** Access tokens, with which programs act for a user within the scopes of the token. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly store: AccessTokenStore,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
  ) {}

  static isAccessToken(token: string | undefined): token is string {
    return token?.startsWith(PREFIX) ?? false;
  }

  async issue(
    userId: string,
    { name, scopes, expiresAt }: NewAccessToken,
  ): Promise<Outcome<{ id: string; token: string }, { code: 'TooManyTokens' | 'TokenExpiryPast' }>> {
    const createdAt = this.clock.now();
    const endsAt = expiresAt === undefined ? null : new Date(expiresAt);
    if (endsAt && endsAt <= createdAt) return reject({ code: 'TokenExpiryPast' });
    const token = PREFIX + newSecret();
    const id = randomUUID();
    const added = await this.store.add(
      { tokenId: id, userId, name, scopes: [...new Set(scopes)], createdAt, expiresAt: endsAt },
      hashToken(token),
      accountPolicy.tokensPerAccount,
    );
    if (!added) return reject({ code: 'TooManyTokens' });
    const change = `An access token was created for a program: “${name}”. It can neither spend credits nor change your account.`;
    await this.mails.securityChanged(userId, change);
    return { accepted: true, id, token };
  }

  async find(token: string): Promise<TokenOwner | undefined> {
    const now = this.clock.now();
    const owner = await this.store.find(hashToken(token), now);
    const noted = now.getTime() - accountPolicy.lastUsedMs;
    // Not awaited: if it fails, a later request records the use.
    if (owner && (owner.lastUsedAt === null || owner.lastUsedAt.getTime() < noted))
      this.store.used(owner.tokenId, now).catch(() => {});
    return owner;
  }
}
