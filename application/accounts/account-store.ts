import { randomInt, randomUUID } from 'node:crypto';
import type { Outcome } from '../../domain/shared/decision.js';

export interface Account {
  userId: string;
  email: string;
  passwordHash: string | null;
  displayName: string;
  avatarKey: string | null;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

/** Returns an account without a password, confirmed address or picture, unless they are given. */
export const newAccount = (
  given: Pick<Account, 'email' | 'displayName' | 'createdAt'> & Partial<Account>,
): Account => ({
  userId: randomUUID(),
  passwordHash: null,
  avatarKey: null,
  emailVerifiedAt: null,
  ...given,
});

export type MailTokenPurpose = 'verify-email' | 'reset-password' | 'undo-email';

export interface MailToken {
  orderId: string;
  purpose: MailTokenPurpose;
  userId: string;
  /** The mail goes to this address, so using the token proves the address. */
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The user erased the account while their request was in progress. */
export class AccountErased extends Error {
  override name = 'AccountErased';
}

/** @throws AccountErased */
export async function existingAccount(accounts: AccountStore, userId: string): Promise<Account> {
  const account = await accounts.findById(userId);
  if (!account) throw new AccountErased(`the account ${userId} was erased meanwhile`);
  return account;
}

/** Accounts of users. E-mail addresses are compared without regard to case. Erased users are not found. */
export abstract class AccountStore {
  /** @returns false, without a change, if the address already has an account */
  abstract create(account: Account): Promise<boolean>;
  abstract findByEmail(email: string): Promise<Account | undefined>;
  abstract findById(userId: string): Promise<Account | undefined>;
  /** Sets the password; with null, no password works. Revokes links that reset it or confirm another address. */
  abstract setPassword(userId: string, passwordHash: string | null): Promise<void>;
  /** Sets the address. Revokes links mailed to other addresses, except undo links. @returns false if it is taken */
  abstract setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean>;
  /** Unlinks all external identities. Revokes undo links mailed since `since`, which a thief may have received. */
  abstract unlink(userId: string, since: Date): Promise<void>;
  abstract setAvatar(userId: string, avatarKey: string | null): Promise<void>;
  /** Reserves a token for a mail. Revokes earlier tokens of its purpose, except those that undo an address change. */
  abstract orderMailToken(token: MailToken): Promise<void>;
  /** Replaces the reserved token before each attempt to send it. @returns false if it was used or revoked meanwhile */
  abstract giveMailToken(orderId: string, tokenHash: string, expiresAt: Date): Promise<boolean>;
  /** @returns the owner of a token that is neither used nor expired */
  abstract mailTokenOwner(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<Account | undefined>;
  /** Marks a token as used. @returns its owner; undefined if the token is unknown, used or expired */
  abstract useMailToken(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<{ userId: string; email: string; createdAt: Date } | undefined>;
  /** Removes all personal data. Keeps the user id, which the books refer to. */
  abstract erase(userId: string, now: Date): Promise<void>;
  /** Yields all data about a user outside the event log, by heading. */
  abstract exportPersonalData(userId: string): AsyncIterable<readonly [heading: string, value: unknown]>;
}

export const avatarUrl = (avatarKey: string): string =>
  `/media/avatars/${avatarKey.slice(avatarKey.lastIndexOf('/') + 1)}`;

/** Returns a name for users who have not chosen one. It is random, because the e-mail address is private. */
export const defaultDisplayName = (): string => `Listener ${randomInt(1_000, 10_000)}`;

export const isDefaultName = (name: string): boolean => /^Listener \d{4}$/.test(name);

export const isDefaultHandle = (handle: string): boolean => /^Listener_\d{4}(-\d+)?$/.test(handle);

/** Another creator has a name that looks the same, or the name is reserved. */
export type NameTaken = { code: 'DisplayNameTaken' };

/** `wasVerified`: the former name was shown as verified. The new name is not. */
export type NameOutcome = Outcome<{ wasVerified: boolean }, NameTaken>;

/** Display names. Only names of creators and applicants are public, so only those must have unique skeletons. */
export abstract class DisplayNames {
  /** Changes the name, which becomes unverified. A verified former name is kept for review. */
  abstract choose(userId: string, displayName: string): Promise<NameOutcome>;
  /** Reserves the user's name. Idempotent. @returns the name; undefined if it is taken @throws AccountErased */
  abstract claim(userId: string): Promise<string | undefined>;
  abstract release(userId: string): Promise<void>;
  /** Shows the creator as verified as long as the name equals `name`; with null, never. Ends a pending review. */
  abstract setVerified(userId: string, name: string | null): Promise<void>;
}
