import { Injectable } from '@nestjs/common';
import {
  AccountStore,
  type Account,
  type MailToken,
  type MailTokenPurpose,
} from '../../application/accounts/account-store.js';
import { Database } from '../platform/database/database.js';
import { erasePerson, exportPerson } from './erase-personal-data.js';

const COLUMNS = `user_id as "userId", email, password_hash as "passwordHash", display_name as "displayName",
  avatar_key as "avatarKey", email_verified_at as "emailVerifiedAt", created_at as "createdAt"`;

/** Whether the former owner of an address may still take the account back that left it. */
const KEPT_FOR_ANOTHER = (userId: string, email: string, now: string) => `exists (
  select 1 from mail_token where purpose = 'undo-email' and lower(email) = lower(${email}::text)
     and user_id <> ${userId}::text and used_at is null and expires_at > ${now}::timestamptz)`;

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class PostgresAccountStore extends AccountStore {
  constructor(private readonly database: Database) {
    super();
  }

  async create(account: Account): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `insert into user_account
         (user_id, email, password_hash, display_name, avatar_key, email_verified_at, created_at)
       select $1, $2, $3, $4, $5, $6, $7 where not ${KEPT_FOR_ANOTHER('$1', '$2', '$7')} on conflict do nothing`,
      [
        account.userId,
        account.email,
        account.passwordHash,
        account.displayName,
        account.avatarKey,
        account.emailVerifiedAt,
        account.createdAt,
      ],
    );
    return rowCount === 1;
  }

  findByEmail(email: string): Promise<Account | undefined> {
    return this.findOne('lower(email) = lower($1)', email);
  }

  findById(userId: string): Promise<Account | undefined> {
    return this.findOne('user_id = $1', userId);
  }

  private async findOne(condition: string, value: string): Promise<Account | undefined> {
    const { rows } = await this.database.pool.query<Account>(
      `select ${COLUMNS} from user_account where ${condition} and erased_at is null`,
      [value],
    );
    return rows[0];
  }

  async setPassword(userId: string, passwordHash: string | null): Promise<void> {
    await this.database.pool.query(
      `with changed as (
         update user_account set password_hash = $2 where user_id = $1 and erased_at is null
         returning user_id, email
       )
       delete from mail_token t using changed c
        where t.user_id = c.user_id and (t.purpose = 'reset-password'
           or (t.purpose = 'verify-email' and lower(t.email) <> lower(c.email)))`,
      [userId, passwordHash],
    );
  }

  async setDisplayName(userId: string, displayName: string): Promise<void> {
    await this.set(userId, 'display_name', displayName);
  }

  async setAvatar(userId: string, avatarKey: string | null): Promise<void> {
    await this.set(userId, 'avatar_key', avatarKey);
  }

  private async set(userId: string, column: string, value: unknown): Promise<void> {
    await this.database.pool.query(
      `update user_account set ${column} = $2 where user_id = $1 and erased_at is null`,
      [userId, value],
    );
  }

  async setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean> {
    try {
      const { rowCount } = await this.database.pool.query(
        `with changed as (
           update user_account set email = $2, email_verified_at = $3
            where user_id = $1 and erased_at is null and not ${KEPT_FOR_ANOTHER('$1', '$2', '$4')}
           returning user_id
         ), dead as (
           delete from mail_token t using changed c
            where t.user_id = c.user_id and t.purpose <> 'undo-email' and lower(t.email) <> lower($2)
         )
         select user_id from changed`,
        [userId, email, verifiedAt, now],
      );
      return rowCount === 1;
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
      throw error;
    }
  }

  async forgetSince(userId: string, since: Date): Promise<void> {
    await this.database.pool.query(
      `with unlinked as (delete from external_identity where user_id = $1 and linked_at >= $2)
       delete from mail_token where user_id = $1 and purpose = 'undo-email' and created_at >= $2`,
      [userId, since],
    );
  }

  async keepMailToken(token: MailToken): Promise<void> {
    await this.database.transaction(async (client) => {
      await client.query(
        `delete from mail_token where user_id = $1 and purpose = $2 and purpose <> 'undo-email'`,
        [token.userId, token.purpose],
      );
      await client.query(
        `insert into mail_token (token_hash, purpose, user_id, email, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [token.tokenHash, token.purpose, token.userId, token.email, token.createdAt, token.expiresAt],
      );
    });
  }

  async mailTokenOwner(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<Account | undefined> {
    const { rows } = await this.database.pool.query<{ userId: string }>(
      `select user_id as "userId" from mail_token
        where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3`,
      [tokenHash, purpose, now],
    );
    return rows[0] && this.findById(rows[0].userId);
  }

  async useMailToken(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<{ userId: string; email: string; createdAt: Date } | undefined> {
    const { rows } = await this.database.pool.query<{ userId: string; email: string; createdAt: Date }>(
      `update mail_token set used_at = $3
        where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
        returning user_id as "userId", email, created_at as "createdAt"`,
      [tokenHash, purpose, now],
    );
    return rows[0];
  }

  erase(userId: string, now: Date): Promise<void> {
    return this.database.transaction((client) => erasePerson(client, userId, now));
  }

  exportPersonalData(userId: string): Promise<Record<string, unknown>> {
    return exportPerson(this.database.pool, userId);
  }
}
