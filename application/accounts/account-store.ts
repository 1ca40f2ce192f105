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

/** Returns a new account. Default: no password, no confirmed address, no picture. */
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
  /** The token is mailed to this address, so a user who enters the token can read that mailbox. */
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Thrown if the user erased the account while another request was in progress. */
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
  /**
   * @returns false, without storing anything, if the address has an account or is reserved for undoing an address
   * change
   */
  abstract create(account: Account): Promise<boolean>;
  abstract findByEmail(email: string): Promise<Account | undefined>;
  abstract findById(userId: string): Promise<Account | undefined>;
  /** Sets the password; null disables it. Revokes links that would reset it, and links that confirm a new address. */
  abstract setPassword(userId: string, passwordHash: string | null): Promise<void>;
  /** Sets the address. Revokes links to other addresses, except undo links. @returns false if the address is taken */
  abstract setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean>;
  /** Unlinks all external identities. Revokes undo links mailed since `since`, as a thief may have received them. */
  abstract unlink(userId: string, since: Date): Promise<void>;
  abstract setAvatar(userId: string, avatarKey: string | null): Promise<void>;
  /** Reserves a token for a mail. Revokes earlier tokens for its purpose, except those that undo address changes. */
  abstract orderMailToken(token: MailToken): Promise<void>;
  /** Sets the token just before a mail is sent, or sent again. @returns false if the token was used or revoked */
  abstract giveMailToken(orderId: string, tokenHash: string, expiresAt: Date): Promise<boolean>;
  /** @returns the owner of a valid token. The token stays valid */
  abstract mailTokenOwner(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<Account | undefined>;
  /** Uses up a token. @returns its owner; undefined if the token is unknown, used or expired */
  abstract useMailToken(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<{ userId: string; email: string; createdAt: Date } | undefined>;
  /** Removes all personal data. Keeps the user id, which the books refer to. */
  abstract erase(userId: string, now: Date): Promise<void>;
  /** Yields the data about a user by heading. Leaves out secrets and most of the event log. */
  abstract exportPersonalData(userId: string): AsyncIterable<readonly [heading: string, value: unknown]>;
}

export const avatarUrl = (avatarKey: string): string =>
  `/media/avatars/${avatarKey.slice(avatarKey.lastIndexOf('/') + 1)}`;

/** Returns a random name for a user who chose none. It must not reveal the e-mail address. */
export const defaultDisplayName = (): string => `Listener ${randomInt(1_000, 10_000)}`;

export const isDefaultHandle = (handle: string): boolean => /^Listener_\d{4}(-\d+)?$/.test(handle);

/** The name is reserved, or another creator has a name that looks alike. */
export type NameTaken = { code: 'DisplayNameTaken' };

/** `wasVerified`: staff had verified the former name. The new name is not verified. */
export type NameOutcome = Outcome<{ wasVerified: boolean }, NameTaken>;

/** Display names. Only names of creators and applicants are public, so only these must not look alike. */
export abstract class DisplayNames {
  /** Changes the name and ends its verification. Keeps a verified former name for a review by staff. */
  abstract choose(userId: string, displayName: string): Promise<NameOutcome>;
  /** Reserves the user's name. Idempotent. @returns the name; undefined if the name is taken @throws AccountErased */
  abstract claim(userId: string): Promise<string | undefined>;
  abstract release(userId: string): Promise<void>;
  /** Marks `name` as verified until the creator changes it; null removes the mark. Ends the review of a former name. */
  abstract setVerified(userId: string, name: string | null): Promise<void>;
}
