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
  /** The mail that it is for. */
  orderId: string;
  purpose: MailTokenPurpose;
  userId: string;
  /** The address it goes to, and therefore proves. */
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The person left while a request of theirs was under way. */
export class AccountErased extends Error {
  override name = 'AccountErased';
}

/** @throws AccountErased */
export async function existingAccount(accounts: AccountStore, userId: string): Promise<Account> {
  const account = await accounts.findById(userId);
  if (!account) throw new AccountErased(`the account ${userId} was erased meanwhile`);
  return account;
}

/** People's rows. E-mail addresses are compared without regard to case. Erased people are not found. */
export abstract class AccountStore {
  /** @returns false when the address has an account already; nothing is changed then */
  abstract create(account: Account): Promise<boolean>;
  abstract findByEmail(email: string): Promise<Account | undefined>;
  abstract findById(userId: string): Promise<Account | undefined>;
  /**
   * Ends the links of earlier mails to a new password or another address. Null: nobody can sign in with a password.
   */
  abstract setPassword(userId: string, passwordHash: string | null): Promise<void>;
  /**
   * Links mailed to a former address stop working, but the one that takes the account back.
   * @returns false when another account has the address, or had it and may still take it back
   */
  abstract setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean>;
  /** Removes linked identities, and the links of mails since then that give the account to another former address. */
  abstract unlink(userId: string, since: Date): Promise<void>;
  abstract setAvatar(userId: string, avatarKey: string | null): Promise<void>;
  /** Keeps a place for a token; earlier ones of the same purpose stop working, but those that take an account back. */
  abstract orderMailToken(token: MailToken): Promise<void>;
  /**
   * Puts a token into its place, instead of the one of an earlier attempt at the mail.
   * @returns false if it has ended or was used meanwhile
   */
  abstract giveMailToken(orderId: string, tokenHash: string, expiresAt: Date): Promise<boolean>;
  /** Whom a token belongs to that could still be used. */
  abstract mailTokenOwner(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<Account | undefined>;
  /** Uses a token up. @returns its owner; undefined if the token is unknown, used or expired */
  abstract useMailToken(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<{ userId: string; email: string; createdAt: Date } | undefined>;
  /** Removes everything personal and keeps the id, which the books name. */
  abstract erase(userId: string, now: Date): Promise<void>;
  /** Everything kept about a person outside the event log: what it is, and its rows. */
  abstract exportPersonalData(userId: string): AsyncIterable<readonly [heading: string, value: unknown]>;
}
