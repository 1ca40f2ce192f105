export interface Account {
  userId: string;
  email: string;
  passwordHash: string | null;
  displayName: string;
  avatarKey: string | null;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

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
  /**
   * Also revokes earlier links that reset the password or confirm another address. With null, no password works.
   */
  abstract setPassword(userId: string, passwordHash: string | null): Promise<void>;
  /**
   * Revokes links that were mailed to another address, except those that take the account back.
   * @returns false if another account has the address, or had it and may still take it back
   */
  abstract setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean>;
  /** Unlinks identities. Revokes links mailed since then that would give the account to another former address. */
  abstract unlink(userId: string, since: Date): Promise<void>;
  abstract setAvatar(userId: string, avatarKey: string | null): Promise<void>;
  /** Reserves a token. Revokes earlier tokens of the same purpose, except those that take an account back. */
  abstract orderMailToken(token: MailToken): Promise<void>;
  /**
   * Sets the reserved token, and replaces the token of an earlier attempt to send the mail.
   * @returns false if the token was used or revoked in the meantime
   */
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
